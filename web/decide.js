// SPDX-License-Identifier: Apache-2.0
// Decide: status, cost, levels and bounds of the marked cells by hand, with a reason; codes
// collapsed; undo and redo. What was decided is an a-priori file, shown and to be had.
import * as api from './api.js';
import { h, refill, select } from './dom.js';
import { T } from './texts.js';

const NUMBERS = ['cost', 'lower', 'upper', 'sliding', 'lower_bound', 'upper_bound'];
/** @param {string} key */
const test = key => 'decide-' + key.replace('_', '-');

/** @param {any} store */
export const undo = store => store.canUndo() && store.attempt(store.undo);
/** @param {any} store */
export const redo = store => store.canRedo() && store.attempt(store.redo);

/** The form for the marked cells. @param {any} store */
function cellsForm(store) {
  const status = select(
    { 'data-test': 'decide-status' },
    [['', T.decide.keep], ...Object.entries(T.decide.statuses)],
    '',
  );
  /** @type {Record<string, any>} */
  const inputs = {};
  for (const key of NUMBERS)
    inputs[key] = h('input', { type: 'text', inputmode: 'decimal', 'data-test': test(key), autocomplete: 'off' });
  const reason = h('input', { type: 'text', 'data-test': 'decide-reason', autocomplete: 'off' });
  const level = h('p', { class: 'soft', 'data-test': 'decide-level', hidden: true });
  const sayLevel = () => {
    const range = store.document && store.document.manual_range;
    level.hidden = status.value !== 'unsafe' || !range;
    level.textContent = T.decide.level(range);
    for (const key of ['lower', 'upper']) inputs[key].placeholder = level.hidden ? '' : T.decide.percent(range);
  };
  status.onchange = sayLevel;
  store.on('document', () => {
    status.value = '';
    reason.value = '';
    for (const key of NUMBERS) inputs[key].value = '';
    sayLevel();
  });
  const apply = h('button', { type: 'submit', class: 'main', 'data-test': 'decide-apply' }, T.decide.apply);
  const count = h('p', { class: 'soft' });
  const wrong = h('p', { class: 'bad', role: 'alert', 'data-test': 'decide-error' });
  async function send() {
    const hasCodes = store.view.data.nd > 0;
    /** @type {any} */
    const body = hasCodes ? { codes: store.marked.map(store.codesOf) } : { cells: store.marked };
    if (status.value) body.status = status.value;
    for (const key of NUMBERS) if (inputs[key].value.trim()) body[key] = inputs[key].value.trim();
    if (Object.keys(body).length === 1) {
      store.say(T.decide.nothing);
      return;
    }
    if (reason.value.trim()) body.reason = reason.value.trim();
    await store.change('changes', body);
    store.say('');
    for (const key of NUMBERS) inputs[key].value = '';
    status.value = '';
    sayLevel();
  }
  // What a reader would not take is said beside the form.
  async function tried() {
    try {
      await send();
    } catch (error) {
      if (!(error instanceof api.ApiError) || error.status !== 422) throw error;
      wrong.textContent = store.sentenceOf(error);
    }
  }
  const field = (/** @type {string} */ name, /** @type {any} */ input) =>
    h('label', null, h('span', null, name), input);
  const form = h(
    'form',
    {
      class: 'decide',
      onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        wrong.textContent = '';
        store.attempt(tried);
      },
    },
    count,
    field(T.decide.status, status),
    level,
    NUMBERS.map(key => field(T.decide.fields[key], inputs[key])),
    field(T.decide.reason, reason),
    wrong,
    apply,
  );
  return {
    form,
    update: () => {
      count.textContent = T.decide.marked(store.marked.length);
      const other = store.run && store.view && store.document && store.view.data.cells !== store.document.cells; // of a run before codes were collapsed
      apply.disabled = !store.marked.length || !!other;
    },
  };
}

