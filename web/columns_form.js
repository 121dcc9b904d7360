// SPDX-License-Identifier: Apache-2.0
// Columns of the data file with some of their values, and the role of each.
import { h, select } from './dom.js';
import { kindOf, roleOf, rolesOf, withRole } from './job.js';
import { T } from './texts.js';

/** @param {{ columns: any[], spec: any, keys: any[], edit: (change: (spec: any) => any) => void, bad: (path: string) => string,
 *   onRole?: (column: string, role: string) => void }} how */
export function columnsForm({ columns, spec, keys, edit, bad, onRole }) {
  const options = /** @type {[string, string][]} */ ([
    ['', T.roles['']],
    ['dimension', T.roles.dimension],
    ...rolesOf(keys, kindOf(spec)).map(role => [role.name, T.roles[role.name] || role.help]),
  ]);
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
        const role = roleOf(spec, c.name),
          wrong = role && role !== 'dimension' ? bad('columns.' + role) : '';
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
        list.onchange = () => (onRole ? onRole(c.name, list.value) : edit(now => withRole(now, c.name, list.value)));
        return h(
          'tr',
          { class: wrong ? 'bad' : '' },
          h('th', { scope: 'row' }, h('bdi', null, c.name)),
          h('td', { class: 'soft clip', title: c.sample.join(', ') }, c.sample.filter(Boolean).slice(0, 5).join(', ')),
          h('td', null, list, wrong ? h('p', { class: 'bad' }, wrong) : []),
        );
      }),
    ),
  );
}
