// SPDX-License-Identifier: Apache-2.0
// Cells by words and by what they are: sensitive, withheld, the widest, exposed, differing. Found
// cells are listed, and the others fade in the grid.
import { h, later, select } from './dom.js';
import { makeListView } from './list_view.js';
import { grouped } from './shared/data.js';
import { T } from './texts.js';

/** "12.5", "∞", "-∞" as numbers. @param {string} text */
export const numberOf = text =>
  text === '∞' || text === 'inf' ? Infinity : text === '-∞' || text === '-inf' ? -Infinity : Number(text);

/** Width of what the best placed reader can infer; -1 where nothing is said. @param {any} view @param {number} c */
export function widthOf(view, c) {
  const finding = view.findings.of.get(c),
    range = view.ranges.get(c);
  if (finding) return Math.min(...finding.lines.map((/** @type {any} */ l) => numberOf(l.high) - numberOf(l.low)));
  return range ? numberOf(range[2]) - numberOf(range[1]) : -1;
}

/** @type {Record<string, (view: any, c: number, store: any) => boolean>} */
const FILTERS = {
  all: () => true,
  sensitive: (view, c) => view.data.office && view.data.raw.status[c] === 'p',
  withheld: (view, c) => view.data.state(c) === 'w',
  changed: (view, c) => view.data.state(c) !== 'e',
  widest: (view, c) => widthOf(view, c) >= 0,
  exposed: (view, c) => {
    const f = view.findings.of.get(c);
    return !!f && f.verdict !== 'protected' && f.verdict !== 'unasked';
  },
  published: (view, c) => view.data.office && view.data.raw.status[c] === 'z',
  differing: (view, c, store) => !!store.comparison && store.comparison.set.has(c),
};

/** Every word must be in a code of the cell, or in its number. @param {any} data @param {string} text */
function wordTest(data, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = words.map(word =>
    data.dims.map((/** @type {any} */ m) =>
      m.codes.map((/** @type {string} */ code) => code.toLowerCase().includes(word)),
    ),
  );
  return (/** @type {number} */ c) =>
    words.every((word, w) => {
      for (let d = 0; d < data.nd; ++d) if (hits[w][d][data.code(c, d)]) return true;
      return data.nd ? data.office && data.value(c) === word : String(c) === word;
    });
}

/** @param {any} view @param {string} filter @param {string} text @param {any} store @returns {number[]} */
export function findCells(view, filter, text, store) {
  const out = [],
    test = FILTERS[filter],
    words = text.trim() ? wordTest(view.data, text) : null;
  for (let c = 0; c < view.data.cells; ++c) if (test(view, c, store) && (!words || words(c))) out.push(c);
  if (filter === 'widest') {
    const width = new Map(out.map(c => [c, widthOf(view, c)]));
    out.sort((a, b) => (width.get(b) || 0) - (width.get(a) || 0));
  }
  return out;
}

/** @param {{ store: any, onChoose: (cell: number) => void, onFound: (cells: Set<number>|null) => void }} how */
export function makeFinder({ store, onChoose, onFound }) {
  /** @type {number[]} */
  let found = [];
  let at = -1;
  /** @type {any} */
  let view = null;
  const find = h('input', {
    type: 'search',
    'data-test': 'find',
    placeholder: T.table.find,
    'aria-label': T.table.find,
  });
  const filter = select(
    { 'data-test': 'filter', 'aria-label': T.table.filter },
    Object.entries(T.filters),
    'sensitive',
  );
  const count = h('span', { class: 'soft', role: 'status' }),
    box = h('div', { class: 'found', 'data-test': 'found', tabIndex: 0, role: 'listbox', 'aria-label': T.table.found });
  const back = h(
    'button',
    {
      type: 'button',
      class: 'small',
      'data-test': 'previous',
      title: T.table.previous,
      'aria-label': T.table.previous,
      onclick: () => step(-1),
    },
    '↑',
  );
  const next = h(
    'button',
    {
      type: 'button',
      class: 'small',
      'data-test': 'next',
      title: T.table.next,
      'aria-label': T.table.next,
      onclick: () => step(1),
    },
    '↓',
  );

  /** @param {number} k */
  function row(k) {
    const c = found[k],
      { data, findings } = view,
      finding = findings.of.get(c),
      width = filter.value === 'widest' ? widthOf(view, c) : -1;
    const verdict = finding && finding.verdict !== 'protected' && finding.verdict !== 'unasked' ? finding.verdict : '';
    return h(
      'button',
      {
        type: 'button',
        class: 'hit ' + verdict,
        tabIndex: -1,
        role: 'option',
        'data-test': 'hit:' + c,
        'aria-selected': k === at,
        title: data.label(c, true),
        onclick: () => go(k),
      },
      h('span', { class: 'name' }, data.label(c)),
      h(
        'span',
        { class: 'number' },
        width >= 0
          ? T.table.wide(grouped(String(width)))
          : data.office
            ? grouped(data.value(c))
            : grouped(data.text[c]),
      ),
    );
  }
  const list = makeListView({ box, row });
  /** @param {number} k */
  function go(k) {
    at = k;
    list.reveal(k);
    onChoose(found[k]);
  }
  /** @param {number} by */
  function step(by) {
    if (found.length) go(Math.max(0, Math.min(found.length - 1, at + by)));
  }
  function run() {
    if (!store.view) return;
    view = store.view;
    found = findCells(view, filter.value, find.value, store);
    at = -1;
    count.textContent = T.table.count(grouped(String(found.length)));
    onFound(find.value.trim() || !['all', 'sensitive', 'changed'].includes(filter.value) ? new Set(found) : null);
    list.setCount(found.length);
  }
  find.oninput = later(run, 200);
  filter.onchange = run;
  box.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (by) {
      event.preventDefault();
      step(by);
    }
  });
  const element = h(
    'aside',
    { class: 'finder', 'aria-label': T.table.found },
    h(
      'div',
      { class: 'finder-top' },
      find,
      filter,
      h('div', { class: 'row' }, count, h('span', { class: 'grow' }), back, next),
    ),
    box,
  );
  return {
    element,
    run,
    step,
    filter: () => filter.value,
    focus: () => find.focus(),
    setFilter: (/** @type {string} */ name) => {
      filter.value = name;
      find.value = '';
      run();
    },
  };
}
