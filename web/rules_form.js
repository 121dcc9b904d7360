// SPDX-License-Identifier: Apache-2.0
// Rules that make a cell sensitive, and the sections of plain keys: levels, attackers, weights, bounds.
import { h, select } from './dom.js';
import { field } from './form_fields.js';
import { kindOf, RULES, RULE_START, SECTIONS } from './job.js';
import { addSection, findSection, removeSection, setKey } from './toml.js';
import { T } from './texts.js';

/** @typedef {{ sections: any[], text: string, onText: (text: string) => void, bad: (line: number) => string }} How */

/** @param {How} how @param {any} section @param {number} k */
function ruleLine({ text, onText, bad }, section, k) {
  const type = String(section.keys.get('type')?.value || ''),
    keys = RULES[type] || [];
  const types = select(
    { 'data-test': 'rule-type:' + k, 'aria-label': T.form.rule(k + 1) },
    Object.keys(RULES).map(t => [t, T.rulesOf[t].name]),
    type,
  );
  types.onchange = () =>
    onText(addSection(removeSection(text, 'rule', k), '[[rule]]', [['type', types.value], ...RULE_START[types.value]]));
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
          onclick: () => onText(removeSection(text, 'rule', k)),
        },
        '×',
      ),
    ),
    bad(section.line) ? h('p', { class: 'bad' }, bad(section.line)) : [],
    h(
      'div',
      { class: 'fields' },
      keys.map(([key, kind, choices]) =>
        field({
          name: `rule.${k}.${key}`,
          kind,
          choices,
          label: T.ruleKeys[key] || key,
          value: section.keys.get(key)?.value,
          bad: section.keys.has(key) ? bad(section.keys.get(key).line) : '',
          onSet: value => onText(setKey(text, 'rule', key, value, k)),
        }),
      ),
    ),
  );
}

/** @param {How} how */
export function rulesForm(how) {
  const add = select(
    { 'data-test': 'add-rule', 'aria-label': T.form.addRule },
    [['', T.form.addRule], ...Object.keys(RULES).map(t => /** @type {[string, string]} */ ([t, T.rulesOf[t].name]))],
    '',
  );
  add.onchange = () => {
    if (add.value) how.onText(addSection(how.text, '[[rule]]', [['type', add.value], ...RULE_START[add.value]]));
  };
  const rules = how.sections.filter(s => s.name === 'rule').map((s, k) => ruleLine(how, s, k));
  return [rules.length ? rules : h('p', { class: 'soft' }, T.form.noRules), add];
}

/** @param {How} how @param {string} name */
export function sectionForm({ sections, text, onText, bad }, name) {
  const kind = kindOf(sections),
    section = findSection(sections, name),
    keys = SECTIONS[name].filter(k => !k[3] || k[3] === kind);
  if (!keys.length) return [];
  const said = section ? section.keys.size : 0,
    wrong = section && (bad(section.line) || [...section.keys.values()].some(k => bad(k.line)));
  return h(
    'details',
    { class: 'group', open: (said > 0 && name !== 'input') || !!wrong, 'data-test': 'section:' + name },
    h(
      'summary',
      null,
      h('b', null, T.sections[name].name),
      h('span', { class: 'soft' }, ' · ' + T.sections[name].text),
    ),
    section && bad(section.line) ? h('p', { class: 'bad' }, bad(section.line)) : [],
    h(
      'div',
      { class: 'fields' },
      keys.map(([key, type, choices]) => {
        const entry = section?.keys.get(key);
        return field({
          name: `${name}.${key}`,
          kind:
            type === 'text' && name !== 'weights' && key !== 'separator'
              ? 'mixed'
              : key === 'separator'
                ? 'separator'
                : type,
          choices,
          label: T.keysOf[key] || key.replaceAll('_', ' '),
          value: entry?.value,
          bad: entry ? bad(entry.line) : '',
          onSet: value => onText(setKey(text, name, key, value)),
        });
      }),
    ),
  );
}
