// SPDX-License-Identifier: Apache-2.0
// The rows of a file as they stand: each with its number and with what it was taken for (title,
// heading, cells, footnote), each column with its role. More rows come as one scrolls.
import { h } from './dom.js';
import { T } from './texts.js';

const CHUNK = 200;

/** "A", "B", …, "AA". @param {number} k @returns {string} */
const letters = k => (k >= 26 ? letters(Math.floor(k / 26) - 1) : '') + String.fromCharCode(65 + (k % 26));

/** @param {{ more: (first: number, rows: number) => Promise<any>, onRow: (row: number, kind: string) => void }} how */
export function makeRawView({ more, onRow }) {
  const body = h('tbody'),
    head = h('thead'),
    table = h('table', { class: 'raw' }, head, body),
    note = h('p', { class: 'soft raw-note' });
  const box = h(
    'div',
    { class: 'raw-box', tabIndex: 0, role: 'region', 'aria-label': T.look.rows, 'data-test': 'raw' },
    table,
  );
  /** @type {any} */
  let look = null;
  let shown = 0,
    first = 1,
    asking = false;

  /** @param {any} raw */
  function addRows(raw) {
    raw.rows.forEach((/** @type {string[]} */ row, /** @type {number} */ k) => {
      const kind = raw.kinds[k],
        at = raw.first + k;
      body.append(
        h(
          'tr',
          { class: 'raw-' + kind, 'data-row': at },
          h(
            'th',
            { scope: 'row' },
            h(
              'button',
              {
                type: 'button',
                class: 'raw-number',
                title: T.look.rowIs(first + at, T.look.kinds[kind]),
                'data-test': 'raw-row:' + at,
                onclick: () => onRow(at, kind),
              },
              String(first + at) + ' ',
              h('span', { class: 'raw-kind' }, T.look.kinds[kind]),
            ),
          ),
          Array.from({ length: raw.columns }, (_, c) =>
            h('td', { class: c < row.length ? '' : 'absent' }, h('bdi', null, row[c] ?? '')),
          ),
        ),
      );
    });
    shown = raw.first + raw.rows.length;
    note.textContent = look ? T.look.shown(shown, look.raw.total, look.raw.whole) : '';
  }
  async function next() {
    if (asking || !look || shown >= look.raw.total) return;
    asking = true;
    try {
      const mine = look,
        answer = await more(shown, CHUNK);
      if (answer && mine === look) addRows(answer.raw);
    } finally {
      asking = false;
    }
  }
  box.onscroll = () => {
    if (box.scrollTop + box.clientHeight > box.scrollHeight - 400) next();
  };
  /** The column of the file with this name. @param {string} name */
  const places = name => {
    const at = look.raw.kinds.lastIndexOf('heading');
    if (at < 0) return look.columns.findIndex((/** @type {any} */ c) => c.name === name);
    const row = look.raw.rows[at].indexOf(name);
    return row >= 0 ? row : look.columns.findIndex((/** @type {any} */ c) => c.name === name);
  };
  return {
    element: h('div', { class: 'raw-view' }, box, note),
    /** @param {any} answer */
    show: answer => {
      look = answer;
      first = answer.first_line || 1;
      body.replaceChildren();
      head.replaceChildren(
        h(
          'tr',
          null,
          h('th'),
          Array.from({ length: answer.raw.columns }, (_, c) => h('th', { scope: 'col' }, letters(c), h('span', { class: 'raw-role' }))),
        ),
      );
      addRows(answer.raw);
      box.scrollTop = 0;
    },
    /** What the columns were taken for. @param {[string, string, string][]} roles name, class, word */
    roles: roles => {
      if (!look) return;
      for (const cell of table.querySelectorAll('th, td')) cell.classList.remove('is-dimension', 'is-value', 'is-other');
      for (const span of head.querySelectorAll('.raw-role')) span.textContent = '';
      for (const [name, kind, word] of roles) {
        const c = places(name);
        const heading = c >= 0 && head.querySelectorAll('th')[c + 1];
        if (!heading) continue;
        heading.classList.add('is-' + kind);
        heading.querySelector('.raw-role').textContent = word;
      }
    },
    /** Brings a line of the file into view and marks it. @param {number} line counted from 1 @param {number} [column] */
    mark: async (line, column = 0) => {
      const row = line - first;
      for (const marked of body.querySelectorAll('.marked')) marked.classList.remove('marked');
      while (look && row >= shown && shown < look.raw.total) await next();
      const found = /** @type {HTMLElement|null} */ (body.querySelector(`tr[data-row="${row}"]`));
      if (!found) return;
      found.classList.add('marked');
      if (column && found.children[column]) found.children[column].classList.add('marked');
      found.scrollIntoView({ block: 'center', inline: 'nearest' });
    },
  };
}
