// SPDX-License-Identifier: Apache-2.0
// What was inferred from published tables: the answer, how the tables were understood, where their
// numbers contradict each other, and every blank with its interval, the narrowest first.
import { grouped } from './shared/data.js';
import { h, plainTable, s } from './dom.js';
import { T } from './texts.js';
import { told } from './told.js';

const PARTS = 6; // of a sum, that are named
const SUMS = 30;
const CORRECTIONS = 20;
const LONG = 80; // characters of a sum

/** @param {any} end */
const endText = end => (end === null ? T.infer.noEnd : String(end));
/** Half the width in percent of the middle, where both ends have one sign. @param {any} cell */
function closeness(cell) {
  const low = Number(cell.lower),
    high = Number(cell.upper);
  if (cell.lower === null || cell.upper === null || Number.isNaN(low + high) || low * high < 0 || low + high === 0)
    return null;
  return Math.abs((high - low) / (high + low)) * 100;
}
/** @param {number} percent */
const percentText = percent =>
  '±' + grouped(percent >= 10 ? percent.toFixed(0) : percent >= 1 ? percent.toFixed(1) : percent.toPrecision(2)) + ' %';

/** @param {any} codes */
const codesText = codes => Object.values(codes).join(' · ');
/** The interval within 0 to its own end, so that narrow ones look narrow. @param {any} cell */
function bar(cell) {
  const low = Number(cell.lower),
    high = Number(cell.upper);
  if (closeness(cell) === null || low < 0) return [];
  const most = high || 1,
    x = (100 * low) / most;
  return s(
    'svg',
    { class: 'thin-bar', viewBox: '0 0 100 8', 'aria-hidden': 'true', preserveAspectRatio: 'none' },
    s('rect', { x: 0, y: 3, width: 100, height: 2, class: 'thin-ground' }),
    s('rect', { x: Math.min(x, 98), y: 0, width: Math.max(100 - x, 2), height: 8, class: 'thin-found ' + cell.narrowness }),
  );
}

/** @param {any} result */
function verdictCard(result) {
  const counted = result.cells.filter((/** @type {any} */ c) => c.sensitive).length;
  const word = !result.cells.length ? 'nothing' : result.too_narrow ? 'exposed' : 'unasked';
  return h(
    'div',
    { class: 'card verdict-card ' + (word === 'exposed' ? 'exposed' : ''), 'data-test': 'infer-verdict', 'data-word': word },
    h('p', { class: 'big' }, result.cells.length ? T.infer.headline(result.exact, counted) : T.infer.noBlank),
    result.narrow ? h('p', null, T.infer.narrow(result.narrow)) : [],
    result.unclear ? h('p', null, T.infer.unclear(result.unclear)) : [],
    h('p', { class: 'soft' }, word === 'exposed' ? T.infer.exposedText : T.infer.safeText),
  );
}

/** @param {any} result */
const figures = result =>
  h(
    'dl',
    { class: 'figures' },
    Object.entries(T.infer.figures).map(([key, name]) =>
      h('div', null, h('dt', null, name), h('dd', null, String(result[key]))),
    ),
  );

/** "Total = North + South" @param {any} sum */
function sumText(sum) {
  const { parts } = sum;
  const named =
    parts.length > PARTS
      ? [...parts.slice(0, PARTS / 2), '…', parts[parts.length - 1]].join(' + ') + ` (${T.infer.parts(parts.length)})`
      : parts.join(' + ');
  return `${sum.total} = ${named}`;
}

/** @param {any} job */
function understood(job) {
  const { result } = job;
  return h(
    'section',
    { class: 'block', 'data-test': 'infer-understood' },
    h('h2', null, T.infer.understood),
    figures(result),
    h('p', { class: 'soft' }, T.infer.understoodText),
    plainTable(
      [h('th', null, T.infer.dimension), h('th', null, T.infer.sums)],
      result.dimensions.map((/** @type {any} */ d) => [
        h('th', { scope: 'row' }, d.name),
        h(
          'td',
          null,
          d.sums.length
            ? d.sums.slice(0, SUMS).map((/** @type {any} */ sum) => h('div', { class: 'sum' }, sumText(sum)))
            : h('span', { class: 'soft' }, T.infer.noSums),
          d.sums.length > SUMS ? h('div', { class: 'soft' }, T.pane.more(d.sums.length - SUMS)) : [],
        ),
      ]),
    ),
    h('p', null, h('b', null, T.infer.reader + ' '), (job.known || '').replace(/^a reader knows: /, '')),
    [...new Set([...result.notes, ...job.notes])].map(note => h('p', { class: 'soft' }, told(note))),
  );
}

