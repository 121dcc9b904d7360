// SPDX-License-Identifier: Apache-2.0
// What a job says, as the plain object that the server reads its text into: roles of columns,
// dimensions with their trees, single keys. A change makes another object, of which the server
// writes the text. docs/formats.md describes all of it.

/** @typedef {Record<string, any>} Spec */
/** A key that a job may have, as the server lists it.
 * @typedef {{ name: string, help: string, kind: string, choices: string[], of: string[], keys?: Key[] }} Key */

/** A new rule begins with these. @type {Record<string, Spec>} */
export const RULE_START = {
  frequency: { n: 3 },
  dominance: { n: 1, k: 75 },
  'p-percent': { p: 10 },
  'prior-posterior': { p: 20, q: 80 },
  request: { percent: 50 },
  zeros: { level: 1 },
};

/** @param {Spec} spec @returns {'table'|'records'} */
export const kindOf = spec =>
  ['records', 'from_table', 'from_query'].some(key => spec.input && key in spec.input) ? 'records' : 'table';
/** @param {Key} key @param {string} kind of a job, or of a rule */
export const belongsTo = (key, kind) => !key.of.length || key.of.includes(kind);
/** @param {Key[]} sections @param {string} name @returns {Key[]} */
export const keysOf = (sections, name) => sections.find(s => s.name === name)?.keys || [];

/** The other keys of [columns] say what the texts of a column mean, or what to do without one. @param {string} key */
const isRole = key => !key.endsWith('_codes') && key !== 'missing_respondent';
/** Roles that a column may have, besides 'dimension' and ''. @param {Key[]} sections @param {string} kind */
export const rolesOf = (sections, kind) =>
  keysOf(sections, 'columns').filter(key => belongsTo(key, kind) && isRole(key.name));

/** One key is set, or goes. A section that has none left goes as well. @param {Spec} spec @param {(string|number)[]} path @param {any} value */
export function withKey(spec, path, value) {
  const next = structuredClone(spec),
    [section] = path,
    last = path[path.length - 1];
  let at = next;
  for (const name of path.slice(0, -1)) at = at[name] ??= {};
  if (value === undefined) delete at[last];
  else at[last] = value;
  if (path.length === 2 && !Object.keys(at).length) delete next[section];
  return next;
}

/** @param {Spec} spec @param {string} name @param {Spec} item */
export const withItem = (spec, name, item) => ({ ...spec, [name]: [...(spec[name] || []), item] });

/** @param {Spec} spec @param {string} name @param {number} which */
export function withoutItem(spec, name, which) {
  const { [name]: items, ...rest } = spec,
    left = items.filter((/** @type {any} */ _, /** @type {number} */ k) => k !== which);
  return left.length ? { ...spec, [name]: left } : rest;
}

/** Dimensions with the columns that hold their codes. @param {Spec} spec */
export function dimensionsOf(spec) {
  return (spec.dimension || []).map((/** @type {Spec} */ said, /** @type {number} */ which) => {
    const name = String(said.name ?? '');
    const columns = said.columns ? [said.columns].flat(2).map(String) : [String(said.column ?? name)];
    const source =
      ['hierarchy', 'parents', 'correspondence', 'digits', 'columns', 'tree'].find(key => key in said) || 'flat';
    return { name, columns, which, source, said };
  });
}

/** @param {Spec} spec */
const rolesIn = spec => Object.entries(spec.columns || {}).filter(([key]) => isRole(key));

/** @param {Spec} spec @param {string} column */
export function roleOf(spec, column) {
  for (const [key, value] of rolesIn(spec))
    if ([value].flat().map(String).includes(column)) return key;
  return dimensionsOf(spec).some((/** @type {any} */ d) => d.columns.includes(column)) ? 'dimension' : '';
}

/** @param {Spec} spec @param {string} column */
function withoutRole(spec, column) {
  for (const [key, value] of rolesIn(spec)) {
    const rest = [value].flat().filter(other => String(other) !== column);
    if (rest.length < [value].flat().length) return withKey(spec, ['columns', key], rest.length ? rest : undefined);
  }
  const dimension = dimensionsOf(spec).find((/** @type {any} */ d) => d.columns.includes(column));
  return dimension ? withoutItem(spec, 'dimension', dimension.which) : spec;
}

/** A column gets a role; who had it before has none. @param {Spec} spec @param {string} column @param {string} role */
export function withRole(spec, column, role) {
  const now = withoutRole(spec, column);
  if (role === '') return now;
  if (role === 'dimension') return withItem(now, 'dimension', { name: column });
  const had = role === 'largest' && now.columns?.largest ? [now.columns.largest].flat() : [];
  return withKey(now, ['columns', role], role === 'largest' ? [...had, column] : column);
}

/** "Total\n  A\n    A1" of pairs parent, children. @param {Map<string, string[]>} children @param {string} total */
export function treeText(children, total) {
  const lines = /** @type {string[]} */ ([]);
  (function walk(/** @type {string} */ code, /** @type {number} */ depth) {
    if (lines.length > 20000) return;
    lines.push('  '.repeat(depth) + code);
    for (const kid of children.get(code) || []) walk(kid, depth + 1);
  })(total, 0);
  return lines.join('\n');
}

/** The other way; throws a sentence that names the line. @param {string} text @param {(line: number) => string} wrong */
export function readTree(text, wrong) {
  /** @type {Map<string, string[]>} */
  const children = new Map();
  /** @type {{ code: string, depth: number }[]} */
  const above = [];
  text.split('\n').forEach((line, k) => {
    if (!line.trim()) return;
    const depth = /^\s*/.exec(line.replaceAll('\t', '  '))?.[0].length || 0,
      code = line.trim();
    while (above.length && above[above.length - 1].depth >= depth) above.pop();
    if (above.length) {
      const parent = above[above.length - 1].code;
      children.set(parent, [...(children.get(parent) || []), code]);
    } else if (children.size) throw new SyntaxError(wrong(k + 1));
    above.push({ code, depth });
  });
  return children;
}

/** The hierarchy of a dimension becomes a tree in the job itself. It is sent as pairs: an object of this language
 * puts codes that are numbers first. @param {Spec} spec @param {number} which @param {Map<string, string[]>} children */
export function withTree(spec, which, children) {
  const next = structuredClone(spec),
    dimension = next.dimension[which];
  for (const key of ['hierarchy', 'parents', 'correspondence', 'digits', 'columns', 'codes', 'total', 'lead'])
    delete dimension[key];
  dimension.tree = [...children];
  return next;
}
