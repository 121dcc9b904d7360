// SPDX-License-Identifier: Apache-2.0
// The job as text with line numbers; the line of a mistake is marked and brought into view.
import { h } from './dom.js';
import { T } from './texts.js';

/** @param {{ onInput: (text: string) => void }} how */
export function makeJobText({ onInput }) {
  const area = h('textarea', {
    'data-test': 'job',
    spellcheck: 'false',
    wrap: 'off',
    'aria-label': T.rules.text,
    autocomplete: 'off',
  });
  const gutter = h('div', { class: 'gutter', 'aria-hidden': 'true' }),
    lines = h('div');
  gutter.append(lines);
  let marked = 0,
    count = 0;
  function number() {
    const now = area.value.split('\n').length;
    if (now !== count) {
      count = now;
      lines.replaceChildren(
        ...Array.from({ length: now }, (_, k) => h('div', { class: k + 1 === marked ? 'marked' : '' }, String(k + 1))),
      );
    }
  }
  function mark(/** @type {number} */ line) {
    marked = line;
    count = 0;
    number();
    if (!line) return;
    const height = area.scrollHeight / Math.max(1, count);
    if (line * height < area.scrollTop || line * height > area.scrollTop + area.clientHeight)
      area.scrollTop = Math.max(0, (line - 4) * height);
  }
  area.oninput = () => {
    number();
    onInput(area.value);
  };
  area.onscroll = () => {
    lines.style.transform = `translateY(${-area.scrollTop}px)`;
  };
  // Tab goes on to the next field, as everywhere; the text needs none.
  return {
    element: h('div', { class: 'job-text' }, gutter, area),
    mark,
    /** @param {string} text */
    set: text => {
      if (area.value !== text) area.value = text;
      number();
    },
    readOnly: (/** @type {boolean} */ on) => {
      area.readOnly = on;
    },
  };
}
