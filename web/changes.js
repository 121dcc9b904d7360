// SPDX-License-Identifier: Apache-2.0
// What changed between two tables of the same shape, such as two months, as they are or as a run
// releases them: cells by their codes, with both numbers and what is published of each.
import * as api from './api.js';
import { h, plainTable, refill, select } from './dom.js';
import { figure, inPercent } from './protect.js';
import { grouped, makeData } from './shared/data.js';
import { runName } from './shell.js';
import { hasRelease } from './store.js';
import { T } from './texts.js';

const MOST = 200;

/** One side: a table as it is, or as a run releases it.
 * @typedef {{ key: string, name: string, document: number, run: any }} Side */
/** then, now: numbers of cells, -1 where the table has no such cell.
 * @typedef {{ then: number, now: number, difference: number|null, share: number|null }} Pair */

/** The cells of two tables by their codes. Dimensions are matched by name, wherever they stand.
 * @param {any} then @param {any} now @returns {{ pairs: Pair[], missing: string[] }} */
export function pairsOf(then, now) {
  const names = (/** @type {any} */ data) => data.dims.map((/** @type {any} */ m) => m.name);
  const missing = [
    ...names(now).filter((/** @type {string} */ name) => !names(then).includes(name)),
    ...names(then).filter((/** @type {string} */ name) => !names(now).includes(name)),
  ];
  if (missing.length || !now.nd) return { pairs: [], missing };
  const order = names(now).map((/** @type {string} */ name) => names(then).indexOf(name));
  const places = order.map(
    (/** @type {number} */ d) => new Map(then.dims[d].codes.map((/** @type {string} */ c, /** @type {number} */ k) => [c, k])),
  );
  const seen = new Uint8Array(then.cells),
    wanted = new Array(now.nd);
  /** @type {Pair[]} */
  const pairs = [];
  for (let c = 0; c < now.cells; ++c) {
    let known = true;
    for (let d = 0; d < now.nd; ++d) {
      const place = places[d].get(now.dims[d].codes[now.code(c, d)]);
      known = known && place !== undefined;
      wanted[order[d]] = place;
    }
    const other = known ? then.find(wanted) : -1;
    if (other >= 0) seen[other] = 1;
    pairs.push(pairOf(then, now, other, c));
  }
  for (let c = 0; c < then.cells; ++c) if (!seen[c]) pairs.push(pairOf(then, now, c, -1));
  return { pairs, missing };
}

/** @param {any} then @param {any} now @param {number} a @param {number} b @returns {Pair} */
function pairOf(then, now, a, b) {
  const before = a < 0 ? NaN : Number(then.value(a)),
    after = b < 0 ? NaN : Number(now.value(b));
  const difference = after - before;
  return {
    then: a,
    now: b,
    difference: Number.isFinite(difference) ? difference : null,
    share: Number.isFinite(difference) && before !== 0 ? difference / Math.abs(before) : null,
  };
}

/** @param {any} data @param {number} c */
const isOpen = (data, c) => c >= 0 && data.state(c) === 'e';

/** Which pairs are listed. @type {Record<string, (pair: Pair, then: any, now: any) => boolean>} */
export const CHANGED = {
  changed: pair => pair.difference !== 0,
  hidden: (pair, then, now) => isOpen(then, pair.then) && pair.now >= 0 && !isOpen(now, pair.now),
  opened: (pair, then, now) => pair.then >= 0 && !isOpen(then, pair.then) && isOpen(now, pair.now),
  added: pair => pair.then < 0,
  gone: pair => pair.now < 0,
};

/** The largest change first; those that are new or gone at the end. @param {Pair[]} pairs */
const sorted = pairs => pairs.sort((a, b) => Math.abs(b.difference ?? -1) - Math.abs(a.difference ?? -1));

/** @param {number|null} x */
const signed = x => (x === null ? '' : (x > 0 ? '+' : x < 0 ? '−' : '') + figure(Math.abs(x)));
/** @param {number|null} x */
const signedShare = x => (x === null ? '' : (x > 0 ? '+' : x < 0 ? '−' : '') + inPercent(Math.abs(x), 1));

/** What is published of a cell, or how it is not. @param {any} data @param {number} c @param {boolean} released */
const shown = (data, c, released) =>
  c < 0 ? '' : !released ? '' : data.state(c) === 'e' ? '' : T.words.states[data.state(c)] || data.state(c);

