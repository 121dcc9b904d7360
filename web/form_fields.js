// SPDX-License-Identifier: Apache-2.0
// One key of a job as a field: what is written is the value, nothing written is nothing said.
import { h, select } from './dom.js';
import { plainValue } from './toml.js';
import { T } from './texts.js';

/** @typedef {{ name: string, kind: string, choices?: string[], value: any, label: string, help?: string, bad: string, onSet: (value: any) => void }} Field */

/** @param {Field} f */
function inputOf(f) {
  const props = { 'data-test': 'field:' + f.name, 'aria-invalid': f.bad ? 'true' : 'false' };
  if (f.kind === 'flag') {
    const list = select(props, [['', T.form.unset], ['true', T.form.yes], ['false', T.form.no]], f.value === undefined ? '' : String(f.value));
    list.onchange = () => f.onSet(list.value === '' ? undefined : list.value === 'true');
    return list;
  }
  if (f.kind === 'choice') {
    const list = select(props, [['', T.form.unset], ...(f.choices || []).map(c => /** @type {[string, string]} */ ([c, c]))], f.value === undefined ? '' : String(f.value));
    list.onchange = () => f.onSet(list.value === '' ? undefined : list.value);
    return list;
  }
  const shown = f.value === undefined ? '' : Array.isArray(f.value) ? f.value.join(', ') : String(f.value);
  const input = h('input', { ...props, type: 'text', inputmode: f.kind === 'number' ? 'decimal' : 'text', value: shown, autocomplete: 'off', spellcheck: 'false' });
  const read = () => { const text = f.kind === 'separator' ? input.value : input.value.trim();
    return text === '' ? undefined : f.kind === 'list' ? text.split(',').map((/** @type {string} */ t) => plainValue(t.trim())) : f.kind === 'number' ? plainValue(text) : f.kind === 'words' ? text : Array.isArray(f.value) ? text.split(',').map((/** @type {string} */ t) => t.trim()) : plainIfNumber(f, text); };
  input.onchange = () => { if (input.value !== shown) f.onSet(read()); };
  return input;
}

/** A text stays a text unless it is a number where numbers may stand. @param {Field} f @param {string} text */
const plainIfNumber = (f, text) => f.kind === 'mixed' ? plainValue(text) : text;

/** @param {Field} f */
export function field(f) {
  return h('div', { class: 'field' + (f.bad ? ' bad' : '') }, h('label', null, h('span', { class: 'name' }, f.label), inputOf(f)),
    f.help ? h('p', { class: 'soft' }, f.help) : [], f.bad ? h('p', { class: 'bad', role: 'alert' }, f.bad) : []);
}
