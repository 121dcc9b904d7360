// SPDX-License-Identifier: Apache-2.0
// The numbers of a row as a small line beside its name: from its least to its largest, and a gap
// where a number is not shown. Rows are not comparable by it; that is what the shade is for.
import { s } from './dom.js';

export const SPARK = 104; // pixels, with the space around
const WIDE = 88,
  HIGH = 18,
  MOST = 240; // points of a line

/** What the line shows of a cell: the number that the grid shows, NaN where it shows none. @param {any} data @param {number} c @param {boolean} published */
function numberOf(data, c, published) {
  if (c < 0) return NaN;
  if (!published) return Number(data.value(c));
  const state = data.state(c);
  if (state === 'w' || state === 'i') return NaN;
  const text = String(data.text[c]).split(' [')[0];
  return text === '' ? NaN : Number(text);
}

/** A path over the points that have a number; one that stands alone is a dot. @param {number[]} numbers */
export function pathOf(numbers) {
  const known = numbers.filter(Number.isFinite);
  if (known.length < 2) return '';
  const least = Math.min(...known),
    span = Math.max(...known) - least || 1,
    step = WIDE / Math.max(1, numbers.length - 1);
  const isThere = (/** @type {number} */ k) => k >= 0 && k < numbers.length && Number.isFinite(numbers[k]);
  return numbers
    .map((x, k) => {
      if (!isThere(k)) return '';
      const at = (k * step).toFixed(1) + ' ' + (HIGH - 2 - ((x - least) / span) * (HIGH - 4)).toFixed(1);
      return isThere(k - 1) ? 'L' + at : 'M' + at + (isThere(k + 1) ? '' : 'h.1');
    })
    .join('');
}

/** @param {any} data @param {number[]} cells of a row @param {boolean} published */
export function sparkline(data, cells, published) {
  const every = Math.max(1, Math.ceil(cells.length / MOST));
  const path = pathOf(cells.filter((_, k) => k % every === 0).map(c => numberOf(data, c, published)));
  return path ? s('svg', { class: 'spark', width: WIDE, height: HIGH, viewBox: `0 0 ${WIDE} ${HIGH}` }, s('path', { d: path })) : null;
}
