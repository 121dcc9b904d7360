// SPDX-License-Identifier: Apache-2.0
// How a file is read: records or cells, heading, separator, encoding, sheet, titles above, blocks,
// categories in the heading, signs, decimal mark, totals. Each guess is one control; the first
// choice is what was found. What is said stays said, and all else is guessed again around it.
import { h, select } from './dom.js';
import { signName } from './look_tools.js';
import { T } from './texts.js';

/** What is asked and said of a file.
 * @typedef {{ look: any, kind: string, said: any, spec: any, bad: (control: string) => string,
 *   onKind: (kind: string) => void, onSay: (key: string, value: any) => void }} How */

/** "a, b" with a comma and a blank between. @param {string} text */
const words = text =>
  text
    .split(/\s*[,;]\s+|\s*;\s*/)
    .map(part => part.trim())
    .filter(Boolean);
/** "x=withheld, :=absent" as pairs. @param {string} text */
const pairsOf = text =>
  Object.fromEntries(words(text).map(part => [part.slice(0, part.lastIndexOf('=')).trim(), part.slice(part.lastIndexOf('=') + 1).trim()]));
/** "geo=AT, geo=DE, time=2015" as lists. @param {string} text */
function listsOf(text) {
  /** @type {Record<string, string[]>} */
  const lists = {};
  for (const part of words(text)) {
    const at = part.indexOf('=');
    if (at > 0) lists[part.slice(0, at).trim()] = [...(lists[part.slice(0, at).trim()] || []), part.slice(at + 1).trim()];
  }
  return lists;
}
/** The other way, of pairs and lists. @param {any} value */
const pairsText = value =>
  (Array.isArray(value) ? value : Object.entries(value || {}))
    .flatMap((/** @type {any} */ [key, word]) => [word].flat().map(each => `${key}=${each}`))
    .join(', ');

/** @param {How} how @param {string} key @param {string} found @param {[string, string][]} choices @param {(text: string) => any} [read] */
function choice(how, key, found, choices, read = text => text) {
  const said = how.said[key],
    now = said === undefined ? '' : String(said);
  const list = select(
    { 'data-test': 'read:' + key, 'aria-invalid': how.bad('input.' + key) ? 'true' : 'false' },
    [['', T.look.found(found)], ...choices],
    now,
  );
  list.onchange = () => how.onSay(key, list.value === '' ? undefined : read(list.value));
  return control(how, key, list, said !== undefined);
}
/** @param {How} how @param {string} key @param {string} found @param {(text: string) => any} read @param {(value: any) => string} [write] */
function text(how, key, found, read, write = value => [value].flat().join(', ')) {
  const said = how.said[key];
  const input = h('input', {
    type: 'text',
    value: said === undefined ? '' : write(said),
    placeholder: T.look.found(found),
    autocomplete: 'off',
    spellcheck: 'false',
    'data-test': 'read:' + key,
    'aria-invalid': how.bad('input.' + key) ? 'true' : 'false',
  });
  input.onchange = () => how.onSay(key, input.value.trim() === '' ? undefined : read(input.value.trim()));
  return control(how, key, input, said !== undefined);
}
/** @param {How} how @param {string} key @param {any} input @param {boolean} said */
function control(how, key, input, said) {
  const wrong = how.bad('input.' + key);
  return h(
    'div',
    { class: 'field' + (wrong ? ' bad' : '') + (said ? ' said' : ''), 'data-control': 'input.' + key },
    h('label', null, h('span', { class: 'name', title: T.look.help[key] || '' }, T.plain.controls['input.' + key]), input),
    T.look.help[key] && wrong ? h('p', { class: 'soft' }, T.look.help[key]) : [],
  );
}

/** @param {any} sign */
const separatorName = sign => T.look.separators[sign] || sign || '–';

/** Records or cells, as two radio buttons. @param {How} how */
const kindChoice = how =>
  h(
    'fieldset',
    { class: 'kind', 'data-control': 'input.kind' },
    h('legend', null, T.look.rowsAre),
    ['table', 'records'].map(kind =>
      h(
        'label',
        { class: 'switch' },
        h('input', {
          type: 'radio',
          name: 'kind',
          value: kind,
          checked: how.kind === kind,
          'data-test': 'read-kind:' + kind,
          onchange: () => how.onKind(kind),
        }),
        h('span', null, h('b', null, T.look.kindNames[kind]), ' ', h('span', { class: 'soft' }, T.look.kindTexts[kind])),
      ),
    ),
  );

/** @param {How} how */
export function readingForm(how) {
  const { look, kind } = how,
    input = (look.job.spec || {}).input || {},
    marks = /** @type {[string, string][]} */ ([['.', T.look.marks['.']], [',', T.look.marks[',']]]);
  const isTable = kind === 'table';
  const some = isTable || look.text;
  const rare = [
    isTable ? text(how, 'skip', T.look.titles(look.raw.kinds.filter((/** @type {string} */ k) => k === 'title').length), t => Number(t)) : [],
    isTable ? text(how, 'rows', T.look.allRows, t => t) : [],
    isTable ? text(how, 'only', T.look.allCodes, listsOf, pairsText) : [],
    isTable ? text(how, 'means', T.look.usual, pairsOf, pairsText) : [],
    isTable && look.text
      ? choice(how, 'thousands', input.thousands || T.look.noThousands, [
          ['none', T.look.noThousands],
          ...[',', '.', ' ', "'"].map(sign => /** @type {[string, string]} */ ([sign, signName(sign)])),
        ], t => (t === 'none' ? '' : t))
      : [],
    text(how, 'decimals', T.look.asNeeded, t => Number(t)),
    isTable ? text(how, 'round_totals', '0', t => Number(t)) : [],
  ];
  return h(
    'div',
    { class: 'reading', 'data-test': 'reading' },
    kindChoice(how),
    h(
      'div',
      { class: 'fields' },
      look.sheets.length > 1
        ? choice(how, 'sheet', look.sheet, look.sheets.map((/** @type {any} */ s) => [s.name, s.name]), t => [t])
        : [],
      some && look.text
        ? choice(how, 'header', look.has_header ? T.look.header.names : T.look.header.data, [
            ['yes', T.look.header.names],
            ['no', T.look.header.data],
          ])
        : [],
      look.text
        ? choice(how, 'separator', separatorName(look.separator), [
            [';', separatorName(';')], [',', separatorName(',')], ['\t', separatorName('\t')], ['|', separatorName('|')], [' ', separatorName(' ')],
          ])
        : [],
      look.text && isTable
        ? choice(how, 'encoding', look.encoding || 'utf-8', [
            ['utf-8', 'UTF-8'], ['latin-1', 'Latin-1'], ['windows-1252', 'Windows-1252'], ['utf-16', 'UTF-16'],
          ])
        : [],
      look.text ? choice(how, 'decimal_mark', T.look.marks[input.decimal_mark || '.'], marks) : [],
      isTable ? text(how, 'wide', input.wide && input.wide.length ? [input.wide].flat().join(', ') : T.look.notWide, words) : [],
      isTable
        ? choice(how, 'totals', T.look.totals.given, [
            ['computed', T.look.totals.computed],
            ['recomputed', T.look.totals.recomputed],
          ])
        : [],
    ),
    h('details', { class: 'group', 'data-test': 'section:reading' }, h('summary', null, T.look.more), h('div', { class: 'fields' }, rare)),
  );
}
