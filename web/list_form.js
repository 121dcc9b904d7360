// SPDX-License-Identifier: Apache-2.0
// Parts of a job of which there may be several: derived columns, further variables and what is known
// of their quotients, earlier periods; and the store of all periods. The keys are the server's; which
// of them a kind of column has, and what may be chosen, stands here (docs/derived.md, docs/periods.md).
import { h } from './dom.js';
import { field, FIELD_KINDS } from './form_fields.js';
import { dimensionsOf, keysOf, withItem, withKey, withoutItem } from './job.js';
import { T } from './texts.js';

/** @typedef {{ spec: any, keys: any[], edit: (change: (spec: any) => any) => void, bad: (path: string) => string,
 *   columns: any[], dims: any[], files: string[], onFile: ((set: (name: string) => void) => void)|null }} How */

export const LISTS = { derived: ['derived', 'shadow', 'known_ratio'], periods: ['before', 'store'] };
/** Sections that are shown here, and not among those of plain keys. */
export const LISTED = Object.values(LISTS).flat();

/** A new part begins with these. @type {Record<string, any>} */
const START = {
  derived: { name: 'pct', type: 'percentage' },
  shadow: {},
  known_ratio: { above: 'value', below: 'frequency' },
  before: { name: '' },
};
/** Keys of one kind of derived column alone. @type {Record<string, string[]>} */
const OF_TYPE = {
  percentage: ['of', 'to', 'per'],
  ratio: ['dimension', 'numerator', 'denominator', 'per'],
  mean: ['counts'],
  rate: ['population', 'per'],
  growth: ['period'],
  index: ['period'],
};
const OF_SOME = new Set(Object.values(OF_TYPE).flat());
const FILES = new Set(['population', 'input', 'release', 'change_file']);

/** @param {string} section @param {any} said @param {string} key */
const hasKey = (section, said, key) =>
  section !== 'derived' || !OF_SOME.has(key) || (OF_TYPE[said.type] || []).includes(key) || key in said;

/** @param {any} spec */
const periodsOf = spec => (spec.before || []).map((/** @type {any} */ b) => String(b.name || '')).filter(Boolean);
/** @param {How} how */
const dimensionNames = how => dimensionsOf(how.spec).map((/** @type {any} */ d) => d.name);
/** Codes of a dimension, if they are known. @param {How} how @param {string} name */
const codesOf = (how, name) => {
  const shown = how.dims.find(d => d.name === name),
    column = how.columns.find(c => c.name === name);
  return (shown && shown.codes) || (column && column.codes) || [];
};

/** What may be chosen: a list of words, of which there are no others. @param {How} how @param {string} section @param {any} said @param {string} key @returns {string[]|null} */
function choicesOf(how, section, said, key) {
  if (T.partChoices[key] && !(section === 'known_ratio' && key === 'name')) return Object.keys(T.partChoices[key]);
  if (key === 'dimension') return dimensionNames(how);
  if (key === 'period' && section === 'derived') return periodsOf(how.spec);
  if (key === 'revised_by') return periodsOf(how.spec).filter((/** @type {string} */ name) => name !== said.name);
  if (section === 'known_ratio' && (key === 'above' || key === 'below'))
    return ['value', 'frequency', ...(how.spec.shadow || []).map((/** @type {any} */ s) => String(s.name || '')).filter(Boolean)];
  return null;
}
/** What is offered, though something else may be written. @param {How} how @param {string} section @param {any} said @param {string} key @returns {string[]} */
function offered(how, section, said, key) {
  if (FILES.has(key)) return how.files;
  if (key === 'of') return dimensionNames(how);
  if (key === 'numerator' || key === 'denominator' || key === 'codes') return codesOf(how, said.dimension);
  if (section === 'shadow' && key === 'name') return how.columns.map(c => c.name);
  return [];
}

/** One key of a part. @param {How} how @param {string} section @param {any} said @param {string} place
 * @param {any} key @param {(value: any) => void} onSet */
function keyField(how, section, said, place, key, onSet) {
  const choices = choicesOf(how, section, said, key.name);
  return field({
    ...key,
    kind: choices ? 'choice' : key.kind,
    choices: choices || key.choices,
    names: T.partChoices[key.name],
    offered: choices ? [] : offered(how, section, said, key.name),
    onFile: FILES.has(key.name) && how.onFile ? () => how.onFile?.(onSet) : undefined,
    name: `${place}.${key.name}`,
    label: (T.partKeys[section] || {})[key.name] || T.partKeys.change[key.name] || key.name.replaceAll('_', ' '),
    value: said[key.name],
    bad: how.bad(`${place}.${key.name}`),
    onSet,
  });
}

/** @param {string} test @param {string} name @param {() => void} onclick */
const removeButton = (test, name, onclick) =>
  h('button', { type: 'button', class: 'quiet', 'data-test': test, 'aria-label': name, title: name, onclick }, '×');
