// SPDX-License-Identifier: Apache-2.0
// Table: the grid with its selectors between the list of found cells and the pane of the chosen one.
import { h, later } from './dom.js';
import { makeDecide } from './decide.js';
import { makeFinder } from './finder.js';
import { makePane } from './pane.js';
import { makeLookTools, shadesOf } from './look_tools.js';
import { makePanes } from './panes.js';
import { makePivot } from './pivot.js';
import { sparkline, SPARK } from './spark.js';
import { makeGrid } from './shared/grid.js';
import { words } from './shared/words.js';
import { T } from './texts.js';

/** Classes and sign of a cell beyond its state: status, audit, difference, shade. @param {any} store @param {any} view @param {() => Set<number>|null} found @param {() => string} filter @param {() => boolean} heat */
function makeLook(store, view, found, filter, heat) {
  const signs = /** @type {Record<string, string>} */ (words.signs);
  /** @type {Uint8Array|null} */
  let shades = null;
  return (/** @type {number} */ c) => {
    const { data, findings } = view,
      status = data.office ? data.raw.status[c] : 'f',
      finding = findings.of.get(c),
      hits = found();
    const bad = finding && finding.verdict !== 'protected' && finding.verdict !== 'unasked';
    const differs = store.comparison && filter() === 'differing' && store.comparison.set.has(c);
    return {
      classes:
        's-' +
        status +
        (bad ? ' ' + finding.verdict : '') +
        (differs ? ' differs' : '') +
        (heat() ? ' heat heat-' + (shades = shades || shadesOf(data))[c] : '') +
        (hits && !hits.has(c) ? ' faded' : ''),
      sign:
        (status === 'w' && data.state(c) === 'w' ? '' : signs[status] || '') + (bad ? '!' : '') + (differs ? '≠' : ''),
    };
  };
}

/** Only signs that the table has. @param {any} view */
function legendOf(view) {
  const { data, findings } = view,
    states = new Set(),
    statuses = new Set();
  for (let c = 0; c < data.cells; ++c) {
    states.add(data.state(c));
    statuses.add(data.office ? data.raw.status[c] : 'f');
  }
  const bad = findings.list.some((/** @type {any} */ f) => f.verdict !== 'protected' && f.verdict !== 'unasked');
  return T.legend
    .filter((/** @type {any} */ l) => (l.state ? states.has(l.state) : l.status ? statuses.has(l.status) : bad))
    .map((/** @type {any} */ l) => h('span', null, h('i', { class: l.classes }, l.sign), l.text));
}

/** The two sides of the pane. @param {any} pane @param {any} decide */
function paneTabs(pane, decide) {
  const names = [
    ['cell', pane],
    ['decide', decide],
  ];
  const tabs = names.map(([name]) =>
    h(
      'button',
      { type: 'button', role: 'tab', class: 'tab', 'data-test': 'tab-' + name, onclick: () => open(name) },
      T.pane.tabs[name],
    ),
  );
  /** @param {string} wanted */
  function open(wanted) {
    names.forEach(([name, part], k) => {
      part.element.hidden = name !== wanted;
      tabs[k].setAttribute('aria-selected', String(name === wanted));
    });
  }
  open('cell');
  return {
    element: h(
      'aside',
      { class: 'pane', 'data-test': 'pane', 'aria-label': T.pane.title },
      h('div', { class: 'tabs', role: 'tablist' }, tabs),
      pane.element,
      decide.element,
    ),
    open,
  };
}

