// SPDX-License-Identifier: Apache-2.0
// Rules that make a cell sensitive, and the sections of plain keys: reading, levels, attackers and
// whatever else the server lists.
import { h, select } from './dom.js';
import { field, FIELD_KINDS } from './form_fields.js';
import { belongsTo, keysOf, kindOf, RULE_START, withItem, withKey, withoutItem } from './job.js';
import { LISTED } from './list_form.js';
import { T } from './texts.js';
import { inEnglish } from './told.js';

/** @typedef {{ spec: any, keys: any[], edit: (change: (spec: any) => any) => void, bad: (path: string) => string }} How */

/** @param {string} type */
const newRule = type => ({ type, ...RULE_START[type] });
/** @param {How} how @returns {[string, string][]} */
const typesOf = how => {
  const type = keysOf(how.keys, 'rule').find(key => key.name === 'type');
  return (type?.choices || []).map(name => [name, T.rulesOf[name]?.name || name]);
};

/** @param {How} how @param {any} rule @param {number} k */
function ruleLine(how, rule, k) {
  const type = String(rule.type || ''),
    path = `rule[${k}]`,
    wrong = how.bad(path) || how.bad(path + '.type');
  const types = select({ 'data-test': 'rule-type:' + k, 'aria-label': T.form.rule(k + 1) }, typesOf(how), type);
  types.onchange = () => how.edit(spec => withKey(spec, ['rule', k], newRule(types.value)));
  return h(
    'div',
    { class: 'rule', 'data-test': 'rule:' + k },
    h(
      'div',
      { class: 'row' },
      types,
      h('span', { class: 'soft grow' }, T.rulesOf[type] ? T.rulesOf[type].text : ''),
      h(
        'button',
        {
          type: 'button',
          class: 'quiet',
          'data-test': 'rule-remove:' + k,
          'aria-label': T.form.removeRule(k + 1),
          title: T.form.removeRule(k + 1),
          onclick: () => how.edit(spec => withoutItem(spec, 'rule', k)),
        },
        '×',
      ),
    ),
    wrong ? h('p', { class: 'bad' }, wrong) : [],
    h(
      'div',
      { class: 'fields' },
      keysOf(how.keys, 'rule')
        .filter(key => key.of.includes(type))
        .map(key =>
          field({
            ...key,
            name: `rule.${k}.${key.name}`,
            label: T.ruleKeys[key.name] || key.name,
            value: rule[key.name],
            bad: how.bad(`${path}.${key.name}`),
            onSet: value => how.edit(spec => withKey(spec, ['rule', k, key.name], value)),
          }),
        ),
    ),
  );
}

/** @param {How} how */
export function rulesForm(how) {
  const add = select(
    { 'data-test': 'add-rule', 'aria-label': T.form.addRule },
    [['', T.form.addRule], ...typesOf(how)],
    '',
  );
  add.onchange = () => {
    if (add.value) how.edit(spec => withItem(spec, 'rule', newRule(add.value)));
  };
  const rules = (how.spec.rule || []).map((/** @type {any} */ rule, /** @type {number} */ k) => ruleLine(how, rule, k));
  return [rules.length ? rules : h('p', { class: 'soft' }, T.form.noRules), add];
}

/** The sections that have no form of their own. On the page files are written only by export. @param {any[]} keys */
export const plainSections = keys =>
  keys.filter(s => s.kind === 'section' && !['columns', 'output', ...LISTED].includes(s.name));

/** @param {How} how @param {any} section */
export function sectionForm({ spec, edit, bad }, section) {
  const { name } = section,
    kind = kindOf(spec),
    said = spec[name] || {};
  const keys = section.keys.filter((/** @type {any} */ k) => belongsTo(k, kind) && FIELD_KINDS.includes(k.kind));
  if (!belongsTo(section, kind) || !keys.length) return [];
  const wrong = bad(name) || keys.some((/** @type {any} */ k) => bad(`${name}.${k.name}`));
  const titled = T.sections[name] || { name: name[0].toUpperCase() + name.slice(1), text: inEnglish(section.help) };
  return h(
    'details',
    {
      class: 'group',
      open: (Object.keys(said).length > 0 && name !== 'input') || !!wrong,
      'data-test': 'section:' + name,
    },
    h('summary', null, h('b', null, titled.name), h('span', { class: 'soft' }, ' · ', titled.text)),
    bad(name) ? h('p', { class: 'bad' }, bad(name)) : [],
    h(
      'div',
      { class: 'fields' },
      keys.map((/** @type {any} */ key) =>
        field({
          ...key,
          name: `${name}.${key.name}`,
          label: T.keysOf[key.name] || key.name.replaceAll('_', ' '),
          value: said[key.name],
          bad: bad(`${name}.${key.name}`),
          onSet: (/** @type {any} */ value) => edit(now => withKey(now, [name, key.name], value)),
        }),
      ),
    ),
  );
}
