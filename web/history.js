// SPDX-License-Identifier: Apache-2.0
// What was done, in its order, whatever it was: decisions, tables closed, runs forgotten, jobs
// applied. Each entry knows how it is taken back and done again; the list goes with the project.
import { h, refill } from './dom.js';
import { T } from './texts.js';

const MOST = 300;

/** @typedef {{ text: string, time: number, undo: (() => Promise<any>)|null, redo: (() => Promise<any>)|null }} Act */

/** @param {any} store */
export function makeHistory(store) {
  /** @type {Act[]} */
  let done = [];
  /** @type {Act[]} */
  let undone = [];
  let busy = false;
  const changed = () => store.emit('history');

  /** @param {string} text @param {(() => Promise<any>)|null} [undo] @param {(() => Promise<any>)|null} [redo] */
  store.record = (text, undo = null, redo = null) => {
    if (busy) return; // what is taken back is not done anew
    done = [...done, { text, time: Date.now(), undo, redo }].slice(-MOST);
    undone = [];
    changed();
  };
  /** @param {'undo'|'redo'} way */
  async function step(way) {
    const from = way === 'undo' ? done : undone,
      act = from[from.length - 1];
    if (busy) return false;
    if (!act || !act[way]) {
      // after a reload the decisions of the table can still be taken back
      const can = store.document && (way === 'undo' ? store.document.can_undo : store.document.can_redo);
      if (can && !act) await store.attempt(() => store.change(way, {}));
      return false;
    }
    busy = true;
    try {
      await /** @type {() => Promise<any>} */ (act[way])();
      from.pop();
      (way === 'undo' ? undone : done).push(act);
      return true;
    } catch (error) {
      from.pop(); // it cannot be taken back any more
      store.fail(error);
      return false;
    } finally {
      busy = false;
      changed();
    }
  }
  store.undo = () => step('undo');
  store.redo = () => step('redo');
  store.undoName = () => (done.length && done[done.length - 1].undo ? done[done.length - 1].text : '');
  store.redoName = () => (undone.length ? undone[undone.length - 1].text : '');
  store.canUndo = () => !!store.undoName() || (!done.length && !!store.document && store.document.can_undo);
  store.canRedo = () => !!store.redoName() || (!undone.length && !!store.document && store.document.can_redo);
  store.historyText = () => done.map(({ text, time }) => ({ text, time }));
  store.setHistory = (/** @type {any[]} */ list) => {
    done = (list || []).map(({ text, time }) => ({ text: String(text), time: Number(time), undo: null, redo: null }));
    undone = [];
    changed();
  };
  makeDialog(store, () => done, () => undone);
}

/** The list, from which one goes back to any line. @param {any} store @param {() => Act[]} done @param {() => Act[]} undone */
function makeDialog(store, done, undone) {
  const list = h('ol', { class: 'history', 'data-test': 'history' }),
    close = h('button', { type: 'button', class: 'main', onclick: () => dialog.close() }, T.keys.close);
  const dialog = h(
    'dialog',
    { class: 'help', 'aria-label': T.history.title, 'data-test': 'history-dialog' },
    h('h2', null, T.history.title),
    h('p', { class: 'soft' }, T.history.help),
    list,
    close,
  );
  const time = (/** @type {number} */ at) => new Date(at).toLocaleTimeString(T.language, { hour: '2-digit', minute: '2-digit' });
  /** @param {number} k how many stay */
  const backTo = k =>
    store.attempt(async () => {
      while (done().length > k && (await store.undo()));
    });
  function draw() {
    const all = done();
    // what stands before one that cannot be taken back stays as well
    const firm = all.reduce((last, act, k) => (act.undo ? last : k + 1), 0);
    refill(
      list,
      all.length ? [] : h('li', { class: 'soft' }, T.history.nothing),
      all.map((act, k) =>
        h(
          'li',
          { class: 'row' },
          h('span', { class: 'soft' }, time(act.time)),
          h('span', { class: 'grow' }, act.text),
          k >= firm
            ? h('button', { type: 'button', class: 'small', 'data-test': 'back-to:' + k, onclick: () => backTo(k) }, T.history.back)
            : [],
        ),
      ),
      undone()
        .slice()
        .reverse()
        .map(act => h('li', { class: 'row soft' }, h('span', null, time(act.time)), h('s', { class: 'grow' }, act.text))),
    );
  }
  store.on('history', () => dialog.open && draw());
  store.on('show-history', () => {
    draw();
    if (!dialog.open) dialog.showModal();
  });
  document.body.append(dialog);
}
