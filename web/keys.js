// SPDX-License-Identifier: Apache-2.0
// Shortcuts of the whole page, and the list of them under '?'.
import { h } from './dom.js';
import { redo, undo } from './decide.js';
import { FREE_PLACES, PLACES } from './store.js';
import { T } from './texts.js';

/** Whether keys are text here. @param {EventTarget|null} target */
const writes = target =>
  target instanceof HTMLElement && (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable);

/** @param {any} store */
function makeHelp(store) {
  const close = h('button', { type: 'button', class: 'main', onclick: () => dialog.close() }, T.keys.close);
  const dialog = h(
    'dialog',
    { class: 'help', 'aria-label': T.keys.title, 'data-test': 'help-dialog' },
    h('h2', null, T.keys.title),
    T.keys.groups.map((/** @type {any} */ group) => [
      h('h3', null, group.name),
      h(
        'table',
        { class: 'plain' },
        h(
          'tbody',
          null,
          group.keys.map((/** @type {[string, string]} */ [key, text]) =>
            h(
              'tr',
              null,
              h(
                'th',
                { scope: 'row' },
                key.split(' ').map(part => h('kbd', null, part)),
              ),
              h('td', null, text),
            ),
          ),
        ),
      ),
    ]),
    close,
  );
  document.body.append(dialog);
  store.on('help', () => {
    if (!dialog.open) dialog.showModal();
  });
}

/** @param {any} store @returns {Record<string, () => void>} */
const plain = store => ({
  '?': () => store.emit('help'),
  '/': () => {
    store.go('table');
    store.emit('find');
  },
  n: () => store.place === 'table' && store.emit('step', 1),
  N: () => store.place === 'table' && store.emit('step', -1),
  d: () => store.place === 'table' && store.emit('decide'),
  v: () => store.place === 'table' && store.emit('toggle-published'),
  g: () => store.place === 'table' && document.getElementById('grid')?.focus(),
});

/** @param {any} store */
export function makeKeys(store) {
  makeHelp(store);
  const actions = plain(store);
  window.addEventListener('keydown', event => {
    const control = event.ctrlKey || event.metaKey,
      key = event.key;
    if (control && !writes(event.target) && key.toLowerCase() === 'z' && !event.shiftKey) {
      event.preventDefault();
      undo(store);
      return;
    }
    if (control && !writes(event.target) && (key.toLowerCase() === 'y' || key.toLowerCase() === 'z')) {
      event.preventDefault();
      redo(store);
      return;
    }
    const place = /^[1-7]$/.test(key) ? PLACES[Number(key) - 1] : '',
      isThere = !!store.document || FREE_PLACES.includes(place);
    if (event.altKey && place) {
      event.preventDefault();
      if (isThere) store.go(place);
      return;
    }
    if (control || event.altKey || writes(event.target) || document.querySelector('dialog[open]')) return;
    if (place && isThere) {
      event.preventDefault();
      store.go(place);
      return;
    }
    if (actions[key] && (key === '?' || store.document)) {
      event.preventDefault();
      actions[key]();
    }
  });
  // A file that misses its place must not replace the page.
  for (const name of ['dragover', 'drop']) window.addEventListener(name, event => event.preventDefault());
}
