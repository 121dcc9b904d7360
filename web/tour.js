// SPDX-License-Identifier: Apache-2.0
// The tour: six steps through an example, each beside the part of the page that it is about. It is
// no dialog: the page can be used while it is open, and Escape ends it.
import { h, refill } from './dom.js';
import { isOver } from './store.js';
import { T } from './texts.js';

const EXAMPLE = 'example:business.toml';

/** What each step shows, and how the page gets there. @param {any} store @returns {{ place: string, at: string, released?: boolean, click?: string, go?: () => Promise<any> }[]} */
const stepsOf = store => [
  {
    place: 'open',
    at: '[data-test="drop"]',
  },
  {
    place: 'table',
    at: '#grid',
    go: async () => {
      const known = store.documents.find((/** @type {any} */ d) => d.file === EXAMPLE);
      if (known) await store.use(known.id);
      else await store.open(EXAMPLE);
    },
  },
  { place: 'rules', at: '[data-test="rule:0"]' },
  {
    place: 'protect',
    at: '[data-test="start"]',
    go: async () => {
      if (!store.runs.length) await store.start('protect', { method: 'suppress' });
    },
  },
  // a cell that is withheld for the sake of others
  { place: 'table', at: '[data-test="pane"]', released: true, click: '#grid td.w:not(.s-p)' },
  { place: 'release', at: '[data-test="verdict"]', released: true },
];

/** @param {any} store */
export function makeTour(store) {
  let at = -1;
  const box = h('aside', { class: 'tour', hidden: true, 'data-test': 'tour', 'aria-label': T.tour.title, tabIndex: -1 });
  /** @type {Element|null} */
  let lit = null;
  const unlight = () => lit && lit.classList.remove('lit');
  function end() {
    at = -1;
    unlight();
    box.hidden = true;
  }
  /** The first that can be seen, as soon as it can; null if the step is left meanwhile. @param {string} what @param {number} k */
  const found = async (what, k) => {
    while (at === k) {
      const element = [...document.querySelectorAll(what)].find(e => e.checkVisibility());
      if (element) return element;
      await new Promise(done => {
        setTimeout(done, 50);
      });
    }
    return null;
  };
  /** The run of the example has ended, or the step is left. @param {number} k */
  const runOver = async k => {
    while (at === k && store.runs.some((/** @type {any} */ r) => !isOver(r)))
      await new Promise(done => {
        setTimeout(done, 50);
      });
  };
  /** @param {number} k */
  async function show(k) {
    const steps = stepsOf(store),
      step = steps[k],
      words = T.tour.steps[k];
    at = k;
    unlight();
    delete box.dataset.shown;
    const waiting = h('p', { class: 'soft', role: 'status' });
    const button = (/** @type {string} */ test, /** @type {string} */ name, /** @type {() => any} */ f, cls = '') =>
      h('button', { type: 'button', class: cls, 'data-test': test, onclick: f }, name);
    refill(
      box,
      h('p', { class: 'soft' }, T.tour.step(k + 1, steps.length)),
      h('h2', null, words.title),
      words.text.map((/** @type {string} */ text) => h('p', null, text)),
      waiting,
      h(
        'div',
        { class: 'row' },
        k ? button('tour-back', T.tour.back, () => store.attempt(() => show(k - 1))) : [],
        k + 1 < steps.length
          ? button('tour-next', T.tour.next, () => store.attempt(() => show(k + 1)), 'main')
          : button('tour-own', T.tour.own, () => { end(); store.go('open'); }, 'main'),
        h('span', { class: 'grow' }),
        button('tour-end', T.tour.end, end, 'quiet'),
      ),
    );
    box.hidden = false;
    box.focus();
    if (step.go) await step.go();
    if (at !== k) return;
    if (step.released) {
      waiting.textContent = store.runs.every(isOver) ? '' : T.tour.waiting;
      await runOver(k);
      waiting.textContent = '';
      if (at !== k) return;
      const last = store.runs.filter((/** @type {any} */ r) => r.state === 'done').pop();
      if (last && store.run !== last) store.show(last);
    }
    store.go(step.place);
    if (step.click) {
      const cell = /** @type {any} */ (await found(step.click, k));
      if (cell) cell.click();
    }
    lit = await found(step.at, k);
    if (!lit || at !== k) return;
    lit.classList.add('lit');
    box.dataset.shown = String(k + 1);
  }
  window.addEventListener('keydown', event => {
    if (event.key === 'Escape' && at >= 0 && !document.querySelector('dialog[open]')) end();
  });
  store.on('tour', () => store.attempt(() => show(0)));
  return box;
}
