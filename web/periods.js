// SPDX-License-Identifier: Apache-2.0
// Release: what was published of a cell in earlier periods, beside this one; for the office, with
// what the calendar says of each blank.
import * as api from './api.js';
import { h, refill } from './dom.js';
import { hasRelease } from './store.js';

/** @type {Record<string, any>} */
const WORDS = {
  en: {
    title: 'Periods',
    text: 'One column per period; × is withheld, · is not in the table of this period.',
    cell: 'Cell',
    until: 'Withheld until',
    more: (/** @type {number} */ k) => `${k} more are published in all of these periods, or are not listed.`,
  },
  de: {
    title: 'Zeiträume',
    text: 'Eine Spalte je Zeitraum; × ist gesperrt, · steht nicht in der Tabelle dieses Zeitraums.',
    cell: 'Zelle',
    until: 'Gesperrt bis',
    more: (/** @type {number} */ k) => `${k} weitere sind in all diesen Zeiträumen veröffentlicht oder nicht aufgeführt.`,
  },
  es: {
    title: 'Periodos',
    text: 'Una columna por periodo; × está oculta, · no está en la tabla de este periodo.',
    cell: 'Celda',
    until: 'Oculta hasta',
    more: (/** @type {number} */ k) => `${k} más están publicadas en todos estos periodos o no se enumeran.`,
  },
  fr: {
    title: 'Périodes',
    text: 'Une colonne par période ; × est masquée, · ne figure pas dans le tableau de cette période.',
    cell: 'Cellule',
    until: 'Masquée jusqu’à',
    more: (/** @type {number} */ k) => `${k} autres sont publiées dans toutes ces périodes ou ne sont pas listées.`,
  },
};

/** @param {any} store */
export function makePeriods(store) {
  const element = h('section', { class: 'block', 'data-test': 'periods', hidden: true });
  const words = WORDS[document.documentElement.lang.slice(0, 2)] || WORDS.en;
  /** @param {any} row */
  const line = row =>
    h(
      'tr',
      null,
      h(
        'th',
        { scope: 'row' },
        h(
          'button',
          { type: 'button', class: 'link', 'data-test': 'go:' + row.cell, onclick: () => store.emit('goto', row.cell) },
          row.label,
        ),
      ),
      row.texts.map((/** @type {string} */ text) => h('td', null, text)),
      h('td', { class: 'soft' }, row.note),
    );
  async function update() {
    const run = store.run;
    element.hidden = true;
    if (store.place !== 'release' || !run || !hasRelease(run)) return;
    const table = run.tables && run.tables.length ? '?table=' + store.argusTable : '';
    const told = await store.attempt(() => api.get(`runs/${run.id}/periods${table}`));
    if (!told || !told.periods.length || !store.run || store.run.id !== run.id) return;
    const shown = told.rows.slice(0, 500),
      more = told.left_out + told.rows.length - shown.length;
    element.hidden = false;
    refill(
      element,
      h('h2', null, words.title),
      h('p', { class: 'soft' }, words.text),
      h(
        'div',
        { class: 'grid' },
        h(
          'table',
          null,
          h(
            'thead',
            null,
            h(
              'tr',
              null,
              [words.cell, ...told.periods, words.until].map(name => h('th', { scope: 'col' }, name)),
            ),
          ),
          h('tbody', null, shown.map(line)),
        ),
      ),
      more > 0 ? h('p', { class: 'soft' }, words.more(more)) : [],
    );
  }
  store.on('run', update);
  store.on('place', update);
  return element;
}
