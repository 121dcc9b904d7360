// SPDX-License-Identifier: Apache-2.0
// Rules: what was understood of a file, as a form and as the text of a job, one and the same. The
// form changes the value of the job, the editor its text; the server makes one of the other
// (job_source.js). Every change is read by the program (a document of its own, which becomes the
// document when it is taken over), so that errors stand beside their place and the number of
// sensitive cells is told.
import * as api from './api.js';
import { columnsForm } from './columns_form.js';
import { dimensionsForm } from './dimensions_form.js';
import { h, later, refill } from './dom.js';
import { makeJobSource } from './job_source.js';
import { makeJobText } from './job_text.js';
import { makeReading } from './reading.js';
import { plainSections, rulesForm, sectionForm } from './rules_form.js';
import { grouped } from './shared/data.js';
import { T } from './texts.js';

const LIVE = 20000; // cells up to which every change is read at once

/** Which dimensions are crossed where a job has several tables. @param {any} spec */
function tablesPart(spec) {
  const tables = spec.table || [];
  return tables.length
    ? [
        h('h2', null, T.form.tables),
        h(
          'table',
          { class: 'plain' },
          h(
            'tbody',
            null,
            tables.map((/** @type {any} */ table) =>
              h(
                'tr',
                null,
                h('th', { scope: 'row' }, String(table.name || '')),
                h('td', { class: 'soft' }, [table.dimensions || []].flat().join(' × ')),
              ),
            ),
          ),
        ),
      ]
    : [];
}

/** @param {number} n */
const number = n => grouped(String(n));
/** @param {string[]} notes @param {number} most */
const notesPart = (notes, most) => notes.slice(0, most).map(note => h('p', { class: 'soft' }, note));
/** Mistakes are in the job, or in a file that it names. @param {any} error */
const inJob = error => error && (!error.file || /\.toml$/.test(error.file));

/** What the program says of the job: a mistake, what would be, or what is. @param {any} error @param {any} preview @param {any} document */
function outcomeParts(error, preview, document) {
  if (error) {
    const where = error.where ? h('b', null, error.where + ': ') : [];
    return h('p', { class: 'bad', 'data-test': 'job-error' }, where, error.message);
  }
  if (preview)
    return [
      h('p', { class: 'good' }, T.rules.would(preview, document, number)),
      document && document.changes.length ? h('p', null, T.rules.decisions(document.changes.length)) : [],
      notesPart(preview.notes, 5),
    ];
  if (!document) return [];
  return [
    h('p', { 'data-test': 'understood' }, T.rules.understood(document, number)),
    document.against ? h('p', { class: 'soft' }, document.against) : [],
    notesPart(document.notes, 8),
  ];
}

/** Folded parts of the form stay as they were, unless a mistake is inside. @param {Element} fields @param {() => void} draw */
function keepingFolds(fields, draw) {
  const parts = () => /** @type {HTMLDetailsElement[]} */ ([...fields.querySelectorAll('details[data-test]')]);
  const opened = new Map(parts().map(part => [part.dataset.test, part.open]));
  draw();
  for (const part of parts()) {
    const was = opened.get(part.dataset.test);
    if (was !== undefined && !part.querySelector('.bad')) part.open = was;
  }
}

/** @param {string} text @param {string} name */
function saveText(text, name) {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/toml' }));
  h('a', { href, download: name.replace(/\.\w+$/, '') + '.toml' }).click();
  URL.revokeObjectURL(href);
}

const NO_JOB = { text: '', spec: {}, lines: {} };

/** What the form starts with: a document, or a draft of one that could not be read. @param {any} document @param {any} draft */
function startOf(document, draft) {
  const from = document || draft || {};
  return {
    base: from.job || NO_JOB,
    file: from.file || '',
    name: from.name || 'job',
    columns: from.columns || null,
    dims: [],
    error: (!document && draft && draft.error) || null,
    lost: [],
    asking: null,
    tree: '',
    treeError: '',
  };
}

