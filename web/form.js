// SPDX-License-Identifier: Apache-2.0
// Rules: what was understood of a file, as a form and as the text of a job, one and the same. The
// form changes the value of the job, the editor its text; the server makes one of the other
// (job_source.js). Every change is read by the program (a document of its own, which becomes the
// document when it is taken over), so that errors stand beside their place and the number of
// sensitive cells is told.
import * as api from './api.js';
import { makeBeside } from './beside.js';
import { columnsForm } from './columns_form.js';
import { dimensionsForm } from './dimensions_form.js';
import { h, later, refill } from './dom.js';
import { isData, makeFileSide } from './file_side.js';
import { withRole } from './job.js';
import { makeJobSource } from './job_source.js';
import { makeJobText } from './job_text.js';
import { listForm } from './list_form.js';
import { outcomeParts } from './outcome.js';
import { plainError } from './plain.js';
import { makeReading } from './reading.js';
import { readingForm } from './reading_form.js';
import { plainSections, rulesForm, sectionForm } from './rules_form.js';
import { grouped } from './shared/data.js';
import { T } from './texts.js';
import { translated } from './told.js';

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
/** Mistakes are in the job, or in a file that it names. @param {any} error */
const inJob = error => error && (!error.file || /\.toml$/.test(error.file));

/** Folded parts of the form stay as they were, unless a mistake is inside, or what they hold has come or gone.
 * @param {Element} fields @param {() => void} draw */
function keepingFolds(fields, draw) {
  const parts = () => /** @type {HTMLDetailsElement[]} */ ([...fields.querySelectorAll('details[data-test]')]);
  const opened = new Map(parts().map(part => [part.dataset.test, [part.open, part.dataset.holds]]));
  draw();
  for (const part of parts()) {
    const [open, holds] = opened.get(part.dataset.test) || [];
    if (open !== undefined && holds === part.dataset.holds && !part.querySelector('.bad')) part.open = /** @type {boolean} */ (open);
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
    wrong: new Map(),
    read: '',
    unsettled: false, // questions about the file are open
    guessing: 0,
    busy: false,
  };
}

/** Two tabs over the right side: the file as it stands, and the job. @param {(tab: string) => void} onTab */
function makeTabs(onTab) {
  const tabs = ['file', 'job'].map(name =>
    h(
      'button',
      { type: 'button', role: 'tab', class: 'tab', 'data-test': 'side-' + name, onclick: () => open(name) },
      T.rules.sides[name],
    ),
  );
  /** @param {string} name */
  function open(name) {
    tabs.forEach((tab, k) => tab.setAttribute('aria-selected', String(['file', 'job'][k] === name)));
    onTab(name);
  }
  return { element: h('div', { class: 'tabs', role: 'tablist', 'aria-label': T.rules.sidesLabel }, tabs), open, tabs };
}

