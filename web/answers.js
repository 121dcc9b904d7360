// SPDX-License-Identifier: Apache-2.0
// An open question answered where it stands: the candidates that the program names, as buttons or as
// a list of codes. Each is the same as turning the control.
import { h, select } from './dom.js';
import { roleOf } from './job.js';
import { T } from './texts.js';

/** @typedef {{ look: any, say: (key: string, value: any) => void, said: any, role: (column: string, role: string) => void,
 *   total: (column: string, code: string) => void, toPublished: () => void }} How */

const MOST = 8; // buttons; more candidates are a list
/** Texts in single quotes. @param {string} text */
const quoted = text => [...text.matchAll(/'([^']*)'/g)].map(found => found[1]);

/** @param {string} test @param {string} name @param {() => void} f */
const button = (test, name, f) => h('button', { type: 'button', class: 'small', 'data-test': test, onclick: f }, h('bdi', null, name));
/** @param {string} test @param {string} name @param {(string|[string, string])[]} codes with their names, if those are others @param {(code: string) => void} f */
function list(test, name, codes, f) {
  const named = codes.map(code => /** @type {[string, string]} */ (Array.isArray(code) ? code : [code, code]));
  const choice = select({ class: 'small', 'data-test': test, 'aria-label': name }, [['', name], ...named], '');
  choice.onchange = () => choice.value && f(choice.value);
  return choice;
}
/** @param {string} test @param {string} name @param {string[]} codes @param {(code: string) => void} f */
const oneOf = (test, name, codes, f) =>
  codes.length > MOST ? list(test, name, codes, f) : codes.map(code => button(`${test}:${code}`, T.answers.is(name, code), () => f(code)));

/** All codes that the column has had, also before rows were chosen. @param {any} look @param {string} column */
const codesOf = (look, column) => (look.codes && look.codes.get(column)) || (look.columns.find((/** @type {any} */ c) => c.name === column) || { codes: [] }).codes;
/** Codes in the heading of a wide table. @param {any} look @param {any[]} cells */
const headingCodes = (look, cells) => look.wide.map((/** @type {number} */ k) => look.columns[k].name).filter(Boolean).concat(cells);

/** Codes that others begin with, and that begin with none: each is the top of a part of its own, as AT is of AT1 and AT11.
 * @param {string[]} codes @returns {[string, string[]][]} */
export function partsByPrefix(codes) {
  const sorted = [...codes].sort();
  /** @type {[string, string[]][]} */
  const parts = [];
  for (const code of sorted) {
    const last = parts[parts.length - 1];
    if (last && code.startsWith(last[0])) last[1].push(code);
    else parts.push([code, [code]]);
  }
  return parts.filter(([, part]) => part.length > 2);
}

/** A part of a column in place of the one that was chosen: a code, or a code with those that begin with it.
 * @param {How} how @param {string} column @param {string} test @param {string} name */
function partsList(how, column, test, name) {
  const parts = new Map(partsByPrefix(codesOf(how.look, column)));
  const names = [...parts].map(([top, part]) => /** @type {[string, string]} */ ([top, T.answers.part(top, part.length - 1)]));
  return names.length ? list(test, name, names, top => how.say('only', { ...how.said.only, [column]: parts.get(top) })) : [];
}
/** Rows that were chosen hold no number: other ones. @param {How} how */
const otherRows = how =>
  Object.entries(how.said.only || {}).map(([column, codes]) =>
    [codes].flat().length > 1
      ? partsList(how, column, 'answer-part:' + column, T.answers.another(column))
      : list('answer-other:' + column, T.answers.another(column), codesOf(how.look, column), code =>
          how.say('only', { ...how.said.only, [column]: [code] }),
        ),
  );

/** Columns of numbers that have no role yet. @param {any} look */
const freeNumbers = look => {
  const spec = look.job.spec || {};
  return look.columns.filter((/** @type {any} */ c) => c.numbers && !roleOf(spec, c.name)).map((/** @type {any} */ c) => c.name);
};

