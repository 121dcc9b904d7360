// SPDX-License-Identifier: Apache-2.0
// Printed numbers and signs as a reader of a published table takes them, and where they stand in a text.
import { compare, parseQuotient, quotient } from './quotient.js';

/** @typedef {import('./quotient.js').Quotient} Quotient */

const NUMBER = "\\d[\\d.,'\\s\\u00a0\\u202f]*?(?:e[-+]?\\d+)?";
const PRINTED = new RegExp(`^(?:[a-z]{1,3}\\s+)?([-+\u2212]?)(${NUMBER})\\s*[\\[(]?[a-z*, ]{0,6}[\\])]?$`, 'i');

/** What a printed number may be by its marks, without a flag around it. @param {string} text @returns {Quotient[]} */
export function readings(text) {
  const match = PRINTED.exec(text.trim());
  if (!match) return [];
  const digits = match[2].replace(/[\s\u00a0\u202f']/g, '');
  /** @type {Quotient[]} */
  const found = [];
  for (const [mark, point] of [',.', '.,']) {
    // A mark has three digits behind it; of groups before may have two.
    const parts = new RegExp(
      `^(\\d+|\\d{1,3}(?:\\${mark}\\d{2,3})*\\${mark}\\d{3})(?:\\${point}(\\d*))?((?:e[-+]?\\d+)?)$`,
      'i'
    ).exec(digits);
    if (!parts) continue;
    const number = parseQuotient(parts[1].replaceAll(mark, '') + '.' + (parts[2] || '0') + parts[3]);
    found.push(match[1] === '-' || match[1] === '\u2212' ? quotient(-number.n, number.d) : number);
  }
  return found;
}

/** Patterns of ranges: what their ends are, and how far inside is the first whole number.
 * @type {[string, number | null, number | null][]} */
const RANGES = [
  ['(?:<=|=<|\u2264|at most |up to )\\s*(N)', null, 0],
  ['(?:<|less than |fewer than |under |below )\\s*(N)', null, -1],
  ['(?:>=|=>|\u2265|at least )\\s*(N)', 0, null],
  ['(?:>|more than |over )\\s*(N)', 1, null],
  ['(N) or (?:less|fewer)', null, 0],
  ['(N) (?:or more|and over)', 0, null],
  ['(N)\\s*(?: to |\u2013|\u2014|\\.\\.|-)\\s*(N)', 0, 0],
];

/** @typedef {{lower: Quotient | null, upper: Quotient | null, below: bigint, above: bigint}} PrintedRange */

/** @param {string} text @returns {PrintedRange | null} nothing if it is no range */
export function rangeOf(text) {
  const least = (/** @type {string} */ group) =>
    readings(group).reduce((/** @type {Quotient | null} */ a, b) => (a && compare(a, b) <= 0 ? a : b), null);
  for (const [pattern, low, high] of RANGES) {
    const match = new RegExp('^' + pattern.replaceAll('N', NUMBER) + '$').exec(text.trim().toLowerCase());
    if (!match) continue;
    const ends = match.slice(1).map(least);
    return {
      lower: low === null ? null : ends[0],
      upper: high === null ? null : ends[ends.length - 1],
      below: BigInt(low || 0),
      above: BigInt(high || 0),
    };
  }
  return null;
}

/** The field that begins at a line and column of a text of separated values, both from 1.
 * @param {string[]} lines @param {number} line @param {number} column @returns {string | null} */
export function fieldAt(lines, line, column) {
  const text = (lines[line - 1] ?? '').replace(/\r$/, '');
  const rest = [...text].slice(column - 1).join('');
  const quoted = /^"((?:[^"]|"")*)/.exec(rest);
  if (quoted) return quoted[1].replaceAll('""', '"').trim();
  const before = [...text][column - 2] ?? '';
  const marks = [';', ',', '\t', '|'];
  const most = marks.reduce((a, b) => (text.split(b).length > text.split(a).length ? b : a));
  const separator = marks.includes(before) ? before : most;
  return rest.split(separator)[0].trim();
}
