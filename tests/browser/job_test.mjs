// SPDX-License-Identifier: Apache-2.0
// The job as the forms change it (web/job.js): what was set is what is read, all else stays, and the
// object from before is not touched. With random changes; the text is the server's matter.
//   node job_test.mjs WEB_FOLDER
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [web] = process.argv.slice(2);
// A browser knows modules by how they are asked for, Node by a package.json beside them.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lacuna-web-'));
fs.cpSync(web, folder, { recursive: true });
fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const load = name => import(pathToFileURL(path.join(folder, name)).href);
const { dimensionsOf, kindOf, readTree, roleOf, rolesOf, treeText, withItem, withKey, withoutItem, withRole, withTree } = await load('job.js');
const { plainValue } = await load('form_fields.js');

// Numbers that look random and are the same every time.
let seed = 7;
const random = most => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 2147483648 * most); };

const key = (name, ...of) => ({ name, help: '', kind: 'text', choices: [], of });
const keys = [{ ...key('columns'), keys: [key('value'), key('frequency'), key('status', 'table'), key('largest', 'table'), key('respondent', 'records'), key('request_codes', 'records')] }];
const jobs = [
  { input: { table: 'sales.csv' }, columns: { value: 'turnover' }, dimension: [{ name: 'product', hierarchy: 'p.hrc' }, { name: 'region', total: 'All' }], rule: [{ type: 'frequency', n: 3 }] },
  { input: { records: 'firms.csv' }, columns: { value: 'turnover', request_codes: ['size'] }, dimension: [{ name: 'area', columns: ['region', 'district'] }] },
];

function roles(job) {
  const names = ['', 'dimension', ...rolesOf(keys, kindOf(job)).map(role => role.name)], before = JSON.stringify(job);
  assert.ok(!names.includes('request_codes'), 'texts of a column are no role');
  let now = job;
  for (let k = 0; k < 500; ++k) {
    const column = ['turnover', 'region', 'firm', 'new column', 'size'][random(5)], role = names[random(names.length)];
    const next = withRole(now, column, role);
    assert.equal(roleOf(next, column), role, `${column} is ${role}`);
    assert.deepEqual(next.rule, now.rule, 'the rest stays');
    now = next;
    const seen = dimensionsOf(now).flatMap(d => d.columns);
    assert.equal(new Set(seen).size, seen.length, 'a column is one dimension');
  }
  assert.equal(JSON.stringify(job), before, 'the job from before is as it was');
  assert.deepEqual(now.columns?.request_codes, job.columns.request_codes);
}

function single(job) {
  const set = withKey(job, ['levels', 'ratio'], 2);
  assert.equal(set.levels.ratio, 2);
  assert.deepEqual(withKey(set, ['levels', 'ratio'], undefined), job, 'set and taken back, the section goes as well');
  const more = withItem(job, 'rule', { type: 'dominance', n: 1, k: 75 }), last = more.rule.length - 1;
  assert.equal(withKey(more, ['rule', last, 'k'], 80).rule[last].k, 80);
  assert.equal(more.rule[last].k, 75);
  assert.deepEqual(withoutItem(more, 'rule', last), job);
}

function trees(job) {
  const children = readTree('Total\n  20\n    1\n    2\n  B', String);
  assert.deepEqual([...children], [['Total', ['20', 'B']], ['20', ['1', '2']]]);
  assert.deepEqual([...readTree(treeText(children, 'Total'), String)], [...children]);
  assert.throws(() => readTree('Total\n  A\nB', line => 'line ' + line), /line 3/);
  job.dimension.forEach((dimension, which) => {
    const after = withTree(job, which, children);
    assert.deepEqual(JSON.parse(JSON.stringify(after.dimension[which].tree)), [['Total', ['20', 'B']], ['20', ['1', '2']]], 'in its order');
    assert.equal(dimensionsOf(after)[which].source, 'tree');
    assert.deepEqual(dimensionsOf(after).map(d => d.name), dimensionsOf(job).map(d => d.name));
  });
}

function numbers() {
  for (const [text, value] of [['3', 3], ['2.50', 2.5], ['-1e3', -1000], ['10%', '10%'], ['unbounded', 'unbounded'],
    ['12345678901234567', '12345678901234567'], ['0.1234567890123456789', '0.1234567890123456789'], ['1000000000000000000', 1e18]])
    assert.equal(plainValue(text), value, 'no digit is lost');
}

for (const job of jobs) { roles(job); single(job); trees(job); }
numbers();
console.log(`${jobs.length} jobs changed`);