/** @param {any} store */
export function makeChanges(store) {
  /** @type {Side[]} */
  let sides = [];
  let kind = 'changed';
  let asked = 0;
  /** @type {any} */
  let told = null;
  const from = h('select', { 'data-test': 'changes-from', 'aria-label': T.changes.from }),
    to = h('select', { 'data-test': 'changes-to', 'aria-label': T.changes.to }),
    out = h('div', { 'data-test': 'changes-table' });
  const kinds = select(
    { 'data-test': 'changes-kind', 'aria-label': T.changes.kind },
    Object.keys(CHANGED).map(key => /** @type {[string, string]} */ ([key, T.changes.kinds[key]])),
    kind,
  );
  kinds.onchange = () => {
    kind = kinds.value;
    draw();
  };
  const element = h(
    'section',
    { class: 'block', hidden: true, 'data-test': 'changes-block' },
    h('h2', null, T.changes.title),
    h('p', { class: 'soft' }, T.changes.text),
    h('div', { class: 'row wrap' }, h('label', { class: 'switch' }, T.changes.from, ' ', from), h('label', { class: 'switch' }, T.changes.to, ' ', to)),
    out,
  );
  /** @param {Side} side */
  const fetched = async side =>
    makeData(await api.get(side.run ? `runs/${side.run.id}/page` : `documents/${side.document}/page`));
  const sideOf = (/** @type {any} */ list) => sides.find(side => side.key === list.value);

  async function work() {
    const mine = ++asked,
      a = sideOf(from),
      b = sideOf(to);
    told = null;
    if (!a || !b || a.key === b.key) {
      refill(out);
      return;
    }
    refill(out, h('p', { class: 'soft' }, T.table.loading));
    const both = await store.attempt(async () => [await fetched(a), await fetched(b)]);
    if (!both || mine !== asked) return;
    const [then, now] = both;
    told = { a, b, then, now, ...pairsOf(then, now) };
    draw();
  }
  from.onchange = to.onchange = work;

  /** Highlights the cells that are listed, in the table that is open. */
  function highlight(/** @type {Pair[]} */ list) {
    const set = new Set(list.map(pair => pair.now).filter(c => c >= 0));
    store.attempt(async () => {
      if (!store.document || store.document.id !== told.b.document) await store.use(told.b.document);
      store.show(told.b.run ? store.runs.find((/** @type {any} */ r) => r.id === told.b.run.id) || null : null);
      store.comparison = { set };
      store.go('table');
      store.emit('filter', 'differing');
    });
  }
  /** @param {Pair} pair */
  function line(pair) {
    const { then, now, a, b } = told,
      data = pair.now >= 0 ? now : then,
      cell = pair.now >= 0 ? pair.now : pair.then;
    const number = (/** @type {any} */ of, /** @type {number} */ c, /** @type {Side} */ side) =>
      h('td', { class: 'number' }, c < 0 ? '–' : grouped(of.value(c)), h('span', { class: 'soft' }, shown(of, c, !!side.run) && ' ' + shown(of, c, !!side.run)));
    return [
      h('th', { scope: 'row' }, h('bdi', null, data.label(cell))),
      number(then, pair.then, a),
      number(now, pair.now, b),
      h('td', { class: 'number' }, signed(pair.difference)),
      h('td', { class: 'number' }, signedShare(pair.share)),
    ];
  }
  function draw() {
    if (!told) return;
    const { pairs, missing, then, now } = told;
    if (missing.length || !now.nd) {
      refill(out, h('p', { class: 'bad' }, missing.length ? T.changes.otherShape(missing) : T.changes.noCodes));
      return;
    }
    const counts = Object.fromEntries(
      Object.entries(CHANGED).map(([key, test]) => [key, pairs.filter((/** @type {Pair} */ pair) => test(pair, then, now)).length]),
    );
    const list = sorted(pairs.filter((/** @type {Pair} */ pair) => CHANGED[kind](pair, then, now)));
    const heads = [T.compare.cell, told.a.name, told.b.name, T.changes.difference, '%'].map((name, k) => h('th', { class: k ? 'number' : '' }, name));
    refill(
      out,
      h('p', { 'data-test': 'changes-counts' }, T.changes.counts(counts, pairs.length, (/** @type {number} */ n) => grouped(String(n)))),
      h(
        'div',
        { class: 'row wrap' },
        h('label', { class: 'switch' }, T.changes.kind, ' ', kinds),
        h('span', { class: 'grow' }),
        list.some((/** @type {Pair} */ pair) => pair.now >= 0)
          ? h('button', { type: 'button', 'data-test': 'changes-show', onclick: () => highlight(list) }, T.compare.show)
          : [],
      ),
      list.length ? h('div', { class: 'scroll short', tabIndex: 0, role: 'region', 'aria-label': T.changes.title }, plainTable(heads, list.slice(0, MOST).map(line))) : [],
      list.length > MOST ? h('p', { class: 'soft' }, T.pane.more(list.length - MOST)) : [],
      h('p', { class: 'soft' }, T.changes.warning),
      h('button', { type: 'button', class: 'small', 'data-test': 'changes-periods', onclick: () => store.go('rules') }, T.changes.toPeriods),
    );
  }
  /** @param {any} list @param {string} otherwise */
  function fill(list, otherwise) {
    const had = list.value;
    refill(list, h('option', { value: '' }, T.changes.pick), sides.map(side => h('option', { value: side.key }, side.name)));
    list.value = sides.some(side => side.key === had) ? had : otherwise;
  }
  async function update() {
    const runs = (await store.attempt(() => api.get('runs'))) || [];
    sides = store.documents
      .filter((/** @type {any} */ d) => d.cells !== undefined)
      .flatMap((/** @type {any} */ d) => [
        { key: 'd' + d.id, name: `${d.id} · ${d.name}`, document: d.id, run: null },
        ...runs
          .filter((/** @type {any} */ r) => r.document === d.id && hasRelease(r) && r.command === 'protect')
          .map((/** @type {any} */ r) => ({ key: 'r' + r.id, name: `${d.id} · ${d.name}, ${runName(r)}`, document: d.id, run: r })),
      ]);
    element.hidden = sides.length < 2;
    const own = store.run ? 'r' + store.run.id : store.document ? 'd' + store.document.id : '';
    const before = [from.value, to.value].join();
    fill(from, '');
    fill(to, own);
    if (before !== [from.value, to.value].join()) work();
  }
  return { element, update };
}
