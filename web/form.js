// SPDX-License-Identifier: Apache-2.0
// Rules: what was understood of a file, as a form and as the text of a job, one and the same. Every
// change is read by the program (a document of its own, which becomes the document when it is
// taken over), so that errors stand beside their place and the number of sensitive cells is told.
import * as api from './api.js';
import { columnsForm } from './columns_form.js';
import { dimensionsForm } from './dimensions_form.js';
import { h, later, refill } from './dom.js';
import { makeJobText } from './job_text.js';
import { rulesForm, sectionForm } from './rules_form.js';
import { grouped } from './shared/data.js';
import { readToml } from './toml.js';
import { T } from './texts.js';

const LIVE = 20000; // cells up to which every change is read at once

/** Which dimensions are crossed where a job has several tables. @param {any[]} sections */
function tablesPart(sections) {
  const tables = sections.filter(s => s.name === 'table');
  const value = (/** @type {any} */ s, /** @type {string} */ key) => s.keys.get(key)?.value;
  return tables.length
    ? [
        h('h2', null, T.form.tables),
        h(
          'table',
          { class: 'plain' },
          h(
            'tbody',
            null,
            tables.map(s =>
              h(
                'tr',
                null,
                h('th', { scope: 'row' }, String(value(s, 'name') || '')),
                h('td', { class: 'soft' }, [value(s, 'dimensions') || []].flat().join(' × ')),
              ),
            ),
          ),
        ),
      ]
    : [];
}