/** @param {any} store */
export function makeRulesPlace(store) {
  /** @type {any} */
  const state = startOf(null, null);
  const reading = makeReading(store, LIVE);
  const fields = h('div', { class: 'job-form' }),
    outcome = h('div', { class: 'outcome', 'data-test': 'job-outcome', role: 'status' });
  const button = (/** @type {string} */ test, /** @type {string} */ name, /** @type {() => any} */ f, cls = '') =>
    h('button', { type: 'button', class: cls, 'data-test': test, onclick: () => store.attempt(async () => f()) }, name);
  const apply = button('apply', T.rules.apply, take, 'main'),
    check = button('check', T.rules.check, read),
    revert = button('revert', T.rules.revert, () => source.start(state.base, true));
  const save = button('save-job', T.rules.save, async () => {
    await source.settled();
    saveText(source.text(), state.name);
  });
  const source = makeJobSource({
    attempt: store.attempt,
    onText: () => {
      changed();
      if (source.pending()) apply.disabled = false; // who is faster than the answer is waited for
    },
    onJob: job => {
      jobText.set(job.text);
      state.lost = [...state.lost, ...(job.lost || [])];
      state.error = state.error || job.error || null;
      drawForm();
      drawOutcome();
    },
  });
  const jobText = makeJobText({ onInput: source.setText });
  const readSoon = later(() => {
    if (isChanged() && (!store.document || store.document.cells <= LIVE)) store.attempt(read);
  }, 500);
  const isChanged = () => source.text() !== state.base.text;

  /** The mistake that stands at this key or section of the job: the last that begins in its line or before.
   * @param {string} path */
  const bad = path => {
    if (!inJob(state.error) || !state.error.line) return '';
    const { lines } = source.job(),
      begun = Object.values(lines).filter(line => line <= state.error.line);
    return lines[path] === Math.max(...begun) ? state.error.message : '';
  };
  function formParts() {
    const { spec } = source.job(),
      { keys } = state;
    const how = { spec, keys, edit: source.edit, bad };
    return [
      h('h2', null, T.form.columns),
      state.columns ? columnsForm({ ...how, columns: state.columns }) : h('p', { class: 'soft' }, T.form.noColumns),
      h('h2', null, T.form.dimensions),
      dimensionsForm({ ...how, dims: state.dims, state, redraw: drawForm }),
      tablesPart(spec),
      h('h2', null, T.form.rules),
      rulesForm(how),
      plainSections(keys).map(section => sectionForm(how, section)),
    ];
  }
  function drawForm() {
    const { spec, error } = source.job();
    if (!state.keys) return;
    if (spec) keepingFolds(fields, () => refill(fields, formParts()));
    else refill(fields, h('p', { class: 'bad' }, T.rules.unreadable(error.message, error.line)));
  }
  function drawOutcome() {
    apply.disabled = !isChanged() && !source.pending() && !!store.document;
    revert.disabled = !isChanged();
    check.disabled = !source.text();
    jobText.mark(inJob(state.error) ? state.error.line : 0);
    const lost = state.lost.length ? h('p', { 'data-test': 'lost-comments' }, T.rules.lost(state.lost)) : [];
    refill(outcome, outcomeParts(state.error, reading.document(), store.document), lost);
  }
  function changed() {
    reading.drop();
    state.asking = null;
    state.error = null;
    if (!isChanged()) state.lost = [];
    drawOutcome();
    readSoon();
  }
  /** @param {string} text */
  async function ask(text) {
    outcome.classList.add('busy');
    const answer = await reading.ask(state.file, text).finally(() => outcome.classList.remove('busy'));
    if (!answer) return;
    state.error = answer.error;
    if (answer.document && answer.document.columns) state.columns = answer.document.columns;
    if (answer.dims) state.dims = answer.dims;
    drawForm();
    drawOutcome();
  }
  /** Who asks the same while it is being read gets the same answer. */
  async function read() {
    await source.settled();
    const text = source.text();
    if (!state.asking || state.asking.text !== text) {
      const asking = { text, done: ask(text).finally(() => state.asking === asking && (state.asking = null)) };
      state.asking = asking;
    }
    await state.asking.done;
  }
  async function take() {
    await source.settled();
    if (!reading.document()) await read();
    if (!reading.document()) return;
    const before = store.document,
      unused = before && !before.changes.length && !store.runs.length; // nothing is lost with it
    const id = reading.take();
    await store.loadDocuments();
    await store.use(id);
    if (unused) await store.close(before.id);
    store.say(T.rules.taken(store.document, number), true);
  }
  async function start() {
    const document = store.document;
    reading.drop();
    Object.assign(state, startOf(document, store.draft));
    source.start(state.base);
    if (!state.keys) state.keys = (await store.attempt(() => api.get('job-keys')))?.sections;
    drawForm();
    drawOutcome();
    const view = document && document.job && document.kind !== 'argus' ? await store.attempt(store.load) : null;
    if (!view || store.document !== document) return;
    state.dims = view.data.dims;
    drawForm();
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
