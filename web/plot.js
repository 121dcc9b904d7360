// SPDX-License-Identifier: Apache-2.0
// The course of a run: cost and proven bound over time as steps, the gap between them shaded.
import { s } from './dom.js';
import { grouped } from './shared/data.js';
import { T } from './texts.js';

const WIDE = 420,
  HIGH = 180,
  LEFT = 64,
  RIGHT = 12,
  TOP = 26,
  FOOT = 26;

/** Three or four round numbers between two. @param {number} low @param {number} high */
export function ticks(low, high) {
  const span = high - low || Math.abs(high) || 1,
    rough = span / 3,
    power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find(k => k * power >= rough) || 10),
    out = [];
  for (let x = Math.ceil(low / step) * step; x <= high + step / 1000; x += step) out.push(Number(x.toPrecision(12)));
  return out;
}

/** 1, 2 and 5 times powers of ten, or the powers alone where these are many. @param {number} low @param {number} high */
function decades(low, high) {
  const out = [],
    steps = high / low > 1000 ? [1] : [1, 2, 5];
  for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10)
    for (const step of steps) if (step * power >= low && step * power <= high) out.push(step * power);
  return out;
}

/** @param {number} x */
const short = x => (Math.abs(x) >= 1e6 ? (x / 1e6).toPrecision(3) + ' M' : grouped(String(Number(x.toPrecision(5)))));

/** @param {number[][]} points @param {(x: number) => number} x @param {(y: number) => number} y @param {number} end */
function steps(points, x, y, end) {
  let d = '';
  points.forEach(([t, v], k) => {
    d += (k ? `H${x(t).toFixed(1)}V` : `M${x(t).toFixed(1)} `) + y(v).toFixed(1);
  });
  return d + `H${x(end).toFixed(1)}`;
}

/** Which line is which, in the corner where both are never. @param {boolean} cost @param {boolean} bound */
function key(cost, bound) {
  const wide = (/** @type {string} */ name) => 30 + 6.2 * name.length, // about, of small letters
    second = WIDE - RIGHT - wide(T.plot.bound),
    first = (bound ? second : WIDE - RIGHT) - wide(T.plot.cost) - 8,
    line = (/** @type {string} */ cls, /** @type {string} */ name, /** @type {number} */ x) => [
      s('line', { class: cls, x1: x, x2: x + 18, y1: 12, y2: 12 }),
      s('text', { class: 'plot-text', x: x + 23, y: 16 }, name),
    ];
  return [cost ? line('plot-cost', T.plot.cost, first) : [], bound ? line('plot-bound', T.plot.bound, second) : []];
}

/** @param {[number, number|null, number|null][]} history @param {number} seconds */
export function coursePlot(history, seconds) {
  const known = (/** @type {number} */ k) =>
    history.filter(p => p[k] !== null && Number.isFinite(Number(p[k]))).map(p => [p[0], Number(p[k])]);
  const cost = known(1),
    bound = known(2),
    all = [...cost, ...bound].map(p => p[1]);
  if (!all.length)
    return s(
      'svg',
      { class: 'plot', viewBox: `0 0 ${WIDE} ${HIGH}`, role: 'img', 'aria-label': T.plot.none, 'data-test': 'plot' },
      s('text', { class: 'plot-text', x: WIDE / 2, y: HIGH / 2, 'text-anchor': 'middle' }, T.plot.none),
    );
  const end = Math.max(seconds, history[history.length - 1][0], 0.001),
    low = Math.min(...all),
    high = Math.max(...all);
  const logs = low > 0 && high > 8 * low,
    scaled = (/** @type {number} */ v) => (logs ? Math.log10(v) : v); // the first solutions may be far off
  const room = (scaled(high) - scaled(low) || Math.abs(scaled(high)) || 1) * 0.08,
    from = scaled(low) - room,
    to = scaled(high) + room;
  const x = (/** @type {number} */ t) => LEFT + (t / end) * (WIDE - LEFT - RIGHT),
    y = (/** @type {number} */ v) => HIGH - FOOT - ((scaled(v) - from) / (to - from)) * (HIGH - FOOT - TOP);
  const label = T.plot.label(
    short(cost.length ? cost[cost.length - 1][1] : NaN),
    short(bound.length ? bound[bound.length - 1][1] : NaN),
  );
  return s(
    'svg',
    { class: 'plot', viewBox: `0 0 ${WIDE} ${HIGH}`, role: 'img', 'aria-label': label, 'data-test': 'plot' },
    s('title', null, label),
    (logs ? decades(low, high) : ticks(from, to)).map(v => [
      s('line', { class: 'plot-line', x1: LEFT, x2: WIDE - RIGHT, y1: y(v), y2: y(v) }),
      s('text', { class: 'plot-text', x: LEFT - 6, y: y(v) + 4, 'text-anchor': 'end' }, short(v)),
    ]),
    ticks(0, end).map(t =>
      s('text', { class: 'plot-text', x: x(t), y: HIGH - 8, 'text-anchor': 'middle' }, short(t) + ' s'),
    ),
    cost.length && bound.length
      ? s('rect', {
          class: 'plot-gap',
          x: x(end) - 4,
          y: y(cost[cost.length - 1][1]),
          width: 4,
          height: Math.max(0, y(bound[bound.length - 1][1]) - y(cost[cost.length - 1][1])),
        })
      : [],
    bound.length ? s('path', { class: 'plot-bound', d: steps(bound, x, y, end) }) : [],
    cost.length ? s('path', { class: 'plot-cost', d: steps(cost, x, y, end) }) : [],
    key(cost.length > 0, bound.length > 0),
  );
}
