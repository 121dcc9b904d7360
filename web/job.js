// SPDX-License-Identifier: Apache-2.0
// What a job says, read from and written into its text: roles of columns, dimensions with their
// trees, rules. docs/formats.md describes all of it.
import { addSection, findSection, readToml, removeSection, setKey, subSections, writeToml } from './toml.js';

/** Roles that a column may have, besides 'dimension' and ''. */
export const ROLES = {
  table: [
    'value',
    'frequency',
    'status',
    'weight',
    'lower',
    'upper',
    'lower_level',
    'upper_level',
    'sliding_level',
    'largest',
  ],
  records: ['value', 'weight', 'respondent', 'holding', 'request', 'waiver'],
};

/** Rules and their keys; [key, kind, choices]. @type {Record<string, [string, string, string[]?][]>} */
export const RULES = {
  frequency: [
    ['n', 'number'],
    ['counts', 'choice', ['contributors', 'records', 'weighted']],
    ['range', 'number'],
  ],
  dominance: [
    ['n', 'number'],
    ['k', 'number'],
  ],
  'p-percent': [
    ['p', 'number'],
    ['coalition', 'number'],
  ],
  'prior-posterior': [
    ['p', 'number'],
    ['q', 'number'],
    ['coalition', 'number'],
  ],
  request: [
    ['percent', 'number'],
    ['minimum', 'number'],
    ['range', 'number'],
  ],
  zeros: [['level', 'number']],
};
/** A new rule begins with these. @type {Record<string, [string, any][]>} */
export const RULE_START = {
  frequency: [['n', 3]],
  dominance: [
    ['n', 1],
    ['k', 75],
  ],
  'p-percent': [['p', 10]],
  'prior-posterior': [
    ['p', 20],
    ['q', 80],
  ],
  request: [['percent', 50]],
  zeros: [['level', 1]],
};

/** Sections of plain keys: [key, kind, choices, of which jobs]. @type {Record<string, [string, string, string[]?, string?][]>} */
export const SECTIONS = {
  levels: [
    ['formula', 'choice', ['thesis', 'argus']],
    ['frequency_range', 'number'],
    ['request_range', 'number'],
    ['manual_range', 'number'],
    ['ratio', 'number'],
    ['sliding_percent', 'number'],
    ['sliding_only', 'flag'],
  ],
  attackers: [
    ['respondents', 'flag'],
    ['singletons_know', 'flag'],
    ['coalition', 'number'],
    ['knowledge', 'choice', ['all', 'sensitive-only']],
    ['reach', 'choice', ['table', 'equation']],
    ['waivers', 'flag'],
  ],
  weights: [['formula', 'text', undefined, 'records']],
  bounds: [
    ['lower', 'text', undefined, 'records'],
    ['lower_percent', 'number', undefined, 'records'],
    ['upper', 'text', undefined, 'records'],
    ['upper_percent', 'number', undefined, 'records'],
    ['misfit', 'choice', ['error', 'widen', 'cut'], 'records'],
  ],
  defaults: [
    ['weight', 'text', undefined, 'table'],
    ['lower', 'text', undefined, 'table'],
    ['upper', 'text', undefined, 'table'],
    ['upper_percent', 'number', undefined, 'table'],
    ['level', 'text', undefined, 'table'],
    ['lower_level_percent', 'number', undefined, 'table'],
    ['upper_level_percent', 'number', undefined, 'table'],
    ['sliding_level_percent', 'number', undefined, 'table'],
  ],
  input: [
    ['separator', 'text'],
    ['decimal_mark', 'choice', ['.', ',']],
    ['thousands', 'text', undefined, 'table'],
    ['encoding', 'choice', ['utf-8', 'latin-1', 'windows-1252', 'utf-16'], 'table'],
    ['decimals', 'number'],
    ['round', 'flag'],
    ['empty_value', 'choice', ['error', 'zero', 'drop']],
    ['totals', 'choice', ['given', 'computed', 'recomputed'], 'table'],
    ['round_totals', 'number', undefined, 'table'],
    ['negative', 'flag', undefined, 'records'],
    ['empty_cells', 'flag', undefined, 'records'],
  ],
};

/** @param {import('./toml.js').Section[]} sections @returns {'table'|'records'} */
export const kindOf = sections => {
  const input = findSection(sections, 'input');
  return input && input.keys.has('records') ? 'records' : 'table';
};

/** Dimensions with the columns that hold their codes. @param {import('./toml.js').Section[]} sections */
export function dimensionsOf(sections) {
  return sections
    .filter(s => s.name === 'dimension')
    .map((s, which) => {
      const value = (/** @type {string} */ key) => s.keys.get(key)?.value,
        name = String(value('name') ?? '');
      const columns = value('columns') ? [value('columns')].flat(2).map(String) : [String(value('column') ?? name)];
      const source =
        ['hierarchy', 'parents', 'correspondence', 'digits', 'columns'].find(key => s.keys.has(key)) ||
        (subSections(sections, 'dimension', which, 'tree').length ? 'tree' : 'flat');
      return { name, columns, which, line: s.line, source, section: s };
    });
}

/** @param {import('./toml.js').Section[]} sections @param {string} column */
export function roleOf(sections, column) {
  for (const [key, entry] of findSection(sections, 'columns')?.keys || [])
    if ([entry.value].flat().map(String).includes(column)) return key;
  return dimensionsOf(sections).some(d => d.columns.includes(column)) ? 'dimension' : '';
}

/** @param {string} text @param {string} column */
function withoutRole(text, column) {
  const sections = readToml(text);
  for (const [key, entry] of findSection(sections, 'columns')?.keys || []) {
    if (entry.value === column) return setKey(text, 'columns', key, undefined);
    if (Array.isArray(entry.value) && entry.value.includes(column)) {
      const rest = entry.value.filter((/** @type {any} */ other) => other !== column);
      return setKey(text, 'columns', key, rest.length ? rest : undefined);
    }
  }
  const dimension = dimensionsOf(sections).find(d => d.columns.includes(column));
  return dimension ? removeSection(text, 'dimension', dimension.which) : text;
}

/** A column gets a role; who had it before has none. @param {string} text @param {string} column @param {string} role */
export function setRole(text, column, role) {
  const now = withoutRole(text, column);
  if (role === '') return now;
  if (role === 'dimension') return addSection(now, '[[dimension]]', [['name', column]]);
  if (role !== 'largest') return setKey(now, 'columns', role, column);
  const had = findSection(readToml(now), 'columns')?.keys.get('largest');
  return setKey(now, 'columns', 'largest', [...(had ? [had.value].flat() : []), column]);
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

/** The hierarchy of a dimension becomes a tree in the job itself. @param {string} text @param {number} which @param {Map<string, string[]>} children */
export function setTree(text, which, children) {
  let now = text;
  for (const key of ['hierarchy', 'parents', 'correspondence', 'digits', 'columns', 'codes', 'total', 'lead'])
    now = setKey(now, 'dimension', key, undefined, which);
  const sections = readToml(now),
    old = subSections(sections, 'dimension', which, 'tree');
  const body =
    '[dimension.tree]\n' +
    [...children].map(([parent, kids]) => `${writeToml(parent)} = ${writeToml(kids)}`).join('\n');
  if (old.length) return now.slice(0, old[0].from) + body + now.slice(old[old.length - 1].to);
  const section = findSection(sections, 'dimension', which);
  return now.slice(0, section.to) + '\n' + body + now.slice(section.to);
}
