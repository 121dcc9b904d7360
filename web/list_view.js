// SPDX-License-Identifier: Apache-2.0
// A long list of which only what is in view is drawn.
import { h } from './dom.js';

const LINE = 26;

/** @param {{ box: HTMLElement, row: (k: number) => HTMLElement }} how */
export function makeListView({ box, row }) {
  const space = h('div', { class: 'list-space' }),
    lines = h('div', { class: 'list-lines' });
  space.append(lines);
  box.replaceChildren(space);
  let count = 0;
  function draw() {
    const first = Math.max(0, Math.floor(box.scrollTop / LINE) - 4),
      last = Math.min(count, first + Math.ceil(box.clientHeight / LINE) + 8);
    lines.style.transform = `translateY(${first * LINE}px)`;
    lines.replaceChildren(...Array.from({ length: Math.max(0, last - first) }, (_, k) => row(first + k)));
  }
  box.addEventListener('scroll', () => requestAnimationFrame(draw));
  new ResizeObserver(draw).observe(box);
  return {
    draw,
    /** @param {number} n */
    setCount: n => {
      count = n;
      space.style.height = n * LINE + 'px';
      box.scrollTop = 0;
      draw();
    },
    /** @param {number} k */
    reveal: k => {
      if (k * LINE < box.scrollTop || (k + 1) * LINE > box.scrollTop + box.clientHeight)
        box.scrollTop = Math.max(0, (k - 3) * LINE);
      draw();
    },
  };
}
