// SPDX-License-Identifier: Apache-2.0
// What a job over records begins with: columns of few texts are dimensions, the last of many
// numbers is the value, a column that names firms or persons is the respondent. Whoever knows
// better says so.

const MOST_DIMENSIONS = 4,
  MOST_CODES = 60, // of a column that is crossed
  FEW_NUMBERS = 12; // a column of so few numbers is a class, not an amount

const WEIGHT = /^(weight|wgt|wt|gewicht|poids|peso)/i,
  NUMBER = /(^|[_ ])(id|ident|nr|no|key|num)([_ ]|$)|^id|id$/i,
  RESPONDENT = /^(respondent|firm|company|enterprise|business|name|unternehmen|entreprise|empresa)/i,
  HOLDING = /^(holding|group|konzern|groupe|grupo)/i,
  TOTAL = 'Total';

/** @param {any} column */
const looksLikeCode = column =>
  column.distinct !== null && column.distinct > 1 && column.distinct <= (column.numbers ? FEW_NUMBERS : MOST_CODES);

/** Roles by column. @param {any[]} columns @param {number} rows @returns {Map<string, string>} */
export function guessRoles(columns, rows) {
  /** @type {Map<string, string>} */
  const roles = new Map();
  const take = (/** @type {string} */ role, /** @type {(c: any) => boolean} */ fits) => {
    const found = columns.find(c => !roles.has(c.name) && fits(c));
    if (found) roles.set(found.name, role);
  };
  const isMany = (/** @type {any} */ c) => c.distinct === null || c.distinct > Math.min(FEW_NUMBERS, rows / 2);
  take('weight', c => c.numbers && WEIGHT.test(c.name));
  take('holding', c => HOLDING.test(c.name) && isMany(c));
  take('respondent', c => RESPONDENT.test(c.name) && isMany(c));
  for (const c of columns) if (!roles.has(c.name) && NUMBER.test(c.name) && isMany(c)) roles.set(c.name, '');
  const amounts = columns.filter(c => !roles.has(c.name) && c.numbers && isMany(c));
  if (amounts.length) roles.set(amounts[amounts.length - 1].name, 'value');
  for (const c of columns
    .filter(c => !roles.has(c.name) && looksLikeCode(c))
    .sort((a, b) => a.distinct - b.distinct)
    .slice(0, MOST_DIMENSIONS))
    roles.set(c.name, 'dimension');
  return roles;
}

/** @param {any} look what the server saw of the file @param {any} input what was said of [input] @param {Map<string, string>} said roles */
export function recordsSpec(look, input, said) {
  const { sheet, separator, header, skip, decimal_mark, decimals } = input;
  const roles = new Map([...guessRoles(look.columns, look.rows_read || 0), ...said]);
  /** @type {any} */
  const spec = { input: { records: look.name }, columns: {}, dimension: [] };
  const keys = { sheet, separator: separator ?? (look.text ? look.separator : undefined), header, skip, decimal_mark, decimals };
  for (const [key, value] of Object.entries(keys)) if (value !== undefined) spec.input[key] = value;
  if (look.text && !look.has_header && !header) spec.input.header = look.columns.map((/** @type {any} */ c) => c.name);
  for (const c of look.columns) {
    const role = roles.get(c.name);
    if (role === 'dimension') {
      const total = c.codes.includes(TOTAL) ? 'All' : TOTAL;
      spec.dimension.push({ name: c.name, total });
    } else if (role === 'largest') spec.columns.largest = [...(spec.columns.largest || []), c.name];
    else if (role) spec.columns[role] = c.name;
  }
  if (!Object.keys(spec.columns).length) delete spec.columns;
  return spec;
}
