// SPDX-License-Identifier: Apache-2.0
// Runs side by side: cost, loss and risk in a table, and the cells that they treat differently.
import * as api from './api.js';
import { h, plainTable, refill } from './dom.js';
import { figure, percent } from './protect.js';
import { grouped } from './shared/data.js';
import { runName } from './shell.js';
import { hasRelease } from './store.js';
import { T } from './texts.js';
import { toldWord } from './told.js';

/** Costs stand side by side only where they measure the same. @param {any[]} runs @returns {[string, string[]][]} */
const costLines = runs =>
  sameMethod(runs)
    ? [
        [T.figures.cost, runs.map(r => figure(r.cost))],
        [T.figures.bound, runs.map(r => figure(r.bound))],
        [T.figures.gap, runs.map(r => percent(r.gap))],
      ]
    : [];
/** @param {any[]} runs */
const sameMethod = runs => new Set(runs.filter(r => r.cost !== null && r.cost !== undefined).map(r => r.method)).size < 2;

/** The lines of the table: name and what each run says. @param {any[]} runs @returns {[string, string[]][]} */
function lines(runs) {
  /** @type {[string, string[]][]} */
  const out = [
    [T.figures.verdict, runs.map(r => (r.verdict ? T.verdicts[r.verdict] || r.verdict : '–'))],
    ...costLines(runs),
    [T.figures.time, runs.map(r => grouped(Number(r.seconds || 0).toFixed(1)) + ' s')],
  ];
  for (const part of ['loss', 'risk']) {
    const keys = [...new Set(runs.flatMap(r => Object.keys(r[part] || {})))];
    for (const key of keys)
      out.push([
        T.measures[key] || part + ': ' + key.replaceAll('_', ' '),
        runs.map(r => {
          const x = (r[part] || {})[key];
          return typeof x === 'boolean' ? T.app.yesNo(x) : typeof x === 'string' ? toldWord(x) : figure(x);
        }),
      ]);
  }
  return out;
}

/** The grid shows the cells that differ. @param {any} store */
function showButton(store) {
  const show = () => {
    store.go('table');
    store.emit('filter', 'differing');
  };
  return h('button', { type: 'button', 'data-test': 'differing-show', onclick: show }, T.compare.show);
}

/** "rounded 30" in the words of the page. @param {string} text */
function stateText(text) {
  const word = text.split(' ')[0];
  return T.states[word] ? T.states[word] + text.slice(word.length) : text;
}

/** @param {any} store @param {string[]} names of the runs @param {any[]} cells */
function differingTable(store, names, cells) {
  const go = (/** @type {any} */ c) =>
    h(
      'button',
      { type: 'button', class: 'link', 'data-test': 'go:' + c.cell, onclick: () => store.emit('goto', c.cell) },
      c.label,
    );
  const rows = cells
    .slice(0, 200)
    .map(c => [
      h('th', { scope: 'row' }, go(c)),
      c.states.map((/** @type {string} */ text) => h('td', null, stateText(text))),
    ]);
  return plainTable([h('th', null, T.compare.cell), names.map(name => h('th', null, name))], rows);
}

/** @param {any} store */
export function makeCompare(store) {
  const picks = h('div', { class: 'row wrap' });
  const table = h('div', { class: 'scroll', 'data-test': 'compare-table' }),
    cells = h('div', { class: 'differing', 'data-test': 'differing' });
  const element = h('section', { class: 'block', hidden: true }, h('h2', null, T.compare.title), picks, table, cells);
  /** @param {any} answer */
  function draw(answer) {
    const names = answer.runs.map((/** @type {any} */ r) => T.app.run(r.id, r.method));
    const numbers = (/** @type {string} */ tag, /** @type {string[]} */ texts) =>
      texts.map(text => h(tag, { class: 'number' }, text));
    const rows = lines(answer.runs).map(([name, values]) => [h('th', { scope: 'row' }, name), numbers('td', values)]);
    refill(
      table,
      plainTable([h('td'), numbers('th', names)], rows),
      sameMethod(answer.runs) ? [] : h('p', { class: 'soft', 'data-test': 'not-comparable' }, T.compare.notComparable),
    );
    const title = h(
      'div',
      { class: 'row' },
      h('h3', null, T.compare.differing(answer.differing)),
      h('span', { class: 'grow' }),
      answer.differing ? showButton(store) : [],
    );
    refill(
      cells,
      title,
      answer.differing ? h('div', { class: 'scroll short' }, differingTable(store, names, answer.cells)) : [],
    );
  }
  /** @param {any} run */
  const pick = run =>
    h(
      'label',
      { class: 'switch' },
      h('input', {
        type: 'checkbox',
        'data-test': 'compare-pick:' + run.id,
        checked: store.compared.includes(run.id),
        onchange: (/** @type {any} */ e) => store.compare(run.id, e.target.checked),
      }),
      runName(run),
    );
  async function update() {
    const runs = store.runs.filter(hasRelease);
    element.hidden = runs.length < 2;
    refill(picks, runs.map(pick), store.compared.length < 2 ? h('span', { class: 'soft' }, T.compare.pick) : []);
    table.hidden = cells.hidden = store.compared.length < 2;
    if (table.hidden) {
      if (store.comparison) {
        store.comparison = null;
        store.emit('comparison');
      }
      return;
    }
    const answer = await store.attempt(() => api.get('compare?runs=' + store.compared.join(',')));
    if (!answer) return;
    store.comparison = { set: new Set(answer.cells.map((/** @type {any} */ c) => c.cell)) };
    draw(answer);
    store.emit('comparison');
  }
  store.on('compare', update);
  return { element, update };
}
