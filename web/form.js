// SPDX-License-Identifier: Apache-2.0
// Rules: what was understood of a file, as a form and as the text of a job, one and the same. Every
// change is read by the program (a document of its own, which becomes the document when it is
// taken over), so that errors stand beside their place and the number of sensitive cells is told.
import { columnsForm } from './columns_form.js';
import { dimensionsForm } from './dimensions_form.js';
import { h, later, refill } from './dom.js';
import { makeJobText } from './job_text.js';
import { makeReading } from './reading.js';
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

/** What the form starts with: a document, or a draft of one that could not be read. @param {any} document @param {any} draft */
function startOf(document, draft) {
  const from = document || draft || {},
    text = from.job || '';
  return {
    text,
    base: text,
    file: from.file || '',
    name: from.name || 'job',
    columns: from.columns || null,
    dims: [],
    error: (!document && draft && draft.error) || null,
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
    revert = button('revert', T.rules.revert, () => setText(state.base));
  const save = button('save-job', T.rules.save, () => saveText(state.text, state.name));
  const jobText = makeJobText({
    onInput: text => {
      state.text = text;
      drawForm();
      changed();
    },
  });
  const readSoon = later(() => {
    if (state.text !== state.base && (!store.document || store.document.cells <= LIVE)) store.attempt(read);
  }, 500);

  /** The mistake that stands in this line of the job. @param {number} line */
  const bad = line => (inJob(state.error) && state.error.line === line ? state.error.message : '');
  /** @param {any[]} sections */
  function formParts(sections) {
    const how = { sections, text: state.text, onText: setText, bad };
    return [
      h('h2', null, T.form.columns),
      state.columns ? columnsForm({ ...how, columns: state.columns }) : h('p', { class: 'soft' }, T.form.noColumns),
      h('h2', null, T.form.dimensions),
      dimensionsForm({ ...how, dims: state.dims, state, redraw: drawForm }),
      tablesPart(sections),
      h('h2', null, T.form.rules),
      rulesForm(how),
      ['levels', 'attackers', 'weights', 'bounds', 'defaults', 'input'].map(name => sectionForm(how, name)),
    ];
  }
  function drawForm() {
    try {
      const sections = readToml(state.text);
      keepingFolds(fields, () => refill(fields, formParts(sections)));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      refill(fields, h('p', { class: 'bad' }, T.rules.unreadable(error.message)));
    }
  }
  function drawOutcome() {
    const changes = state.text !== state.base;
    apply.disabled = !changes && !!store.document;
    revert.disabled = !changes;
    check.disabled = !state.text;
    jobText.mark(inJob(state.error) ? state.error.line : 0);
    refill(outcome, outcomeParts(state.error, reading.document(), store.document));
  }
  function changed() {
    reading.drop();
    state.error = null;
    drawOutcome();
    readSoon();
  }
  /** @param {string} text */
  function setText(text) {
    state.text = text;
    jobText.set(text);
    changed();
    drawForm();
  }
  async function read() {
    outcome.classList.add('busy');
    const answer = await reading.ask(state.file, state.text).finally(() => outcome.classList.remove('busy'));
    if (!answer) return;
    state.error = answer.error;
    if (answer.document && answer.document.columns) state.columns = answer.document.columns;
    if (answer.dims) state.dims = answer.dims;
    drawForm();
    drawOutcome();
  }
  async function take() {
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
    jobText.set(state.text);
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
