// SPDX-License-Identifier: Apache-2.0
// Errors in the words of the page. The program speaks of options and keys of a job; here the
// controls stand that set them, and a sentence names the control and says which it is. Sums that do
// not hold are a list.
import { T } from './texts.js';

/** A sum that does not hold: where it stands, which it is, by how much.
 * @typedef {{ place: string, line: number, text: string }} BrokenSum */
/** control: key of a control of the form ("input.sheet", "columns.value", "dimension.region.total").
 * @typedef {{ text: string, control: string, sums: BrokenSum[], more: number, off: string }} Plain */

/** Options and keys that stand for the same control. @type {Record<string, string>} */
const CONTROLS = {
  value: 'columns.value',
  status: 'columns.status',
  frequency: 'columns.frequency',
  largest: 'columns.largest',
  totals: 'input.totals',
  round_totals: 'input.round_totals',
  wide: 'input.wide',
  only: 'input.only',
  means: 'input.means',
  sheet: 'input.sheet',
  skip: 'input.skip',
  rows: 'input.rows',
  header: 'input.header',
  separator: 'input.separator',
  encoding: 'input.encoding',
  decimal_mark: 'input.decimal_mark',
  thousands: 'input.thousands',
  decimals: 'input.decimals',
  round: 'input.round',
  negative: 'input.negative',
  empty_value: 'input.empty_value',
  missing_respondent: 'columns.missing_respondent',
  respondents: 'attackers.respondents',
  reach: 'attackers.reach',
  table: 'input.kind',
  records: 'input.kind',
};

/** @param {string} key */
const nameOf = key => {
  const [, column, last] = /^dimension\.(.*)\.(\w+)$/.exec(key) || [];
  if (column) return T.plain.totalOf(column);
  return T.plain.controls[key] || last || key;
};

/** The control that a piece of a message names. @param {string} name @param {string} value */
function controlOf(name, value) {
  const key = name.replaceAll('-', '_');
  if (key === 'total') {
    const column = value.replace(/=.*$/, '').trim();
    return column ? `dimension.${column}.total` : 'dimension';
  }
  return CONTROLS[key] || '';
}

// "--value COLUMN", "round = true in [input]", "value in [columns]", "name it in a job ([input])".
const OPTION = /--([a-z][a-z-]*)(?:[ =]("[^"]*"|[^\s,;:)]+))?/g,
  SETTING = /\b([a-z_]+) = ("[^"]*"|\[[^\]]*\]|[^\s,;:)]+)(?: in \[+[a-z_]+\]+)?/g,
  KEY = /\b([a-z_]+) in \[+([a-z_]+)\]+/g,
  IN_JOB = / (?:in a job )?\(\[+([a-z_]+)\]+(?: with ([a-z_]+))?\)/g;

/** @param {string} message @returns {{ text: string, control: string }} */
function renamed(message) {
  let control = '';
  const told = (/** @type {string} */ name, /** @type {string} */ value, /** @type {string} */ otherwise) => {
    const key = controlOf(name, value);
    if (!key) return otherwise;
    control = control || key;
    return '“' + nameOf(key) + '”';
  };
  const text = message
    .replace(/--total (.+?)=CODE/g, (all, column) => told('total', column + '=CODE', all))
    .replace(IN_JOB, (all, section, key) => (key ? ' (' + told(key, '', key) + ')' : ''))
    .replace(OPTION, (all, name, value) => told(name, value || '', all))
    .replace(SETTING, (all, name, value) => told(name, value, all))
    .replace(KEY, (all, name) => told(name, '', all))
    .replace(/; a job can give a hierarchy/, '')
    .replace(/say (“[^”]*”) or "drop" in \[input\]/, (all, name) => T.plain.choose + ' ' + name)
    .replace(/lacuna inspect [^;.]*/, '')
    .replace(/^\[+\w+\]+ needs /, T.plain.needs + ' ')
    .replace(/\bname (decimal_mark and thousands|it|them|one)\b[,: ]*/g, T.plain.choose + ' ')
    .replace(/decimal_mark and thousands/, '“' + nameOf('input.decimal_mark') + '”');
  return { text, control };
}

/** @param {string} line @returns {BrokenSum} */
function sumOf(line) {
  const [, place, text] = /^\s*(.*?:\d+(?::\d+)?|[^:]*): (.*)$/.exec(line) || [, '', line.trim()];
  return { place, line: Number((/:(\d+)(?::\d+)?$/.exec(place) || [])[1] || 0), text };
}

/** @param {any} error @returns {Plain} */
export function plainError(error) {
  const [head, ...lines] = String(error.message || error).split('\n'),
    more = lines.map(line => /^\s*and (\d+) more$/.exec(line)).find(Boolean);
  const sums = error.code === 'not-additive' || /^the table is not additive/.test(head);
  const { text, control } = renamed(sums ? head.split(';')[0] : head);
  return {
    text: sums ? text : [text, ...lines].join('\n'),
    control: sums ? 'input.totals' : control || pathControl(error.path),
    sums: sums ? lines.filter(line => !/^\s*and \d+ more$/.test(line)).map(sumOf) : [],
    more: more ? Number(more[1]) : 0,
    off: (/round_totals = ([\d.]+)/.exec(head) || [])[1] || '',
  };
}

/** @param {string} [path] */
const pathControl = path => (path && /^(input|columns|attackers|levels)\./.test(path) ? path : '');
export const controlName = nameOf;
