// SPDX-License-Identifier: Apache-2.0
// The texts of the page in all its languages: the same keys, of the same kind, with as many lists and
// arguments; nothing is left empty that another language says. texts_test.mjs WEB
import assert from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const web = pathToFileURL(process.argv[2] + '/').href;
const { LANGUAGES } = await import(web + 'texts.js');
const all = Object.fromEntries(await Promise.all(LANGUAGES.map(async name => [name, (await import(`${web}texts/${name}.js`)).T])));

/** What is where: "open.title: string". */
function shape(value, path, out) {
  if (typeof value === 'function') out.set(path, `function of ${value.length}`);
  else if (Array.isArray(value)) value.forEach((each, k) => shape(each, `${path}[${k}]`, out));
  else if (value && typeof value === 'object') for (const key of Object.keys(value)) shape(value[key], `${path}.${key}`, out);
  else out.set(path, typeof value + (value === '' ? ', empty' : ''));
  return out;
}
const english = shape(all.en, 'T', new Map());
let checked = 0;
for (const name of LANGUAGES) {
  const own = shape(all[name], 'T', new Map());
  const differing = [
    ...[...english].filter(([path, kind]) => own.get(path) !== kind).map(([path, kind]) => `${path} is ${own.get(path)}, in English ${kind}`),
    ...[...own.keys()].filter(path => !english.has(path)).map(path => `${path} is not in English`),
  ];
  assert.deepEqual(differing, [], name);
  assert.equal(all[name].language, name);
  checked += own.size;
}
// A text that is the same in another language was perhaps forgotten; most are not.
for (const name of LANGUAGES.filter(each => each !== 'en')) {
  const texts = value => (typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(texts) : []);
  const one = texts(all.en).filter(text => text.length > 25), other = new Set(texts(all[name]));
  const same = one.filter(text => other.has(text));
  assert.ok(same.length * 50 < one.length, `${name} repeats English: ${same.join(' | ')}`);
}
// What the modules ask for is there: T.a.b of their text.
const asked = readFileSync(new URL('app.js', web), 'utf8');
assert.ok(asked.includes("from './texts.js'"));

// ---- what the program says (told.js): the program says it still, every code has words, and every language has all of it
const { PIECES, SENTENCES, WORDS } = await import(web + 'told.js');
const filesOf = folder => readdirSync(new URL(folder, web), { recursive: true }).map(name => folder + '/' + name);
const source = [...filesOf('../src'), ...filesOf('../apps')]
  .filter(name => /\.(cpp|h)$/.test(name))
  .map(name => readFileSync(new URL(name, web), 'utf8').replace(/"\s*\n\s*"/g, ''))
  .join('\n');
/** The longest piece of a form that stands in it letter by letter. */
const literal = form =>
  form.source
    .split(/\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)\??|[\^$|]|\\[dSw][+*?]*|\.[*+]\??|\[[^\]]*\]|\w\?|['“”]/)
    .map(part => part.replace(/\\(.)/g, '$1'))
    .sort((a, b) => b.length - a.length)[0];
const unsaid = [...SENTENCES, ...PIECES].filter(([, form]) => !literal(form).split(': ').every(part => source.includes(part.trim()))).map(([name, form]) => `${name}: nobody says "${literal(form)}"`);
assert.deepEqual(unsaid, []);
const codes = [...readFileSync(new URL('../docs/errors.md', web), 'utf8').matchAll(/^\| `([a-z-]+)` \|/gm)].map(found => found[1]);
assert.ok(codes.length > 40);
for (const name of LANGUAGES.filter(each => each !== 'en')) {
  const { told } = await import(`${web}texts/told.${name}.js`);
  assert.deepEqual(Object.keys(told.sentences).sort(), SENTENCES.map(([key]) => key).sort(), name);
  assert.deepEqual(Object.keys(told.words).sort(), [...PIECES, ...WORDS].map(([key]) => key).sort(), name);
  assert.deepEqual(Object.keys(told.codes).sort(), codes.sort(), name);
  for (const [key, form] of SENTENCES) {
    const parts = new RegExp(form.source + '|').exec('').length - 1;
    const words = told.sentences[key];
    assert.ok(typeof words === 'string' || words.length <= parts, `${name}: ${key} has ${words.length} parts of ${parts}`);
  }
}
console.log(`${checked} texts in ${LANGUAGES.length} languages`);
