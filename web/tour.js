// SPDX-License-Identifier: Apache-2.0
// The tour: six steps through an example, each beside the part of the page that it is about. It is
// no dialog: the page can be used while it is open, and Escape ends it.
import { h, refill } from './dom.js';
import { T } from './texts.js';

const EXAMPLE = 'example:business.toml';

/** What each step shows, and how the page gets there. @param {any} store @returns {{ place: string, at: string, go?: () => Promise<any> }[]} */
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
  { place: 'table', at: '[data-test="pane"]' },
  { place: 'release', at: '[data-test="verdict"]' },
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
  /** @param {string} what */
  const found = async what => {
    for (let tries = 0; tries < 40; ++tries) {
      const element = [...document.querySelectorAll(what)].find(e => e.checkVisibility());
      if (element) return element;
      await new Promise(done => {
        setTimeout(done, 100);
      });
    }
    return null;
  };
  /** @param {number} k */
  async function show(k) {
    const steps = stepsOf(store),
      step = steps[k],
      words = T.tour.steps[k];
    at = k;
    const button = (/** @type {string} */ test, /** @type {string} */ name, /** @type {() => any} */ f, cls = '') =>
      h('button', { type: 'button', class: cls, 'data-test': test, onclick: f }, name);
    refill(
      box,
      h('p', { class: 'soft' }, T.tour.step(k + 1, steps.length)),
      h('h2', null, words.title),
      words.text.map((/** @type {string} */ text) => h('p', null, text)),
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
    if (step.place === 'release' || (step.place === 'table' && k > 1)) {
      const last = store.runs.filter((/** @type {any} */ r) => r.state === 'done').pop();
      if (last && store.run !== last) store.show(last);
    }
    store.go(step.place);
    if (k === 4) chooseWithheld();
    unlight();
    lit = await found(step.at);
    if (lit && at === k) lit.classList.add('lit');
  }
  // A cell that is withheld for the sake of others.
  function chooseWithheld() {
    setTimeout(() => {
      const cell = /** @type {any} */ (document.querySelector('#grid td.w:not(.s-p)'));
      if (cell) cell.click();
    }, 600);
  }
  window.addEventListener('keydown', event => {
    if (event.key === 'Escape' && at >= 0 && !document.querySelector('dialog[open]')) end();
  });
  store.on('tour', () => store.attempt(() => show(0)));
  return box;
}
