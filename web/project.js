// SPDX-License-Identifier: Apache-2.0
// The project: all that is open, its decisions, runs and releases, in one file of the folder that
// opens again another day. Once it has a name it is kept up to date by itself.
import * as api from './api.js';
import { ask, h, later, refill } from './dom.js';
import { isOver } from './store.js';
import { T } from './texts.js';

const SOON = 1500; // milliseconds after the last change

/** @param {string} name */
const withEnding = name => (/\.lacuna$/.test(name) ? name : name + '.lacuna');

/** @param {any} store */
export function makeProject(store) {
  let file = store.kept.project || '';
  let saved = 0;
  let failed = '';
  const body = (/** @type {boolean} */ overwrite) => ({ file, overwrite, page: { history: store.historyText() } });
  /** @param {boolean} overwrite */
  async function write(overwrite) {
    await api.post('project', body(overwrite));
    saved = Date.now();
    failed = '';
    store.keep({ project: file });
    draw();
  }
  const saveSoon = later(async () => {
    if (!file || !store.about) return;
    try {
      await write(true);
    } catch (error) {
      failed = store.sentenceOf(error); // said in its place: it must not get in the way
      draw();
    }
  }, SOON);
  for (const event of ['documents', 'changed', 'ended', 'history']) store.on(event, () => file && saveSoon());

  const name = h('input', { type: 'text', 'data-test': 'project-name', 'aria-label': T.project.name, placeholder: T.project.example, autocomplete: 'off', spellcheck: 'false' });
  const save = () =>
    store.attempt(async () => {
      const wanted = withEnding((name.value.trim() || T.project.example).replace(/\s+/g, '-'));
      file = wanted;
      try {
        await write(false);
      } catch (error) {
        file = '';
        if (!(error instanceof api.ApiError && error.status === 409)) throw error;
        if (!(await ask({ ...T.project.exists(wanted), test: 'project-exists' }))) return;
        file = wanted;
        await write(true);
      }
      store.emit('files');
    });
  const element = h('div', { class: 'project', 'data-test': 'project' });
  const download = () => store.attempt(() => api.download('project', file || 'project.lacuna'));
  function draw() {
    const some = store.documents.length > 0;
    const button = (/** @type {string} */ test, /** @type {string} */ text, /** @type {() => any} */ f) =>
      h('button', { type: 'button', class: 'small', 'data-test': test, disabled: !some, onclick: f }, text);
    refill(
      element,
      file
        ? [
            h('p', null, h('b', null, file), ' ', h('span', { class: 'soft', 'data-test': 'project-saved' }, saved ? T.project.saved(new Date(saved).toLocaleTimeString(T.language)) : '')),
            failed ? h('p', { class: 'bad', role: 'alert' }, T.project.failed(failed)) : [],
            h('div', { class: 'row wrap' }, button('project-save', T.project.now, () => store.attempt(() => write(true))), button('project-download', T.project.download, download), button('project-leave', T.project.leave, () => {
              file = '';
              store.keep({ project: '' });
              draw();
            })),
          ]
        : [
            h('p', { class: 'soft' }, T.project.text),
            h('div', { class: 'row wrap' }, name, button('project-save-as', T.project.save, save), button('project-download', T.project.download, download)),
          ],
    );
  }
  store.on('documents', draw);
  // Opens a project beside what is open: its tables, decisions and runs, which are audited again.
  store.openProject = async (/** @type {string} */ from) => {
    const answer = await api.post('projects', { file: from });
    store.setHistory((answer.page && answer.page.history) || []);
    if (!/^(upload|example):/.test(from)) {
      file = from;
      store.keep({ project: file });
    }
    await store.loadDocuments();
    const [first] = answer.documents;
    if (first) {
      await store.use(first);
      store.go('table');
    }
    const open = store.runs.filter((/** @type {any} */ r) => !isOver(r)).length;
    store.say(answer.notes.length ? answer.notes.join(' ') : T.project.opened(answer.documents.length, answer.runs.length, open), !answer.notes.length);
    draw();
  };
  draw();
  return element;
}
