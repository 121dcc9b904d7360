// SPDX-License-Identifier: Apache-2.0
// Columns of the data file with some of their values, and the role of each.
import { h, select } from './dom.js';
import { kindOf, roleOf, ROLES, setRole } from './job.js';
import { T } from './texts.js';

/** @param {{ columns: any[], sections: any[], text: string, onText: (text: string) => void, bad: (line: number) => string }} how */
export function columnsForm({ columns, sections, text, onText, bad }) {
  const kind = kindOf(sections);
  const options = /** @type {[string, string][]} */ ([
    ['', T.roles['']],
    ['dimension', T.roles.dimension],
    ...ROLES[kind].map(r => [r, T.roles[r]]),
  ]);
  const table = sections.find(s => s.name === 'columns');
  /** @param {string} column @param {string} role */
  const problem = (column, role) => {
    const key = table && table.keys.get(role);
    return key && key.value === column ? bad(key.line) : '';
  };
  return h(
    'table',
    { class: 'plain roles' },
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        [T.form.column, T.form.values, T.form.role].map(t => h('th', null, t)),
      ),
    ),
    h(
      'tbody',
      null,
      columns.map(c => {
        const role = roleOf(sections, c.name),
          wrong = problem(c.name, role);
        const list = select(
          {
            'data-test': 'role:' + c.name,
            'aria-label': T.form.roleOf(c.name),
            'aria-invalid': wrong ? 'true' : 'false',
            class: role ? 'said' : '',
          },
          options,
          role,
        );
        list.onchange = () => onText(setRole(text, c.name, list.value));
        return h(
          'tr',
          { class: wrong ? 'bad' : '' },
          h('th', { scope: 'row' }, c.name),
          h('td', { class: 'soft clip', title: c.sample.join(', ') }, c.sample.filter(Boolean).slice(0, 5).join(', ')),
          h('td', null, list, wrong ? h('p', { class: 'bad' }, wrong) : []),
        );
      }),
    ),
  );
}
