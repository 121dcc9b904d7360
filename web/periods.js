// SPDX-License-Identifier: Apache-2.0
// The release beside those of the periods before: cells that were, or are, withheld in one of them,
// with what would end it. Only of jobs that name a period before, or a store.
import * as api from './api.js';
import { h, plainTable, refill } from './dom.js';
import { grouped } from './shared/data.js';
import { T } from './texts.js';
import { inEnglish } from './told.js';

const MOST = 200;
/** @type {Map<number, Promise<any>>} */
const asked = new Map();

/** @param {any} store */
const hasPeriods = store => {
  const spec = (store.document && store.document.job && store.document.job.spec) || {};
  return !!(spec.before || spec.store) && !!store.run && store.run.command === 'protect' && store.run.state === 'done';
};

/** What was published of each cell in each period; null where there is one period alone. @param {any} store @returns {Promise<any>} */
export async function periodsOf(store) {
  if (!hasPeriods(store)) return null;
  const { id } = store.run;
  if (!asked.has(id))
    asked.set(
      id,
      api.get(`runs/${id}/periods`).then(told => ({ ...told, of: new Map(told.rows.map((/** @type {any} */ row) => [row.cell, row])) })),
    );
  const told = await asked.get(id);
  return told.periods.length > 1 ? told : null;
}

/** @param {any} store */
export function makePeriods(store) {
  const element = h('section', { class: 'block', hidden: true, 'data-test': 'periods' });
  /** @param {any} told */
  function line(told) {
    return (/** @type {any} */ row) => [
      h(
        'th',
        { scope: 'row' },
        h('button', { type: 'button', class: 'link', 'data-test': 'go:' + row.cell, onclick: () => store.emit('goto', row.cell) }, row.label),
      ),
      told.periods.map((/** @type {string} */ _, /** @type {number} */ k) => h('td', { class: 'number' }, grouped(row.texts[k] || ''))),
      h('td', { class: 'soft' }, row.note ? inEnglish(row.note) : ''),
    ];
  }
  async function update() {
    const run = store.run;
    element.hidden = !hasPeriods(store);
    if (element.hidden) return;
    const told = await store.attempt(() => periodsOf(store));
    if (store.run !== run && (!store.run || !run || store.run.id !== run.id)) return;
    element.hidden = !told;
    if (!told) return;
    const heads = [T.compare.cell, ...told.periods, T.periods.note].map((name, k) => h('th', { class: k && k <= told.periods.length ? 'number' : '' }, name));
    refill(
      element,
      h('h2', null, T.periods.title),
      h('p', { class: 'soft' }, told.rows.length ? T.periods.text : T.periods.none),
      told.rows.length
        ? h('div', { class: 'scroll short', tabIndex: 0, role: 'region', 'aria-label': T.periods.title }, plainTable(heads, told.rows.slice(0, MOST).map(line(told))))
        : [],
      store.document.job.spec.store
        ? h('p', { 'data-test': 'record' }, T.periods.record, ' ', h('code', null, run.command_line + ' --record'))
        : [],
      told.rows.length > MOST ? h('p', { class: 'soft' }, T.pane.more(told.rows.length - MOST)) : [],
    );
  }
  return { element, update };
}