/** @param {string} test @param {string} name @param {() => void} onclick */
const addButton = (test, name, onclick) =>
  h('button', { type: 'button', class: 'small', 'data-test': test, onclick }, name);

/** Codes whose changes readers know closer, or less close. @param {How} how @param {any} said @param {string} place
 * @param {any} key @param {(list: any[]|undefined) => void} onSet */
function classesPart(how, said, place, key, onSet) {
  const list = /** @type {any[]} */ ([said.class || []].flat()),
    put = (/** @type {any[]} */ next) => onSet(next.length ? next : undefined);
  return [
    list.map((each, j) =>
      h(
        'div',
        { class: 'rule', role: 'group', 'aria-label': T.parts.class.one(j + 1), 'data-test': `${place}.class.${j}` },
        h(
          'div',
          { class: 'row' },
          h('b', { class: 'grow' }, T.parts.class.one(j + 1)),
          removeButton(`part-remove:${place}.class.${j}`, T.parts.remove(T.parts.class.one(j + 1)), () => put(list.filter((_, k) => k !== j))),
        ),
        h(
          'div',
          { class: 'fields' },
          key.keys.map((/** @type {any} */ k) =>
            keyField(how, 'class', each, `${place}.class[${j}]`, k, value =>
              put(list.map((other, i) => (i === j ? set(other, k.name, k.name === 'codes' ? [value].flat() : value) : other))),
            ),
          ),
        ),
      ),
    ),
    addButton(`part-add:${place}.class`, T.parts.class.add, () => put([...list, { dimension: dimensionNames(how)[0] || '', codes: [], change: '50%' }])),
  ];
}
/** @param {any} part @param {string} key @param {any} value */
function set(part, key, value) {
  const next = { ...part };
  if (value === undefined) delete next[key];
  else next[key] = value;
  return next;
}

/** The keys of one part. @param {How} how @param {string} section @param {any} said @param {string} place @param {(string|number)[]} path */
function keysPart(how, section, said, place, path) {
  const keys = keysOf(how.keys, section),
    put = (/** @type {string} */ key) => (/** @type {any} */ value) => how.edit(spec => withKey(spec, [...path, key], value));
  const plain = keys.filter(key => FIELD_KINDS.includes(key.kind) && hasKey(section, said, key.name)),
    classes = keys.find(key => key.name === 'class');
  return [
    h('div', { class: 'fields' }, plain.map(key => keyField(how, section, said, place, key, put(key.name)))),
    classes ? classesPart(how, said, place, classes, put('class')) : [],
  ];
}

/** @param {How} how @param {string} section @param {any} said @param {number} k */
function onePart(how, section, said, k) {
  const place = `${section}[${k}]`,
    wrong = how.bad(place),
    name = T.parts[section].one(k + 1, String(said.name || ''));
  return h(
    'div',
    { class: 'rule', role: 'group', 'aria-label': name, 'data-test': `part:${section}.${k}` },
    h(
      'div',
      { class: 'row' },
      h('b', { class: 'grow' }, h('bdi', null, name)),
      removeButton(`part-remove:${section}.${k}`, T.parts.remove(name), () => how.edit(spec => withoutItem(spec, section, k))),
    ),
    wrong ? h('p', { class: 'bad' }, wrong) : [],
    keysPart(how, section, said, place, [section, k]),
  );
}

/** @param {How} how @param {string} section */
function listPart(how, section) {
  const list = /** @type {any[]} */ ([how.spec[section] || []].flat());
  return h(
    'details',
    { class: 'group parts', open: list.length > 0 || !!how.bad(section), 'data-holds': list.length > 0, 'data-test': 'section:' + section },
    h('summary', null, h('b', null, T.parts[section].title), h('span', { class: 'soft' }, ' · ' + T.parts[section].text)),
    list.map((said, k) => onePart(how, section, said, k)),
    addButton('part-add:' + section, T.parts[section].add, () => how.edit(spec => withItem(spec, section, { ...START[section] }))),
  );
}

/** The store is one part, there or not. @param {How} how */
function storePart(how) {
  const said = how.spec.store;
  return h(
    'details',
    { class: 'group parts', open: !!said || !!how.bad('store'), 'data-holds': !!said, 'data-test': 'section:store' },
    h('summary', null, h('b', null, T.parts.store.title), h('span', { class: 'soft' }, ' · ' + T.parts.store.text)),
    how.bad('store') ? h('p', { class: 'bad' }, how.bad('store')) : [],
    keysPart(how, 'store', said || {}, 'store', ['store']),
  );
}

/** @param {How} how @param {'derived'|'periods'} which */
export const listForm = (how, which) =>
  LISTS[which]
    .filter(section => how.keys.some(s => s.name === section))
    .map(section => (section === 'store' ? storePart(how) : listPart(how, section)));