/** @param {any} store */
export function makeRulesPlace(store) {
  /** @type {any} */
  const state = { ...startOf(null, null), open: [], busy: false };
  const reading = makeReading(store, LIVE);
  const fields = h('div', { class: 'job-form' }),
    outcome = h('div', { class: 'outcome', 'data-test': 'job-outcome', role: 'status' });
  const button = (/** @type {string} */ test, /** @type {string} */ name, /** @type {() => any} */ f, cls = '') =>
    h('button', { type: 'button', class: cls, 'data-test': test, onclick: () => store.attempt(async () => f()) }, name);
  const apply = button('apply', T.rules.apply, take, 'main'),
    check = button('check', T.rules.check, read),
    revert = button('revert', T.rules.revert, () => {
      state.open = [];
      source.start(state.base, true);
    });
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
  const beside = makeBeside(store);
  const file = makeFileSide({ onSay: () => store.attempt(guess) });
  const readSoon = later(() => {
    if (state.unsettled && file.isThere() && !state.guessing && isChanged()) {
      store.attempt(guess); // a rule that is added answers no question about the file: they stay open
      return;
    }
    if (state.read !== source.text() && !state.guessing && isChanged() && (!store.document || store.document.cells <= LIVE)) store.attempt(read);
  }, 500);
  const isChanged = () => source.text() !== state.base.text;

  /** The mistake that stands at this key or section of the job: the last that begins in its line or before; or
   * that names this control.
   * @param {string} path */
  const bad = path => {
    const found = state.wrong.get(path);
    if (found) return found;
    if (!inJob(state.error) || !state.error.line) return '';
    const { lines } = source.job(),
      begun = Object.values(lines).filter(line => line <= state.error.line);
    return lines[path] === Math.max(...begun) ? translated(state.error.message) || state.error.message : '';
  };
  /** Controls with what is wrong at them. */
  function findWrong() {
    state.wrong = new Map();
    if (!file.isThere() || reading.document()) return;
    for (const error of [...state.open, state.error].filter(Boolean)) {
      const plain = plainError(error);
      if (plain.control) state.wrong.set(plain.control, translated(error.message) || plain.text);
    }
  }
  /** A role of a column, and the rest guessed around it where something is open. @param {string} name @param {string} role */
  function setRole(name, role) {
    file.setRole(name, role);
    if (state.open.length || state.error) store.attempt(guess);
    else source.edit(spec => withRole(spec, name, role));
  }
  /** @param {any} how @param {any[]} columns */
  const listsPart = (how, columns) => [
    h('h2', null, T.parts.derivedTitle),
    listForm({ ...how, ...beside.how(), columns, dims: state.dims }, 'derived'),
    h('h2', null, T.parts.periodsTitle),
    h('p', { class: 'soft' }, T.parts.periodsText),
    listForm({ ...how, ...beside.how(), columns, dims: state.dims }, 'periods'),
  ];
  function formParts() {
    const { spec } = source.job(),
      { keys } = state,
      look = file.isThere() ? file.look() : null;
    const columns = (look && look.columns.length && look.columns) || state.columns;
    const how = { spec, keys, edit: source.edit, bad };
    const ofFile = look
      ? { onRole: setRole, onTotal: file.setTotal, onTree: file.setTree }
      : {};
    return [
      look
        ? [
            h('h2', null, T.look.title),
            readingForm({ look, kind: file.kind(), said: file.said(), spec, bad, onKind: file.setKind, onSay: file.say }),
          ]
        : [],
      h(
        'div',
        { class: 'row' },
        h('h2', null, T.form.columns),
        h('span', { class: 'grow' }),
        look ? button('find-rest', T.look.findRest, findRest, 'small') : [],
      ),
      columns ? columnsForm({ ...how, ...ofFile, columns }) : h('p', { class: 'soft' }, T.form.noColumns),
      h('h2', null, T.form.dimensions),
      dimensionsForm({ ...how, ...ofFile, dims: state.dims, columns: columns || [], state, redraw: drawForm }),
      tablesPart(spec),
      h('h2', null, T.form.rules),
      rulesForm(how),
      listsPart(how, columns || []),
      plainSections(keys).map(section => sectionForm(how, section)),
    ];
  }
  function drawForm() {
    const { spec, error } = source.job();
    if (!state.keys) return;
    if (spec) keepingFolds(fields, () => refill(fields, formParts()));
    else refill(fields, h('p', { class: 'bad' }, T.rules.unreadable(error.message, error.line)));
    file.showRoles(spec);
  }
  /** @param {string} control */
  function goTo(control) {
    const last = control.replace(/^input\./, 'read:');
    const found = /** @type {any} */ (
      fields.querySelector(`[data-test="${CSS.escape(last)}"]`) ||
        fields.querySelector(`[data-test="field:${CSS.escape(control)}"]`) ||
        fields.querySelector(control.startsWith('columns.') ? '.roles select' : '[aria-invalid=true]')
    );
    if (!found) return;
    for (let fold = found.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    found.scrollIntoView({ block: 'center' });
    found.focus();
  }
  function drawOutcome() {
    apply.disabled = !isChanged() && !source.pending() && !!store.document;
    revert.disabled = !isChanged();
    check.disabled = !source.text();
    jobText.mark(inJob(state.error) ? state.error.line : 0);
    const lost = state.lost.length ? h('p', { 'data-test': 'lost-comments' }, T.rules.lost(state.lost)) : [];
    const ofFile = file.isThere();
    refill(
      outcome,
      outcomeParts({
        error: state.error,
        open: state.open,
        preview: reading.document(),
        document: store.document,
        ofFile,
        file: state.file,
        go: goTo,
        jump: (line, column) => {
          side.open('file');
          file.raw.mark(line, column);
        },
        say: file.say,
        toRecords: () => file.setKind('records'),
        place: store.go,
        busy: state.busy,
        answers: {
          look: file.look(),
          said: file.said(),
          say: file.say,
          toPublished: () => store.emit('infer', [state.file]),
          role: (/** @type {string} */ column, /** @type {string} */ role) => {
            file.setRole(column, role);
            store.attempt(guess);
          },
          total: (/** @type {string} */ column, /** @type {string} */ code) => {
            file.setTotal(column, code);
            store.attempt(guess);
          },
        },
      }),
      lost,
    );
  }
  function changed() {
    reading.drop();
    state.asking = null;
    state.unsettled = state.unsettled || state.open.length > 0;
    state.error = null;
    state.open = [];
    state.read = '';
    findWrong();
    if (!isChanged()) state.lost = [];
    drawOutcome();
    readSoon();
  }
  /** What is open of the file, guessed around what was said; then it is read. */
  async function guess() {
    await source.settled();
    const mine = ++state.guessing;
    state.busy = true;
    drawOutcome();
    try {
      const guessed = await file.guess(source.job().spec);
      if (!guessed || mine !== state.guessing) return;
      await source.put(guessed.text, guessed.spec);
      await read();
      if (mine !== state.guessing) return;
      if (!reading.document() && guessed.open.length) state.open = guessed.open;
      state.unsettled = state.open.length > 0;
    } finally {
      if (mine === state.guessing) {
        state.guessing = 0;
        state.busy = false;
      }
    }
    findWrong();
    drawForm();
    drawOutcome();
  }
  const findRest = () => {
    file.holdAll(source.job().spec);
    return guess();
  };
  /** @param {string} text */
  async function ask(text) {
    outcome.classList.add('busy');
    const answer = await reading.ask(state.file, text).finally(() => outcome.classList.remove('busy'));
    if (!answer) return;
    state.read = text;
    state.error = answer.error;
    if (answer.document) state.open = [];
    if (answer.document && answer.document.columns) state.columns = answer.document.columns;
    if (answer.dims) state.dims = answer.dims;
    findWrong();
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
  // What was asked meanwhile by the check that runs by itself counts as well: an answer that was overtaken
  // is waited for again.
  async function take() {
    apply.setAttribute('aria-busy', 'true');
    try {
      await source.settled();
      for (let tries = 0; tries < 5 && !reading.document() && !(tries && state.error); ++tries) await read();
    } finally {
      apply.removeAttribute('aria-busy');
    }
    if (!reading.document()) return;
    const before = store.document,
      unused = before && !before.changes.length && !store.runs.length; // nothing is lost with it
    const id = reading.take();
    await store.loadDocuments();
    await store.use(id);
    if (unused) await store.close(before.id, { silent: true });
    if (before)
      store.record(
        T.history.job(store.document.name),
        async () => {
          await store.close(id, { silent: true });
          if (unused) await store.reopen({ document: before.id });
          else await store.use(before.id);
        },
        async () => {
          await store.reopen({ document: id });
          if (unused) await store.close(before.id, { silent: true });
        },
      );
    store.say(T.rules.taken(store.document, number), true);
  }
  async function start() {
    const document = store.document,
      draft = store.draft;
    reading.drop();
    file.leave();
    Object.assign(state, startOf(document, draft), { open: [], wrong: new Map(), busy: false });
    source.start(state.base);
    const data = isData(state.file);
    side.element.hidden = !data;
    side.open(data ? 'file' : 'job');
    beside.start(state.file);
    if (!state.keys) state.keys = (await store.attempt(() => api.get('job-keys')))?.sections;
    drawForm();
    drawOutcome();
    await store.attempt(() => file.start(state.file, document ? state.base.spec : null));
    if (store.document !== document || store.draft !== draft) return;
    if (data && !document) {
      if (/these are records/.test((state.error || {}).message)) file.setKind('records');
      else await store.attempt(guess);
      return;
    }
    drawForm();
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
  const side = makeTabs(name => {
    jobText.element.hidden = name !== 'job';
    save.hidden = name !== 'job';
    file.raw.element.hidden = name !== 'file';
  });
  const body = h(
    'div',
    { class: 'split even tall' },
    h('div', { class: 'wide scroller' }, fields),
    h(
      'div',
      { class: 'wide text-side' },
      h('div', { class: 'row' }, side.element, h('span', { class: 'grow' }), save),
      file.raw.element,
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