/** Each kind of question with its answers. @type {[RegExp, (found: RegExpExecArray, how: How, text: string) => any][]} */
const QUESTIONS = [
  [/^no column (?:is left for the value|holds numbers)/, (_, how) => otherRows(how)],
  [
    /could be any of the columns ([^:]*):/,
    ([, names], how, text) => [
      oneOf('answer-value', T.roles.value, quoted(names), name => how.role(name, 'value')),
      /categories of one dimension/.test(text) ? button('answer-wide', T.answers.wide, () => how.say('wide', [T.answers.category])) : [],
    ],
  ],
  [
    /needs a column with the numbers of contributors/,
    (_, how) => oneOf('answer-frequency', T.roles.frequency, freeNumbers(how.look), name => how.role(name, 'frequency')),
  ],
  [
    /rules need columns with the largest contributions/,
    (_, how) => oneOf('answer-largest', T.roles.largest, freeNumbers(how.look), name => how.role(name, 'largest')),
  ],
  [/the status is not certain[^:]*?((?:'[^']*'[, and]*)+)/, ([, names], how) => oneOf('answer-status', T.roles.status, quoted(names), name => how.role(name, 'status'))],
  [
    /the column '([^']+)' holds \d+ (?:periods|measures), '([^']*)' to '([^']*)'/,
    ([, column, first, last], how) => {
      const codes = codesOf(how.look, column),
        all = codes.length ? codes : headingCodes(how.look, []).length ? headingCodes(how.look, []) : [first, last];
      const only = (/** @type {string} */ code) => how.say('only', { ...how.said.only, [column]: [code] });
      return [button('answer-last', T.answers.only(column, last), () => only(last)), list('answer-only', T.answers.another(column), all, only), button('fix-computed', T.answers.addUp(column), () => how.say('totals', 'computed'))];
    },
  ],
  [
    /the codes of column '([^']+)' are not all parts of one total/,
    ([, column], how) => partsList(how, column, 'answer-part:' + column, T.answers.parts(column)),
  ],
  [
    /the totals of column '([^']+)' are not certain/,
    ([, column], how, text) => [
      list('answer-total:' + column, T.answers.total(column), codesOf(how.look, column), code => how.total(column, code)),
      /is off: correct the table/.test(text)
        ? [button('fix-recompute', T.outcome.recompute, () => how.say('totals', 'recomputed')), button('answer-published', T.answers.published, how.toPublished)]
        : [],
    ],
  ],
  [/says that the number is withheld|needs the true numbers/, (_, how) => button('answer-published', T.answers.published, how.toPublished)],
  [
    /the value is empty/,
    (_, how) => ['drop', 'zero'].map(what => button('answer-empty:' + what, T.answers.empty[what], () => how.say('empty_value', what))),
  ],
  [
    /^'(.+?)' (?:stands in the place of a number|is not a number)/,
    ([, sign], how) =>
      ['withheld', 'absent', 'zero'].map(meaning =>
        button('answer-sign:' + meaning, T.answers.sign(sign, T.answers.meanings[meaning]), () => how.say('means', { ...how.said.means, [sign]: meaning })),
      ),
  ],
  [
    /rows stand in several blocks/,
    (_, how, text) =>
      [...text.matchAll(/(?:^|\s|")(\d+-\d+)"?(?:, below '([^\n]*)')?/gm)].map(([, rows, below]) =>
        button('answer-rows:' + rows, T.answers.rows(rows, below || ''), () => how.say('rows', rows)),
      ),
  ],
  [/tables in several sheets, ([^:]*):/, ([, names], how) => oneOf('answer-sheet', T.plain.controls['input.sheet'], quoted(names).length ? quoted(names) : how.look.sheets.map((/** @type {any} */ s) => s.name), name => how.say('sheet', [name]))],
  [/could be read/, (_, how) => ['.', ','].map(mark => button('answer-mark:' + mark, T.answers.is(T.plain.controls['input.decimal_mark'], T.look.marks[mark]), () => how.say('decimal_mark', mark)))],
];

/** @param {How} how @param {any} error */
export function answersOf(how, error) {
  const text = String(error.message || '');
  for (const [pattern, make] of QUESTIONS) {
    const found = pattern.exec(text);
    if (found) return make(found, how, text);
  }
  return [];
}
