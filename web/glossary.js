// SPDX-License-Identifier: Apache-2.0
// Words of the field, explained where they stand: hover, focus or touch one and a sentence says what
// it means. Labels become words by themselves wherever one of them is a word of the glossary.
import { h } from './dom.js';
import { T } from './texts.js';

/** @type {HTMLElement|null} */
let open = null;
const box = h('div', { class: 'gloss', role: 'tooltip', id: 'gloss', popover: 'manual', 'data-test': 'gloss' });

function hide() {
  if (open) open.removeAttribute('aria-describedby');
  open = null;
  if (box.matches(':popover-open')) box.hidePopover();
}
/** @param {HTMLElement} word @param {string} key */
function show(word, key) {
  if (!box.isConnected) document.body.append(box);
  hide();
  open = word;
  box.replaceChildren(h('b', null, T.glossary[key].name), ' ', T.glossary[key].text);
  word.setAttribute('aria-describedby', 'gloss');
  if (box.showPopover) box.showPopover();
  const at = word.getBoundingClientRect(),
    width = Math.min(320, window.innerWidth - 16);
  box.style.width = width + 'px';
  box.style.left = Math.max(8, Math.min(at.left, window.innerWidth - width - 8)) + 'px';
  const below = at.bottom + 6;
  box.style.top = (below + box.offsetHeight > window.innerHeight ? Math.max(8, at.top - box.offsetHeight - 6) : below) + 'px';
}

/** A word that explains itself. @param {string} key @param {string} [text] */
export function term(key, text) {
  if (!T.glossary[key]) return text || key;
  const word = h(
    'button',
    {
      type: 'button',
      class: 'term',
      'data-test': 'term:' + key,
      'aria-label': text === '?' ? T.glossary[key].name : undefined,
      onmouseenter: () => show(word, key),
      onmouseleave: hide,
      onfocus: () => show(word, key),
      onblur: hide,
      onclick: (/** @type {Event} */ e) => {
        e.preventDefault();
        e.stopPropagation();
        show(word, key);
      },
      onkeydown: (/** @type {KeyboardEvent} */ e) => {
        if (e.key === 'Escape') hide();
      },
    },
    text || T.glossary[key].name,
  );
  return word;
}
