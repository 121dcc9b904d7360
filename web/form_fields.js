// SPDX-License-Identifier: Apache-2.0
// One key of a job as a field: what is written is the value, nothing written is nothing said.
import { h, select } from './dom.js';
import { signName } from './look_tools.js';
import { T } from './texts.js';

/**
 * kind: as the server calls it (GET /api/job-keys).
 * names: what the choices are called; offered: what may be written among other things; onFile: adds a file.
 * @typedef {{ name: string, kind: string, choices?: string[], names?: Record<string, string>, offered?: string[],
 *   help?: string, value: any, label: string, bad: string, onFile?: () => void, onSet: (value: any) => void }} Field
 */

/** A number where it is one that a number of this language holds with all its digits; else the text, which the
 * server reads. @param {string} text */
export function plainValue(text) {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return text;
  return text.replace(/\D/g, '').length <= 15 || String(Number(text)) === text ? Number(text) : text;
}

/** @param {string} text */
const parts = text => {
  const all = text.split(',').map(part => part.trim());
  return all.length > 1 ? all : all[0];
};

/** What is written, as a value of the job. @type {Record<string, (text: string) => any>} */
const READERS = {
  number: plainValue,
  scalar: plainValue,
  whole: plainValue,
  wholes: text => text.split(',').map(part => plainValue(part.trim())),
  texts: parts,
  choices: parts,
};
/** Kinds that a field can show. */
export const FIELD_KINDS = ['flag', 'choice', 'text', 'files', ...Object.keys(READERS)];

/** @param {Field} f @param {Object<string, any>} props @param {[string, string][]} options @param {(text: string) => any} read */
function choiceInput(f, props, options, read) {
  const now = f.value === undefined ? '' : f.value === '' ? NONE : String(f.value);
  const list = select(props, [['', T.form.unset], ...options], now);
  list.onchange = () => f.onSet(list.value === '' ? undefined : read(list.value));
  return list;
}
const NONE = 'none'; // a choice that is no sign at all
/** A choice as people call it, where it is a sign or nothing. @param {string} choice */
const choiceName = choice => (choice === '' ? T.form.none : choice === ' ' ? T.form.blank : /^[^\w]$/.test(choice) ? signName(choice) : choice);

/** A list beside an input, from which one may take. @param {Field} f @param {Object<string, any>} props */
function offer(f, props) {
  if (!f.offered || !f.offered.length) return [];
  props.list = 'offered-' + f.name;
  return h('datalist', { id: props.list }, f.offered.slice(0, MOST_OFFERED).map(text => h('option', { value: text })));
}
const MOST_OFFERED = 500;

/** @param {Field} f @param {Object<string, any>} props */
function textInput(f, props) {
  const shown = f.value === undefined ? '' : [f.value].flat().join(', ');
  const read = READERS[f.kind === 'files' && Array.isArray(f.value) ? 'texts' : f.kind];
  const input = h('input', {
    ...props,
    type: 'text',
    inputmode: ['number', 'whole'].includes(f.kind) ? 'decimal' : 'text',
    value: shown,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  input.onchange = () => {
    const text = f.name.endsWith('.separator') ? input.value : input.value.trim(); // a blank separates, too
    if (input.value !== shown) f.onSet(text === '' ? undefined : read ? read(text) : text);
  };
  return input;
}

/** @param {Field} f */
function inputOf(f) {
  const props = { 'data-test': 'field:' + f.name, title: f.help, 'aria-invalid': f.bad ? 'true' : 'false' };
  /** @type {[string, string][]} */
  const yesNo = [
    ['true', T.form.yes],
    ['false', T.form.no],
  ];
  if (f.kind === 'flag') return choiceInput(f, props, yesNo, text => text === 'true');
  if (f.kind !== 'choice') return [offer(f, props), textInput(f, props)];
  const choices = f.choices || [];
  return choiceInput(
    f,
    props,
    choices.map(choice => [choice || NONE, (f.names && f.names[choice]) || choiceName(choice)]),
    text => (text === NONE && choices.includes('') ? '' : text),
  );
}

/** @param {Field} f */
export function field(f) {
  return h(
    'div',
    { class: 'field' + (f.bad ? ' bad' : '') },
    h('label', null, h('span', { class: 'name' }, f.label), inputOf(f)),
    f.onFile ? h('button', { type: 'button', class: 'small', 'data-test': 'field-file:' + f.name, onclick: f.onFile }, T.options.file) : [],
    f.bad ? h('p', { class: 'bad', role: 'alert' }, f.bad) : [],
  );
}