/** @param {any} store */
export function makeRulesPlace(store) {
  /** @type {any} */
  const state = {
    text: '',
    base: '',
    file: '',
    columns: null,
    dims: [],
    error: null,
    preview: null,
    tree: '',
    treeError: '',
    asked: 0,
  };
  const number = (/** @type {number} */ n) => grouped(String(n));
  const fields = h('div', { class: 'job-form' }),
    outcome = h('div', { class: 'outcome', 'data-test': 'job-outcome', role: 'status' });
  const apply = h(
    'button',
    { type: 'button', class: 'main', 'data-test': 'apply', onclick: () => store.attempt(take) },
    T.rules.apply,
  );
  const check = h(
    'button',
    { type: 'button', 'data-test': 'check', onclick: () => store.attempt(read) },
    T.rules.check,
  );
  const revert = h(
    'button',
    { type: 'button', 'data-test': 'revert', onclick: () => setText(state.base) },
    T.rules.revert,
  );
  const save = h('button', { type: 'button', 'data-test': 'save-job', onclick: () => saveText() }, T.rules.save);
  const jobText = makeJobText({
    onInput: text => {
      state.text = text;
      drawForm();
      changed();
    },
  });
  const checkSoon = later(() => {
    if (state.text !== state.base && (!store.document || store.document.cells <= LIVE)) store.attempt(read);
  }, 500);

  /** The mistake that stands in this line of the job. @param {number} line */
  const bad = line => (state.error && state.error.line === line && isJob(state.error.file) ? state.error.message : '');
  /** @param {string} file */
  const isJob = file => !file || /\.toml$/.test(file) || file === 'job';

  function drawForm() {
    let sections;
    try {
      sections = readToml(state.text);
    } catch (error) {
      refill(fields, h('p', { class: 'bad' }, T.rules.unreadable(/** @type {Error} */ (error).message)));
      return;
    }
    const how = { sections, text: state.text, onText: setText, bad };
    const opened = new Map(
      [...fields.querySelectorAll('details[data-test]')].map(d => [
        d.getAttribute('data-test'),
        /** @type {any} */ (d).open,
      ]),
    );
    refill(
      fields,
      h('h2', null, T.form.columns),
      state.columns ? columnsForm({ ...how, columns: state.columns }) : h('p', { class: 'soft' }, T.form.noColumns),
      h('h2', null, T.form.dimensions),
      dimensionsForm({ ...how, dims: state.dims, state, redraw: drawForm }),
      tablesPart(sections),
      h('h2', null, T.form.rules),
      rulesForm(how),
      ['levels', 'attackers', 'weights', 'bounds', 'defaults', 'input'].map(name => sectionForm(how, name)),
    );
    for (const d of fields.querySelectorAll('details[data-test]')) {
      const was = opened.get(d.getAttribute('data-test'));
      if (was !== undefined && !d.querySelector('.bad')) /** @type {any} */ (d).open = was;
    }
  }
  function drawOutcome() {
    const { error, preview } = state,
      changes = state.text !== state.base;
    apply.disabled = !changes && !!store.document;
    revert.disabled = !changes;
    check.disabled = !state.text;
    jobText.mark(error && isJob(error.file) ? error.line : 0);
    if (error)
      refill(
        outcome,
        h(
          'p',
          { class: 'bad', 'data-test': 'job-error' },
          error.where ? h('b', null, error.where + ': ') : [],
          error.message,
        ),
      );
    else if (preview)
      refill(
        outcome,
        h('p', { class: 'good' }, T.rules.would(preview, store.document, number)),
        preview.notes.slice(0, 5).map((/** @type {string} */ n) => h('p', { class: 'soft' }, n)),
      );
    else
      refill(
        outcome,
        store.document
          ? [
              h('p', { 'data-test': 'understood' }, T.rules.understood(store.document, number)),
              store.document.against ? h('p', { class: 'soft' }, store.document.against) : [],
              store.document.notes.slice(0, 8).map((/** @type {string} */ n) => h('p', { class: 'soft' }, n)),
            ]
          : [],
      );
  }
  function changed() {
    dropPreview();
    state.error = null;
    ++state.asked;
    drawOutcome();
    checkSoon();
  }
  /** @param {string} text */
  function setText(text) {
    state.text = text;
    jobText.set(text);
    changed();
    drawForm();
  }
  function dropPreview() {
    if (state.preview) api.remove('documents/' + state.preview.id).catch(() => {});
    state.preview = null;
  }
  async function read() {
    const mine = ++state.asked,
      text = state.text;
    outcome.classList.add('busy');
    try {
      const preview = await api.post('documents', { file: state.file, job: text });
      if (mine !== state.asked || text !== state.text) {
        api.remove('documents/' + preview.id).catch(() => {});
        return;
      }
      dropPreview();
      state.preview = preview;
      store.previews.add(preview.id);
      state.error = null;
      if (preview.columns) state.columns = preview.columns;
      if (preview.cells <= LIVE) state.dims = (await api.get(`documents/${preview.id}/page`)).dimensions;
    } catch (error) {
      if (mine !== state.asked) return;
      if (!(error instanceof api.ApiError) || error.status !== 422) throw error;
      dropPreview();
      state.error = error;
    } finally {
      outcome.classList.remove('busy');
    }
    drawForm();
    drawOutcome();
  }
  async function take() {
    if (!state.preview) await read();
    if (!state.preview) return;
    const { id } = state.preview;
    state.preview = null;
    store.previews.delete(id);
    await store.loadDocuments();
    await store.use(id);
    store.say(T.rules.taken(store.document, number), true);
  }
  function saveText() {
    const link = h('a', {
      href: URL.createObjectURL(new Blob([state.text], { type: 'application/toml' })),
      download: (store.document || state).name?.replace(/\.\w+$/, '') + '.toml',
    });
    link.click();
    URL.revokeObjectURL(link.href);
  }
  async function start() {
    const d = store.document,
      draft = store.draft;
    dropPreview();
    Object.assign(state, {
      base: d ? d.job || '' : draft ? draft.job || '' : '',
      file: d ? d.file : draft ? draft.file : '',
      name: d ? d.name : '',
      columns: (d || draft || {}).columns || null,
      dims: [],
      error: draft ? draft.error : null,
      tree: '',
    });
    state.text = state.base;
    ++state.asked;
    jobText.set(state.text);
    drawForm();
    drawOutcome();
    if (d && d.job && d.kind !== 'argus' && d.cells <= 2000000) {
      const view = await store.attempt(store.load);
      if (view && store.document === d) {
        state.dims = view.data.dims;
        drawForm();
      }
    }
  }
  /** @type {any} */
  let shown = null;
  store.on('changed', () => {
    shown = null;
  });
  const none = h('p', { class: 'soft' }, T.rules.noJob);
  const body = h(
    'div',
    { class: 'split even tall' },
    h('div', { class: 'wide scroller' }, fields),
    h(
      'div',
      { class: 'wide text-side' },
      h('div', { class: 'row' }, h('h2', null, T.rules.text), h('span', { class: 'grow' }), save),
      jobText.element,
      outcome,
      h('div', { class: 'row' }, apply, check, revert),
    ),
  );
  const element = h(
    'section',
    { class: 'place rules', 'data-test': 'here-rules', 'aria-label': T.places.rules },
    h('h1', { class: 'unseen' }, T.places.rules),
    none,
    body,
  );
  return {
    element,
    show: () => {
      const now = store.document || store.draft;
      const without = !!store.document && store.document.job === null;
      none.hidden = !without;
      body.hidden = without;
      if (now === shown || without) return;
      shown = now;
      start();
    },
  };
}
