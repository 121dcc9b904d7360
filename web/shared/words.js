// SPDX-License-Identifier: Apache-2.0
// What the shared components say; web/texts.js has all other texts.
export const words = {
  table: 'Table', rows: 'Rows', columns: 'Columns', none: '(none)', value: 'value', published: 'published',
  cell: 'cell', grandTotal: 'grand total', expandRows: 'Expand rows', collapseRows: 'Collapse rows',
  expand: 'expand', collapse: 'collapse',
  keys: 'Arrow keys move, plus and minus open and close a row, Enter chooses a cell.',
  states: { w: 'withheld', i: 'interval', r: 'rounded', a: 'altered' },
  statuses: { p: 'sensitive', z: 'must be published', k: 'known to everyone', w: 'withheld already' },
  signs: { p: '●', z: '✓', k: '=', w: '⊘' },
};