/** Publish a dimension only down to a code. @param {any} store */
function collapseForm(store) {
  const dimension = h('select', { 'data-test': 'collapse-dimension', 'aria-label': T.decide.dimension }),
    code = h('select', { 'data-test': 'collapse-code', 'aria-label': T.decide.code });
  const go = h('button', { type: 'submit', 'data-test': 'collapse' }, T.decide.collapse);
  /** Codes with something below them. @param {any} m */
  const parents = m =>
    [...new Set(m.relations.map((/** @type {number[]} */ r) => r[0]))]
      .filter(k => k !== m.total)
      .map(k => m.codes[/** @type {number} */ (k)]);
  const codes = () => {
    const m = store.view && store.view.data.dims[Number(dimension.value)];
    refill(code, m ? parents(m).map(name => h('option', { value: name }, name)) : []);
    go.disabled = !code.options.length;
  };
  dimension.onchange = codes;
  const form = h(
    'form',
    {
      class: 'row wrap',
      onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        store.attempt(() =>
          store.change('collapse', { dimension: store.view.data.dims[Number(dimension.value)].name, code: code.value }),
        );
      },
    },
    dimension,
    code,
    go,
  );
  return {
    form,
    update: () => {
      const dims = store.view ? store.view.data.dims : [],
        had = dimension.value;
      refill(
        dimension,
        dims.map((/** @type {any} */ m, /** @type {number} */ d) => h('option', { value: d }, m.name)),
      );
      const first = dims.findIndex((/** @type {any} */ m) => parents(m).length);
      dimension.value = had && Number(had) < dims.length ? had : String(Math.max(0, first));
      codes();
      form.hidden = first < 0;
    },
  };
}

/** @param {any} store */
export function makeDecide(store) {
  const cells = cellsForm(store),
    collapse = collapseForm(store);
  const list = h('ol', { class: 'changes', 'data-test': 'changes' }),
    file = h('pre', { class: 'code', 'data-test': 'apriori-text', tabIndex: 0, hidden: true });
  const back = h(
    'button',
    { type: 'button', 'data-test': 'undo', title: 'Ctrl+Z', onclick: () => undo(store) },
    T.decide.undo,
  );
  const again = h(
    'button',
    { type: 'button', 'data-test': 'redo', title: 'Ctrl+Y', onclick: () => redo(store) },
    T.decide.redo,
  );
  const save = h(
    'button',
    {
      type: 'button',
      'data-test': 'apriori',
      onclick: () => store.attempt(() => api.download(`documents/${store.document.id}/apriori`, 'changes.csv')),
    },
    T.decide.save,
  );
  const pick = h('input', {
    type: 'file',
    class: 'hidden-input',
    tabIndex: -1,
    accept: '.csv,.hst',
    'aria-label': T.decide.read,
    'data-test': 'apriori-file',
  });
  pick.onchange = () =>
    store.attempt(async () => {
      const files = [...pick.files];
      pick.value = '';
      if (files.length) await store.change('apriori', { file: (await api.upload(files))[0] });
    });
  const read = h(
    'button',
    { type: 'button', 'data-test': 'apriori-read', onclick: () => pick.click() },
    T.decide.read,
  );
  const note = h('p', { class: 'soft' });
  async function update() {
    cells.update();
    collapse.update();
    const d = store.document,
      changes = d ? d.changes : [];
    back.disabled = !d || !store.canUndo();
    again.disabled = !d || !store.canRedo();
    back.title = T.history.undo(store.undoName());
    again.title = T.history.redo(store.redoName());
    save.disabled = !changes.length;
    note.textContent = store.run ? T.decide.onInput : changes.length ? '' : T.decide.none;
    refill(
      list,
      changes.map((/** @type {any} */ c) =>
        h(
          'li',
          null,
          h('b', null, c.label),
          ' ',
          c.text,
          c.reason ? h('span', { class: 'soft' }, ' (' + c.reason + ')') : [],
        ),
      ),
    );
    const text = changes.length ? await api.text(`documents/${d.id}/apriori`).catch(() => '') : '';
    file.textContent = text;
    file.hidden = !text;
  }
  const element = h(
    'div',
    { class: 'pane-body', 'data-test': 'pane-decide', hidden: true, role: 'tabpanel', 'aria-label': T.decide.title },
    h('h2', null, T.decide.title),
    cells.form,
    h('h3', null, T.decide.collapseTitle),
    h('p', { class: 'soft' }, T.decide.collapseText),
    collapse.form,
    h('h3', null, T.decide.changes),
    h('div', { class: 'row wrap' }, back, again, save, read, pick),
    note,
    list,
    file,
  );
  return { element, update };
}
