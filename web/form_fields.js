// SPDX-License-Identifier: Apache-2.0
// One key of a job as a field: what is written is the value, nothing written is nothing said.
import { h, select } from './dom.js';
import { plainValue } from './toml.js';
import { T } from './texts.js';

/**
 * kind: flag, choice, number, text, mixed (a text or a number), list (of either), separator (blanks count).
 * @typedef {{ name: string, kind: string, choices?: string[], value: any, label: string, bad: string,
 *   onSet: (value: any) => void }} Field
 */

/** What is written, as a value of the job. @type {Record<string, (text: string) => any>} */
const READERS = {
  number: plainValue,
  mixed: plainValue,
  list: text => text.split(',').map(part => plainValue(part.trim())),
};

/** @param {Field} f @param {Object<string, any>} props @param {[string, string][]} options @param {(text: string) => any} read */
function choiceInput(f, props, options, read) {
  const list = select(props, [['', T.form.unset], ...options], f.value === undefined ? '' : String(f.value));
  list.onchange = () => f.onSet(list.value === '' ? undefined : read(list.value));
  return list;
}

/** @param {Field} f @param {Object<string, any>} props */
function textInput(f, props) {
  const shown = f.value === undefined ? '' : [f.value].flat().join(', ');
  const read = READERS[Array.isArray(f.value) ? 'list' : f.kind] || ((/** @type {string} */ text) => text);
  const inputmode = f.kind === 'number' ? 'decimal' : 'text';
  const input = h('input', {
    ...props,
    type: 'text',
    inputmode,
    value: shown,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  input.onchange = () => {
    const text = f.kind === 'separator' ? input.value : input.value.trim();
    if (input.value !== shown) f.onSet(text === '' ? undefined : read(text));
  };
  return input;
}

/** @param {Field} f */
function inputOf(f) {
  const props = { 'data-test': 'field:' + f.name, 'aria-invalid': f.bad ? 'true' : 'false' };
  /** @type {[string, string][]} */
  const yesNo = [
    ['true', T.form.yes],
    ['false', T.form.no],
  ];
  if (f.kind === 'flag') return choiceInput(f, props, yesNo, text => text === 'true');
  if (f.kind !== 'choice') return textInput(f, props);
  return choiceInput(
    f,
    props,
    (f.choices || []).map(choice => [choice, choice]),
    text => text,
  );
}

/** @param {Field} f */
export function field(f) {
  return h(
    'div',
    { class: 'field' + (f.bad ? ' bad' : '') },
    h('label', null, h('span', { class: 'name' }, f.label), inputOf(f)),
    f.bad ? h('p', { class: 'bad', role: 'alert' }, f.bad) : [],
  );
}
