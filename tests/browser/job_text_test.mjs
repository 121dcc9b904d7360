// SPDX-License-Identifier: Apache-2.0
// The text of a job as the form changes it (web/toml.js, web/job.js): one value is set and all else,
// comments included, stays; what was set is what is read. With the examples and with random changes.
//   node job_text_test.mjs WEB_FOLDER EXAMPLES_FOLDER
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [web, examples] = process.argv.slice(2);
// A browser knows modules by how they are asked for, Node by a package.json beside them.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lacuna-web-'));
fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
for (const name of ['toml.js', 'job.js']) fs.copyFileSync(path.join(web, name), path.join(folder, name));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const load = name => import(pathToFileURL(path.join(folder, name)).href);
const { addSection, findSection, readToml, removeSection, setKey, subSections, writeToml } = await load('toml.js');
const { dimensionsOf, readTree, roleOf, ROLES, setRole, setTree, treeText } = await load('job.js');
const jobs = fs.readdirSync(examples).filter(name => name.endsWith('.toml')).map(name => [name, fs.readFileSync(path.join(examples, name), 'utf8')]);
assert.ok(jobs.length >= 4, 'the examples are there');

// Numbers that look random and are the same every time.
let seed = 7;
const random = most => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 2147483648 * most); };
const comments = text => text.split('\n').map(line => line.replace(/^.*?(#.*)$/, '$1')).filter(line => line.startsWith('#'));
const without = (sections, name, key) => JSON.stringify(sections.map(s => [s.name, [...s.keys].filter(([k]) => s.name !== name || k !== key).map(([k, e]) => [k, e.value])]));

function reading() {
  const sections = readToml('a = 1 # one\n[b]\nc = "x # y" # z\n"d e" = [1, "]",\n  true] \n[[f]]\ng = { h = \'i\', j = -2.5 }\n');
  assert.deepEqual(sections.map(s => [s.name, s.list, s.line]), [['', false, 1], ['b', false, 2], ['f', true, 6]]);
  assert.equal(sections[1].keys.get('c').value, 'x # y');
  assert.deepEqual(sections[1].keys.get('d e').value, [1, ']', true]);
  assert.deepEqual(sections[2].keys.get('g').value, { h: 'i', j: -2.5 });
  for (const wrong of ['[a', 'a = ', 'a 1', 'a = [1', 'a = "b']) assert.throws(() => readToml(wrong), SyntaxError, wrong);
  for (const value of ['a "b" \\ c\n', 3.5, true, ['x', 'y']]) assert.deepEqual(readToml('k = ' + writeToml(value))[0].keys.get('k').value, value);
}

function oneKey(name, text) {
  for (let k = 0; k < 200; ++k) {
    const sections = readToml(text).filter(s => s.name), section = sections[random(sections.length)];
    const which = sections.filter(s => s.name === section.name).indexOf(section);
    const key = section.keys.size && random(2) ? [...section.keys.keys()][random(section.keys.size)] : 'new_key';
    const value = [random(100), 'text ' + random(9), random(2) === 1][random(3)];
    const after = setKey(text, section.name, key, value, which);
    assert.deepEqual(findSection(readToml(after), section.name, which).keys.get(key).value, value, name);
    assert.deepEqual(comments(after), comments(text), `${name}: comments stay`);
    const gone = setKey(after, section.name, key, undefined, which);
    assert.equal(findSection(readToml(gone), section.name, which).keys.has(key), false, name);
    assert.equal(without(readToml(gone), section.name, key), without(readToml(text), section.name, key), `${name}: the rest stays`);
  }
}

function roles(name, text) {
  const kind = /\nrecords = /.test(text) ? 'records' : 'table', names = ['', 'dimension', ...ROLES[kind]];
  let now = text;
  for (let k = 0; k < 200; ++k) {
    const column = ['turnover', 'region', 'firm', 'new column', 'size'][random(5)], role = names[random(names.length)];
    now = setRole(now, column, role);
    assert.equal(roleOf(readToml(now), column), role, `${name}: ${column} is ${role}`);
    const seen = dimensionsOf(readToml(now)).flatMap(d => d.columns);
    assert.equal(new Set(seen).size, seen.length, `${name}: a column is one dimension`);
  }
}

function sectionsAndTrees(name, text) {
  const rules = readToml(text).filter(s => s.name === 'rule').length;
  const added = addSection(text, '[[rule]]', [['type', 'dominance'], ['n', 1], ['k', 75]]);
  assert.equal(findSection(readToml(added), 'rule', rules).keys.get('k').value, 75, name);
  assert.equal(without(readToml(removeSection(added, 'rule', rules))), without(readToml(text)), `${name}: added and taken away`);
  const children = readTree('Total\n  A\n    A1\n    A2\n  B', String);
  assert.deepEqual([...children], [['Total', ['A', 'B']], ['A', ['A1', 'A2']]]);
  assert.deepEqual([...readTree(treeText(children, 'Total'), String)], [...children]);
  assert.throws(() => readTree('Total\n  A\nB', line => 'line ' + line), /line 3/);
  dimensionsOf(readToml(text)).forEach((dimension, which) => {
    const after = readToml(setTree(text, which, children));
    const tree = subSections(after, 'dimension', which, 'tree');
    assert.deepEqual(tree.map(s => [...s.keys].map(([k, e]) => [k, e.value])), [[['Total', ['A', 'B']], ['A', ['A1', 'A2']]]], `${name}: ${dimension.name}`);
    assert.equal(dimensionsOf(after)[which].source, 'tree');
    assert.deepEqual(dimensionsOf(after).map(d => d.name), dimensionsOf(readToml(text)).map(d => d.name));
  });
}

reading();
for (const [name, text] of jobs) { oneKey(name, text); roles(name, text); sectionsAndTrees(name, text); }
console.log(`${jobs.length} jobs changed and read again`);
