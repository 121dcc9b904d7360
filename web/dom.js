// SPDX-License-Identifier: Apache-2.0
// Elements in one line: h('button', { class: 'main', onclick: f, 'data-test': 'go' }, 'Go').
// Text only ever becomes a text node; nothing is read as HTML.
import { begun } from './busy.js';

const PROPERTIES = new Set([
  'value',
  'checked',
  'disabled',
  'hidden',
  'selected',
  'open',
  'readOnly',
  'tabIndex',
  'multiple',
  'indeterminate',
]);

/** @param {Element} element @param {string} name @param {any} value */
function setOne(element, name, value) {
  if (value === undefined || value === null) return;
  if (name.startsWith('on') || PROPERTIES.has(name)) /** @type {any} */ (element)[name] = value;
  else if (name === 'class') element.setAttribute('class', value);
  else if (value !== false || name.startsWith('aria-'))
    element.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : String(value));
}

/** @param {Element} element @param {any[]} children */
function addAll(element, children) {
  for (const child of children.flat(4))
    if (child !== undefined && child !== null && child !== false) element.append(child);
}

/** @param {string} tag @param {Object<string, any>|null} [props] @param {...any} children @returns {any} */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  addAll(element, children);
  for (const [name, value] of Object.entries(props || {})) setOne(element, name, value);
  return element;
}

/** The same for SVG. @param {string} tag @param {Object<string, any>|null} [props] @param {...any} children @returns {any} */
export function s(tag, props, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(props || {})) setOne(element, name, value);
  addAll(element, children);
  return element;
}

/** A select with named values. @param {Object<string, any>} props @param {[string, string][]} options @param {string} value @returns {any} */
export function select(props, options, value) {
  const element = h(
    'select',
    props,
    options.map(([key, name]) => h('option', { value: key }, name)),
  );
  element.value = value;
  return element;
}

/** Redraws a place without losing the focus: what has the focus is found again by its data-test.
 * @param {Element} place @param {any[]} children */
export function refill(place, ...children) {
  const active = document.activeElement;
  const key = active && place.contains(active) ? active.getAttribute('data-test') : null;
  const at = key && /** @type {any} */ (active).selectionStart;
  place.replaceChildren();
  addAll(place, children);
  if (!key) return;
  const again = /** @type {any} */ (place.querySelector(`[data-test="${CSS.escape(key)}"]`));
  if (!again) return;
  again.focus({ preventScroll: true });
  if (typeof at === 'number' && again.setSelectionRange && again.type !== 'number') again.setSelectionRange(at, at);
}

/** Calls f once, `wait` milliseconds after the last call. @param {() => void} f @param {number} wait */
export function later(f, wait) {
  let timer = 0,
    over = () => {};
  return () => {
    clearTimeout(timer);
    over();
    const done = begun();
    over = done;
    timer = window.setTimeout(() => {
      done();
      f();
    }, wait);
  };
}

/** A button that copies a text. @param {() => string} text @param {string} name @param {string} done @param {string} test */
export function copyButton(text, name, done, test) {
  const button = h('button', { class: 'small', type: 'button', 'data-test': test }, name);
  button.onclick = async () => {
    await navigator.clipboard.writeText(text());
    button.textContent = done;
    setTimeout(() => {
      button.textContent = name;
    }, 1500);
  };
  return button;
}

/** Asks before something is lost. Nothing happens unless it is said: the other button has the focus.
 * @param {{ text: string, yes: string, no: string, test: string }} how @returns {Promise<boolean>} */
export function ask({ text, yes, no, test }) {
  return new Promise(done => {
    const stay = h('button', { type: 'button', class: 'main', 'data-test': test + '-no' }, no),
      go = h('button', { type: 'button', 'data-test': test + '-yes' }, yes);
    const dialog = h(
      'dialog',
      { class: 'ask', 'aria-label': text, 'data-test': test },
      h('p', null, text),
      h('div', { class: 'row' }, stay, go),
    );
    let answer = false;
    stay.onclick = () => dialog.close();
    go.onclick = () => {
      answer = true;
      dialog.close();
    };
    dialog.onclose = () => {
      dialog.remove();
      done(answer);
    };
    document.body.append(dialog);
    dialog.showModal();
    stay.focus();
  });
}

/** A table of names and numbers; a row is a list of its cells. @param {any[]} heads @param {any[][]} rows */
export const plainTable = (heads, rows) =>
  h(
    'table',
    { class: 'plain' },
    heads.length ? h('thead', null, h('tr', null, heads)) : [],
    h(
      'tbody',
      null,
      rows.map(row => h('tr', null, row)),
    ),
  );
