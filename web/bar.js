// SPDX-License-Identifier: Apache-2.0
// An attacker's interval as a bar: what can be inferred, against what must stay open, and the value.
import { s } from './dom.js';
import { grouped } from './shared/data.js';
import { numberOf } from './finder.js';
import { T } from './texts.js';

const NEAR = 110; // two numbers beside each other
const WIDE = 320,
  HIGH = 46,
  MARGIN = 8;

/** @typedef {{ low: string, high: string, need_low: string|null, need_high: string|null, verdict: string|null, attacker: string }} Finding */

/** From the numbers to places on the bar; ends without end run to its edges. @param {number[]} ends */
function makeScale(ends) {
  const finite = ends.filter(Number.isFinite);
  const low = Math.min(...finite),
    high = Math.max(...finite),
    room = (high - low || Math.abs(high) || 1) * 0.12;
  const from = low - room,
    to = high + room;
  return (/** @type {number} */ x) =>
    x === -Infinity ? 0 : x === Infinity ? WIDE : MARGIN + ((x - from) / (to - from)) * (WIDE - 2 * MARGIN);
}

/** @param {Finding} finding @param {string} value */
export function intervalBar(finding, value) {
  const low = numberOf(finding.low),
    high = numberOf(finding.high),
    truth = numberOf(value);
  const needed = finding.need_low !== null && finding.need_low !== undefined;
  const needLow = needed ? numberOf(String(finding.need_low)) : truth,
    needHigh = needed ? numberOf(String(finding.need_high)) : truth;
  const x = makeScale([low, high, truth, needLow, needHigh]);
  const label = T.pane.barLabel(finding, grouped(value));
  return s(
    'svg',
    {
      class: 'bar ' + (finding.verdict || ''),
      viewBox: `0 0 ${WIDE} ${HIGH}`,
      role: 'img',
      'aria-label': label,
      'data-test': 'interval',
    },
    s('title', null, label),
    s('line', { class: 'bar-axis', x1: 0, x2: WIDE, y1: 18, y2: 18 }),
    s('rect', { class: 'bar-found', x: x(low), y: 10, width: Math.max(2, x(high) - x(low)), height: 16, rx: 2 }),
    needed
      ? s('rect', { class: 'bar-need', x: x(needLow), y: 15, width: Math.max(2, x(needHigh) - x(needLow)), height: 6 })
      : [],
    s('line', { class: 'bar-value', x1: x(truth), x2: x(truth), y1: 6, y2: 30 }),
    endTexts(x(low), x(high), finding),
  );
}

/** The numbers below the ends of the interval; side by side where it is short, one where it is a point.
 * @param {number} low @param {number} high @param {Finding} finding */
function endTexts(low, high, finding) {
  const text = (/** @type {number} */ x, /** @type {string} */ said, /** @type {string} */ anchor) =>
    s('text', { class: 'bar-end', x: Math.max(2, Math.min(WIDE - 2, x)), y: 42, 'text-anchor': anchor }, grouped(said));
  if (finding.low === finding.high) return text(low, finding.low, 'middle');
  const roomy = high - low > NEAR;
  return [
    text(low, finding.low, low < NEAR || roomy ? 'start' : 'end'),
    text(high, finding.high, high > WIDE - NEAR || roomy ? 'end' : 'start'),
  ];
}
