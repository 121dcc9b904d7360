// SPDX-License-Identifier: Apache-2.0
// A form made from the program's own list of options: those of the method, the rarer ones folded.
import { upload } from './api.js';
import { h, refill, select } from './dom.js';
import { T } from './texts.js';

// Options that a run usually needs; all others of a method are its own and stand open as well.
const COMMON = ['weights', 'effort', 'gap', 'time-limit'];
// The page has places of its own for these, or they belong to the command line.
const LEFT_OUT = [
  'method',
  'output',
  'public',
  'certificate',
  'json',
  'quiet',
  'trace',
  'checkpoint',
  'calendar',
  'record',
  'IN',
  'pattern',
  'collapse',
];

/** @param {any} option @param {string} method */
const applies = (option, method) =>
  !LEFT_OUT.includes(option.name) && (!option.methods || !option.methods.length || option.methods.includes(method));
/** @param {any} option */
const isCommon = option => COMMON.includes(option.name) || (option.methods && option.methods.length > 0);

/** What the input takes, with the limits of the option. @param {any} option @param {string} value */
function inputOf(option, value) {
  const props = { 'data-test': 'option:' + option.name, name: option.name, 'aria-describedby': 'help-' + option.name };
  if (option.kind === 'flag') return h('input', { ...props, type: 'checkbox', checked: value === 'true' });
  if (option.kind === 'choice' || option.kind === 'one of')
    return select(
      props,
      [['', T.options.default(option.default)], ...option.choices.map((/** @type {string} */ c) => [c, c])],
      value,
    );
  const numeric = option.kind !== 'text' && option.kind !== 'list';
  return h('input', {
    ...props,
    type: 'text',
    inputmode: numeric ? 'decimal' : 'text',
    value,
    autocomplete: 'off',
    placeholder: String(option.absent || option.default || ''),
  });
}

/** A file of the user's goes to the server; its name there is the value. @param {any} option @param {any} input @param {() => void} done @param {(error: any) => void} fail */
function filePicker(option, input, done, fail) {
  const pick = h('input', {
    type: 'file',
    class: 'hidden-input',
    tabIndex: -1,
    'aria-label': option.name,
    'data-test': 'option-file:' + option.name,
  });
  pick.onchange = async () => {
    const file = pick.files[0];
    if (!file) return;
    try {
      input.value = (await upload([file]))[0];
      done();
    } catch (error) {
      fail(error);
    }
    pick.value = '';
  };
  return [h('button', { type: 'button', class: 'small', onclick: () => pick.click() }, T.options.file), pick];
}

/** @param {{ onChange: () => void, onFail: (error: any) => void }} how */
export function makeOptionsForm({ onChange, onFail }) {
  const element = h('div', { class: 'options' });
  /** @type {Map<string, string>} */
  const values = new Map();
  /** @type {any[]} */
  let options = [];
  let method = '';
  /** @param {any} option */
  function line(option) {
    const input = inputOf(option, values.get(option.name) || '');
    const change = () => {
      const value = option.kind === 'flag' ? (input.checked ? 'true' : '') : input.value.trim();
      if (value) values.set(option.name, value);
      else values.delete(option.name);
      onChange();
    };
    input.onchange = change;
    if (input.type === 'text') input.oninput = change;
    return h(
      'div',
      { class: 'option' + (option.kind === 'flag' ? ' flag' : '') },
      h(
        'div',
        { class: 'row' },
        h('label', { class: 'grow' }, h('span', { class: 'name', lang: 'en' }, option.name), input),
        option.file ? filePicker(option, input, change, onFail) : [],
      ),
      h(
        'p',
        { class: 'soft', id: 'help-' + option.name, lang: 'en' },
        option.help,
        option.unit || option.range ? ' (' + [option.range, option.unit].filter(Boolean).join(', ') + ')' : '',
      ),
    );
  }
  function draw() {
    const mine = options.filter(o => applies(o, method)),
      open = mine.filter(isCommon),
      folded = mine.filter(o => !isCommon(o));
    const own = open.filter(o => !COMMON.includes(o.name)),
      common = open.filter(o => COMMON.includes(o.name));
    const was = element.querySelector('details');
    refill(
      element,
      [...own, ...common].map(line),
      folded.length
        ? h(
            'details',
            { 'data-test': 'advanced', open: !!was && was.open },
            h('summary', null, T.options.advanced(folded.length)),
            folded.map(line),
          )
        : [],
    );
  }
  return {
    element,
    /** @param {any[]} list */
    setOptions: list => {
      options = list;
      draw();
    },
    /** @param {string} name */
    setMethod: name => {
      method = name;
      draw();
    },
    /** Only what the method takes and what was said. */
    chosen: () => {
      /** @type {Record<string, any>} */
      const out = {};
      for (const option of options)
        if (applies(option, method) && values.has(option.name))
          out[option.name] = option.kind === 'flag' ? true : values.get(option.name);
      return out;
    },
  };
}