/** @param {any} store */
export function makeTablePlace(store) {
  /** @type {any} */
  let grid = null;
  /** @type {any} */
  let drawnView = null;
  /** @type {any} */
  let lastView = null;
  let lastDocument = -1;
  /** @type {Set<number>|null} */
  let hits = null;
  const tools = h('div', { class: 'axes', 'data-test': 'axes' }),
    box = h('div', { id: 'grid', class: 'grid', tabIndex: 0, 'data-test': 'grid', 'aria-label': T.table.grid });
  const published = h('input', {
    type: 'checkbox',
    'data-test': 'published',
    onchange: () => {
      if (grid) grid.asPublished(published.checked);
      drawLegend();
    },
  });
  const legend = h('div', { class: 'legend', 'data-test': 'legend' }),
    note = h('p', { class: 'soft table-note' });
  const argus = h('select', {
    'data-test': 'argus-table',
    'aria-label': T.table.argusTable,
    onchange: () => store.showTable(Number(argus.value)),
  });
  const go = (/** @type {number} */ c) => {
    if (grid) grid.choose(c);
  };
  makePivot(tools);
  const look = makeLookTools({
    kept: () => store.kept.look,
    keep: chosen => store.keep({ look: chosen }),
    onChange: () => grid && grid.layout(),
  });
  const pane = makePane({ store, go }),
    decide = makeDecide(store),
    tabs = paneTabs(pane, decide);
  const finder = makeFinder({
    store,
    onChoose: go,
    onFound: set => {
      hits = set;
      if (grid) grid.layout();
    },
  });

  function drawLegend() {
    legend.replaceChildren(...(drawnView ? legendOf(drawnView) : []));
    legend.hidden = published.checked;
  }
  function drawArgus() {
    const tables = (store.run && store.run.tables) || [];
    argus.hidden = tables.length < 2;
    argus.replaceChildren(
      ...tables.map((/** @type {any} */ t, /** @type {number} */ k) =>
        h(
          'option',
          { value: k, disabled: t.released === false },
          t.name + (t.released === false ? ` (${T.table.notReleased})` : ''),
        ),
      ),
    );
    argus.value = String(store.argusTable);
  }
  const keep = later(() => {
    if (grid && lastView && store.document && store.document.id === lastDocument)
      store.keep({ document: lastDocument, cells: lastView.data.cells, view: grid.view() });
  }, 400);
  for (const event of ['scroll', 'click', 'keyup']) box.addEventListener(event, keep);
  tools.addEventListener('change', keep);
  /** @param {any} view */
  function build(view) {
    const kept = grid && lastDocument === store.document.id && sameAxes(lastView, view) ? grid.view() : null;
    if (grid) grid.destroy();
    hits = null;
    look.setTable(store.document.decimals ?? -1);
    grid = makeGrid({
      data: view.data,
      box,
      tools,
      look: makeLook(store, view, () => hits, finder.filter, look.heat),
      fill: true,
      aside: { name: T.look_tools.spark, width: SPARK, on: look.spark, draw: (cells, published) => sparkline(view.data, cells, published) },
      onChoose: c => store.choose(c),
      onSelect: cells => {
        store.marked = cells;
        decide.update();
      },
    });
    const before =
      store.kept.view && store.kept.document === store.document.id && store.kept.cells === view.data.cells
        ? store.kept.view
        : null;
    const marks = store.takeMarks(view);
    if (kept || before) grid.restore(marks ? { ...(kept || before), selected: marks.cell } : kept || before);
    if (marks) {
      if (!kept && marks.cell >= 0) grid.choose(marks.cell, true);
      grid.select(marks.marked);
      store.cell = marks.cell;
    } else if (!kept && before && before.selected >= 0) {
      store.marked = [before.selected];
      store.choose(before.selected);
    }
    if (published.checked) grid.asPublished(true);
    drawnView = lastView = view;
    lastDocument = store.document.id;
    box.dataset.cells = String(view.data.cells);
    drawLegend();
    finder.run();
    decide.update();
    pane.show();
  }
  async function show() {
    drawArgus();
    if (!store.document) return;
    if (store.document.kind === 'argus' && !store.run) {
      note.textContent = T.table.argusFirst;
      frame.hidden = true;
      return;
    }
    frame.hidden = false;
    if (store.view && store.view === drawnView) {
      if (grid) grid.redraw();
      return;
    }
    note.textContent = T.table.loading;
    delete box.dataset.cells;
    const view = await store.attempt(store.load);
    note.textContent = '';
    if (view && view !== drawnView) build(view);
  }
  const refresh = () => {
    if (store.place === 'table') show();
  };
  for (const event of ['run', 'changed']) store.on(event, refresh);
  store.on('run', () => {
    if (store.run) tabs.open('cell');
  });
  store.on('document', () => {
    drawnView = null;
  });
  store.on('cell', () => {
    pane.show();
  });
  store.on('comparison', () => {
    if (grid && store.view === drawnView) {
      finder.run();
      grid.layout();
    }
  });
  store.on('find', () => {
    panes.open('list');
    finder.focus();
  });
  store.on('step', finder.step);
  store.on('decide', () => {
    panes.open('pane');
    tabs.open('decide');
    decide.element.querySelector('select')?.focus();
  });
  store.on('toggle-published', () => {
    published.checked = !published.checked;
    published.onchange();
  });
  store.on('filter', (/** @type {string} */ name) => finder.setFilter(name));
  store.on('goto', async (/** @type {number} */ c) => {
    store.go('table');
    await show();
    tabs.open('cell');
    go(c);
    box.focus();
  });

  const frame = h('div', { class: 'frame' });
  const panes = makePanes({
    frame,
    kept: () => store.kept.panes,
    keep: layout => store.keep({ panes: layout }),
    onChange: () => grid && grid.layout(),
  });
  const more = h(
    'details',
    { class: 'look-tools', 'data-test': 'look-tools' },
    h('summary', null, T.look_tools.title),
    h('div', { class: 'row wrap' }, look.element, panes.element),
  );
  frame.append(
    finder.element,
    panes.edge('listWidth', T.panes.listWidth, () => finder.element),
    h(
      'div',
      { class: 'middle' },
      h('div', { class: 'toolbar' }, argus, tools, more, h('label', { class: 'switch' }, published, T.table.published)),
      box,
      legend,
    ),
    panes.edge('paneWidth', T.panes.paneWidth, () => tabs.element),
    tabs.element,
  );
  panes.apply();
  const element = h(
    'section',
    { class: 'place table', 'data-test': 'here-table', 'aria-label': T.places.table },
    h('h1', { class: 'unseen' }, T.places.table),
    note,
    frame,
  );
  return { element, show };
}

/** Whether the view of one table can be kept for another. @param {any} one @param {any} other */
function sameAxes(one, other) {
  return (
    one &&
    one.data.cells === other.data.cells &&
    one.data.nd === other.data.nd &&
    one.data.dims.every(
      (/** @type {any} */ m, /** @type {number} */ d) => m.codes.length === other.data.dims[d].codes.length,
    )
  );
}
