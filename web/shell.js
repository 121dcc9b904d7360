// SPDX-License-Identifier: Apache-2.0
// What stands around the places: the bar with the tabs, the choice of document and run, the line of
// state at the foot, and the line that tells of mistakes.
import { newWindow } from './api.js';
import { h, refill, s, select } from './dom.js';
import { FREE_PLACES, hasRelease, isOver, PLACES } from './store.js';
import { grouped } from './shared/data.js';
import { LANGUAGES, T } from './texts.js';

/** "3 · round" @param {any} run */
export const runName = run =>
  T.app.run(run.id, run.command === 'protect' ? run.options.method || 'suppress' : run.command);

/** @param {any} store */
function documentChoice(store) {
  const list = h('select', { 'data-test': 'document', 'aria-label': T.app.document });
  list.onchange = () => store.attempt(() => store.use(Number(list.value)));
  const draw = () => {
    const { documents, document, draft } = store;
    list.hidden = !documents.length;
    refill(
      list,
      document ? [] : h('option', { value: '' }, draft ? draft.file : T.app.noDocument),
      documents.map((/** @type {any} */ d) => h('option', { value: d.id }, d.id + ' · ' + d.name)),
    );
    list.value = document ? String(document.id) : '';
  };
  for (const event of ['documents', 'document', 'changed']) store.on(event, draw);
  draw();
  return list;
}

/** @param {any} store */
function runChoice(store) {
  const list = h('select', { 'data-test': 'run', 'aria-label': T.app.shown });
  list.onchange = () => store.show(store.runs.find((/** @type {any} */ r) => String(r.id) === list.value) || null);
  let drawn = '';
  const draw = () => {
    const runs = store.runs.filter(hasRelease),
      now = runs.map(runName).join() + (store.run && store.run.id) + store.document?.id;
    list.hidden = !runs.length;
    if (now === drawn) return;
    drawn = now;
    refill(
      list,
      h('option', { value: '' }, T.app.input),
      runs.map((/** @type {any} */ r) => h('option', { value: r.id }, runName(r))),
    );
    list.value = store.run ? String(store.run.id) : '';
  };
  for (const event of ['runs', 'run', 'document', 'changed']) store.on(event, draw);
  draw();
  return list;
}

/** Undo and redo across everything, and the list of what was done. @param {any} store */
function historyButtons(store) {
  const button = (/** @type {string} */ test, /** @type {string} */ sign, /** @type {() => any} */ f) =>
    h('button', { type: 'button', class: 'quiet', 'data-test': test, onclick: f }, sign);
  const back = button('undo-all', '↶', () => store.attempt(store.undo)),
    again = button('redo-all', '↷', () => store.attempt(store.redo)),
    list = button('show-history', '≡', () => store.emit('show-history'));
  const named = (/** @type {any} */ element, /** @type {string} */ name) => {
    element.title = name;
    element.setAttribute('aria-label', name);
  };
  named(list, T.history.title);
  const draw = () => {
    back.disabled = !store.canUndo();
    again.disabled = !store.canRedo();
    named(back, T.history.undo(store.undoName()));
    named(again, T.history.redo(store.redoName()));
  };
  for (const event of ['history', 'document', 'changed']) store.on(event, draw);
  draw();
  return h('span', { class: 'row tight' }, back, again, list);
}

/** The language goes into the address: the page is loaded again, and finds everything as it was. */
function languageChoice() {
  const list = select({ class: 'language', 'data-test': 'language', 'aria-label': T.app.language }, LANGUAGES.map(name => /** @type {[string, string]} */ ([name, T.languages[name]])), T.language);
  list.onchange = () => {
    const to = new URL(location.href);
    to.searchParams.set('lang', list.value);
    location.href = to.href;
  };
  return list;
}

/** Two windows; a letter for it is in few fonts. */
const windowsSign = () =>
  s('svg', { class: 'sign', width: 16, height: 16, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d: 'M5.5 5.5v-4h9v9h-4M1.5 5.5h9v9h-9z' }));

/** @param {any} store */
export function makeTop(store) {
  const tabs = PLACES.map((name, k) =>
    h(
      'button',
      {
        type: 'button',
        class: 'tab',
        'data-test': 'place-' + name,
        title: T.app.tabTitle(T.places[name], k + 1),
        onclick: () => store.go(name),
      },
      T.places[name],
    ),
  );
  const draw = () =>
    tabs.forEach((tab, k) => {
      tab.setAttribute('aria-current', store.place === PLACES[k] ? 'page' : 'false');
      if (store.place === PLACES[k]) tab.scrollIntoView({ block: 'nearest', inline: 'nearest' }); // of a narrow window
      tab.disabled = !FREE_PLACES.includes(PLACES[k]) && !store.document && !(PLACES[k] === 'rules' && store.draft);
    });
  store.on('place', draw);
  store.on('document', draw);
  draw();
  return h(
    'header',
    { class: 'top' },
    h(
      'a',
      {
        class: 'skip',
        href: '#main',
        onclick: (/** @type {Event} */ e) => {
          e.preventDefault();
          document.getElementById('main')?.focus();
        },
      },
      T.app.skip,
    ),
    h('span', { class: 'brand' }, h('img', { src: 'icon.svg', alt: '', width: 18, height: 18 }), T.app.name),
    h('nav', { 'aria-label': T.app.places }, tabs),
    h('span', { class: 'grow' }),
    historyButtons(store),
    documentChoice(store),
    runChoice(store),
    languageChoice(),
    h(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'data-test': 'new-window',
        'aria-label': T.app.newWindow,
        title: T.app.newWindow,
        onclick: () => store.attempt(newWindow),
      },
      windowsSign(),
    ),
    h(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'data-test': 'help',
        'aria-label': T.keys.title,
        title: T.keys.title,
        onclick: () => store.emit('help'),
      },
      '?',
    ),
  );
}

/** @param {any} store */
export function makeStatus(store) {
  const line = h('div', { class: 'status', 'data-test': 'status', role: 'status' });
  const draw = () => {
    const d = store.document,
      running = store.runs.filter((/** @type {any} */ r) => !isOver(r)).length;
    const parts = d ? T.app.status(d, (/** @type {number} */ n) => grouped(String(n))) : [T.app.version(store.about)];
    if (running) parts.push(T.app.running(running));
    line.replaceChildren(
      ...parts.map((/** @type {string} */ part) => h('span', null, part)),
      h('span', { class: 'grow' }),
      h('span', null, store.about ? store.about.folder : ''),
    );
  };
  for (const event of ['place', 'document', 'changed', 'runs']) store.on(event, draw);
  draw();
  return h('footer', null, line);
}

export function makeMessage() {
  const text = h('span', { class: 'grow' });
  const element = h(
    'div',
    { class: 'message', role: 'alert', hidden: true, 'data-test': 'message' },
    text,
    h(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'data-test': 'message-close',
        'aria-label': T.app.dismiss,
        onclick: () => {
          element.hidden = true;
        },
      },
      '×',
    ),
  );
  let timer = 0;
  return {
    element,
    show: (/** @type {any} */ what, good = false) => {
      clearTimeout(timer);
      refill(text, what);
      element.classList.toggle('good', good);
      element.hidden = !what;
      if (good)
        timer = window.setTimeout(() => {
          element.hidden = true;
        }, 5000);
    },
  };
}