/** @param {any} result */
function contradictions(result) {
  if (!result.contradicted) return [];
  const rows = result.corrections.slice(0, CORRECTIONS);
  return h(
    'section',
    { class: 'block card verdict-card unasked', 'data-test': 'infer-contradicted' },
    h('h2', null, T.infer.contradicted),
    h('p', null, T.infer.contradictedText(result.corrections.length, result.least_correction)),
    h(
      'div',
      { class: 'scroll' },
      plainTable(
        T.infer.correctionHeads.map((/** @type {string} */ head, /** @type {number} */ k) =>
          h('th', { class: k ? 'number' : '' }, head),
        ),
        rows.map((/** @type {any} */ each) => [
          h('th', { scope: 'row' }, codesText(each.codes)),
          h('td', { class: 'number' }, each.published),
          h('td', { class: 'number' }, String(each.corrected)),
        ]),
      ),
    ),
    result.corrections.length > rows.length
      ? h('p', { class: 'soft' }, T.pane.more(result.corrections.length - rows.length))
      : [],
  );
}

/** The sum that shows an end; a long one is folded. @param {string} sign @param {string} sum */
function reason(sign, sum) {
  if (!sum) return [];
  if (sum.length <= LONG) return h('div', null, h('span', { class: 'soft' }, sign + ' '), sum);
  const more = /and (\d+) more$/.exec(sum),
    terms = sum.split(/ [+-] /).length + (more ? Number(more[1]) : 0);
  return h('details', null, h('summary', null, h('span', { class: 'soft' }, sign + ' '), T.infer.longSum(terms)), sum);
}

/** @param {any} cell */
function row(cell) {
  const close = closeness(cell),
    word = cell.narrowness === 'wide' ? '' : T.infer.narrowness[cell.narrowness];
  const both = cell.narrowness === 'exact' && cell.why_lower === cell.why_upper; // one sum shows both ends
  const why = both ? reason('=', cell.why_lower) : [reason('≥', cell.why_lower), reason('≤', cell.why_upper)];
  return h(
    'tr',
    { 'data-test': 'infer-cell', 'data-narrowness': cell.narrowness, class: cell.sensitive ? '' : 'soft' },
    h('th', { scope: 'row' }, codesText(cell.codes), cell.sign ? h('span', { class: 'sign soft' }, cell.sign) : []),
    h('td', { class: 'number interval' }, cell.narrowness === 'exact' ? h('b', null, endText(cell.lower)) : T.infer.interval(endText(cell.lower), endText(cell.upper))),
    h('td', { class: 'number close' }, close === null || cell.narrowness === 'exact' ? '' : percentText(close)),
    h('td', { class: 'bars' }, bar(cell)),
    h(
      'td',
      null,
      word ? h('span', { class: 'badge ' + cell.narrowness }, word) : [],
      cell.exact ? [] : h('span', { class: 'soft' }, T.infer.maybeNarrower),
      cell.real && (cell.real.lower !== cell.lower || cell.real.upper !== cell.upper)
        ? h('span', { class: 'soft' }, T.infer.asReal(endText(cell.real.lower), endText(cell.real.upper)))
        : [],
    ),
    h('td', { class: 'why' }, why),
  );
}

/** @param {any} result @param {number} shown @param {() => void} more */
function blanks(result, shown, more) {
  const { cells } = result;
  if (!cells.length) return [];
  return h(
    'section',
    { class: 'block' },
    h('h2', null, T.infer.blanks),
    h(
      'div',
      { class: 'scroll' },
      h(
        'table',
        { class: 'plain inferred', 'data-test': 'infer-cells' },
        h('thead', null, h('tr', null, T.infer.heads.map((/** @type {string} */ head, /** @type {number} */ k) => h('th', { class: k === 1 || k === 2 ? 'number' : '' }, head)))),
        h('tbody', null, cells.slice(0, shown).map(row)),
      ),
    ),
    cells.length > shown
      ? h('p', { class: 'row' }, h('span', { class: 'soft' }, T.infer.wider(cells.length - shown)), h('button', { type: 'button', 'data-test': 'infer-more', onclick: more }, T.infer.showMore))
      : [],
  );
}

/** @param {any} job @param {number} shown @param {() => void} more */
export const drawFindings = (job, shown, more) => [
  h('h2', null, job.names.join(', ')),
  verdictCard(job.result),
  contradictions(job.result),
  understood(job),
  blanks(job.result, shown, more),
];
