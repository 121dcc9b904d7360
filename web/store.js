// SPDX-License-Identifier: Apache-2.0
// What the page looks at: place, document, run, cell. All of it is the server's and is asked for
// again after a reload; the address holds the numbers of document and run alone ('#/table/1/7').
import * as api from './api.js';
import { makeData } from './shared/data.js';
import { makeFindings } from './shared/cells.js';
import { T } from './texts.js';

export const PLACES = ['open', 'rules', 'table', 'protect', 'release', 'infer', 'check'];
// Places that need no table of one's own.
export const FREE_PLACES = ['open', 'infer', 'check'];
const POLL = 1000; // milliseconds
const OVER = new Set(['done', 'refused', 'failed', 'cancelled']);
/** @param {any} run */
export const isOver = run => OVER.has(run.state);
/** A run whose release, or whose findings, can be looked at. @param {any} run */
export const hasRelease = run => run.state === 'done' || (run.state === 'refused' && run.verdict);

export function makeStore() {
  /** @type {Map<string, ((what?: any) => void)[]>} */
  const hearers = new Map();
  /** @type {Map<number, AbortController>} */
  const watched = new Map();
  /** @type {any} */
  const store = {
    about: null,
    documents: [],
    document: null,
    draft: null,
    runs: [],
    run: null,
    argusTable: 0,
    place: 'open',
    cell: -1,
    marked: [],
    keptMarks: null,
    compared: [],
    comparison: null,
    view: null,
    previews: new Set(),
    kept: history.state || {},
    on,
    emit,
    fail: null,
  };

  /** @param {string} event @param {(what?: any) => void} f */
  function on(event, f) {
    hearers.set(event, [...(hearers.get(event) || []), f]);
  }
  /** @param {string} event @param {any} [what] */
  function emit(event, what) {
    for (const f of hearers.get(event) || []) f(what);
  }

  function address() {
    const parts = [store.place];
    if (store.document) parts.push(store.document.id);
    if (store.document && store.run) parts.push(store.run.id);
    return '#/' + parts.join('/');
  }
  function remember(replace = false) {
    if (address() === location.hash) return;
    if (replace) history.replaceState(store.kept, '', address());
    else history.pushState(store.kept, '', address());
  }
  // What is looked at, as numbers of rows, codes and cells, outlives a reload in the entry of the history.
  store.keep = (/** @type {any} */ what) => {
    store.kept = { ...store.kept, ...what };
    history.replaceState(store.kept, '', location.hash || address());
  };
  store.go = (/** @type {string} */ place) => {
    store.place = place;
    remember();
    emit('place');
  };

  // ---- documents
  store.loadDocuments = async () => {
    store.documents = (await api.get('documents')).filter((/** @type {any} */ d) => !store.previews.has(d.id));
    emit('documents');
  };
  /** @param {any} document */
  async function look(document) {
    store.document = document;
    store.draft = null;
    store.run = null;
    store.cell = -1;
    store.marked = [];
    store.keptMarks = null;
    store.compared = [];
    store.comparison = null;
    store.view = null;
    store.argusTable = 0;
    store.runs = document ? await api.get('runs?document=' + document.id) : [];
    emit('document');
    emit('runs');
    for (const run of store.runs.slice())
      if (isOver(run)) api.get('runs/' + run.id).then(keep, () => {});
      else watch(run); // the list leaves out the course
  }
  store.use = async (/** @type {number} */ id) => {
    await look(await api.get('documents/' + id));
    remember();
  };
  store.open = async (/** @type {string} */ file, /** @type {string} */ job) => {
    const document = await api.post('documents', job === undefined ? { file } : { file, job });
    await store.loadDocuments();
    await look(document);
    return document;
  };
  /** Can be taken back for a while; silent: as a part of something else. @param {number} id @param {{ silent?: boolean }} [how] */
  store.close = async (id, { silent = false } = {}) => {
    const name = (store.documents.find((/** @type {any} */ d) => d.id === id) || {}).name || '';
    await api.remove(`documents/${id}?undo=keep`);
    await store.loadDocuments();
    if (store.document && store.document.id === id) {
      await look(null);
      remember(true);
    }
    if (!silent) store.record(T.history.closed(name), () => store.reopen({ document: id }), () => store.close(id, { silent: true }));
  };
  /** What was closed or forgotten. @param {{ document?: number, run?: number }} what */
  store.reopen = async what => {
    const [[key, number]] = Object.entries(what);
    const { document, runs } = await api.post(`reopen?${key}=${number}`);
    await store.loadDocuments();
    if (document) await store.use(document);
    else if (store.document && runs.length) {
      await store.refreshRuns();
      emit('runs');
    }
  };
  store.showDraft = (/** @type {any} */ draft) => {
    store.document = null;
    store.run = null;
    store.runs = [];
    store.view = null;
    store.draft = draft;
    emit('document');
    store.go('rules');
  };
  // The codes of a cell: what it is called by, since its number is another's once codes are collapsed.
  // A table without codes has numbers alone, and nothing to collapse.
  store.codesOf = (/** @type {number} */ cell) => {
    const { dims, nd, code } = store.view.data;
    return nd ? dims.map((/** @type {any} */ m, /** @type {number} */ d) => m.codes[code(cell, d)]) : cell;
  };
  /** The cells with these codes in a view; those that are gone are left out. @param {any} view @param {any[]} names */
  function cellsWith(view, names) {
    const { dims, nd, find } = view.data;
    if (!nd) return names;
    const places = dims.map(
      (/** @type {any} */ m) => new Map(m.codes.map((/** @type {string} */ c, /** @type {number} */ k) => [c, k])),
    );
    return names
      .map(codes => codes.map((/** @type {string} */ c, /** @type {number} */ d) => places[d].get(c)))
      .map(codes => (codes.includes(undefined) ? -1 : find(codes)))
      .filter(c => c >= 0);
  }
  // What was marked and chosen before the cells changed, as cells of the view. @param {any} view
  store.takeMarks = (/** @type {any} */ view) => {
    const kept = store.keptMarks;
    store.keptMarks = null;
    return kept && { marked: cellsWith(view, kept.marked), cell: cellsWith(view, kept.cell)[0] ?? -1 };
  };
  // A change of the document: its cells are other cells now, its runs are what they were.
  store.change = async (/** @type {string} */ what, /** @type {any} */ body) => {
    const document = await api.post(`documents/${store.document.id}/${what}`, body);
    if (store.view)
      store.keptMarks = {
        marked: store.marked.map(store.codesOf),
        cell: store.cell < 0 ? [] : [store.codesOf(store.cell)],
      };
    store.marked = [];
    store.cell = -1;
    store.document = document;
    store.run = null;
    store.documents = store.documents.map((/** @type {any} */ d) => (d.id === document.id ? document : d));
    store.view = null;
    remember(true);
    emit('changed');
    if (what !== 'undo' && what !== 'redo') {
      const { id } = document,
        last = document.changes[document.changes.length - 1] || { label: '', text: '' };
      const again = (/** @type {string} */ way) => async () => {
        if (!store.document || store.document.id !== id) await store.use(id);
        await store.change(way, {});
      };
      store.record(T.history.decided(last.label, last.text), again('undo'), again('redo'));
    }
  };

  // ---- runs
  /** @param {any} run */
  function keep(run) {
    const at = store.runs.findIndex((/** @type {any} */ r) => r.id === run.id);
    if (at >= 0) store.runs[at] = run;
    else if (store.document && run.document === store.document.id) store.runs.push(run);
    if (store.run && store.run.id === run.id) store.run = run;
    emit('runs', run);
  }
  // A browser opens six connections to a server, over all its tabs: one run is streamed, others are
  // asked for.
  let streams = false;
  /** @param {any} run @param {AbortSignal} signal */
  async function follow(run, signal) {
    if (!streams) {
      streams = true;
      try {
        await api.watchRun(run.id, keep, signal);
      } finally {
        streams = false;
      }
    }
    for (;;) {
      const now = await api.get('runs/' + run.id);
      if (signal.aborted) return;
      keep(now);
      if (isOver(now)) return;
      await new Promise(done => {
        setTimeout(done, POLL);
      });
    }
  }
  /** @param {any} run */
  async function watch(run) {
    if (isOver(run) || watched.has(run.id)) return;
    const stop = new AbortController();
    watched.set(run.id, stop);
    try {
      await follow(run, stop.signal);
    } catch (error) {
      if (!stop.signal.aborted && !(error instanceof api.ApiError && error.status === 404)) emit('error', error);
    } finally {
      watched.delete(run.id);
    }
    emit('ended', run.id);
  }
  store.start = async (/** @type {string} */ command, /** @type {any} */ options) => {
    const run = await api.post(`documents/${store.document.id}/runs`, { command, options });
    keep(run);
    watch(run);
    return run;
  };
  // Runs that someone else has started, in another tab or by a script.
  store.refreshRuns = async () => {
    if (!store.document) return;
    const known = new Set(store.runs.map((/** @type {any} */ r) => r.id));
    for (const run of await api.get('runs?document=' + store.document.id))
      if (!known.has(run.id)) {
        keep(await api.get('runs/' + run.id));
        watch(run);
      }
  };
  store.stop = async (/** @type {number} */ id) => {
    const run = await api.post(`runs/${id}/stop`);
    if (run) keep(run);
  };
  store.forget = async (/** @type {number} */ id) => {
    const stop = watched.get(id);
    if (stop) stop.abort();
    await api.remove(`runs/${id}?undo=keep`);
    store.runs = store.runs.filter((/** @type {any} */ r) => r.id !== id);
    store.compared = store.compared.filter((/** @type {number} */ other) => other !== id);
    store.comparison = null;
    if (store.run && store.run.id === id) store.show(null);
    else emit('runs');
    store.record(T.history.forgot(id), () => store.reopen({ run: id }), () => store.forget(id));
  };
  store.compare = (/** @type {number} */ id, /** @type {boolean} */ on) => {
    store.compared = on
      ? [...store.compared, id]
      : store.compared.filter((/** @type {number} */ other) => other !== id);
    store.keep({ document: store.document.id, compared: store.compared });
    emit('compare');
  };
  store.show = (/** @type {any} */ run) => {
    store.run = run;
    store.view = null;
    store.argusTable =
      run && run.tables
        ? Math.max(
            0,
            run.tables.findIndex((/** @type {any} */ t) => t.released !== false),
          )
        : 0;
    remember();
    emit('run');
  };
  store.showTable = (/** @type {number} */ table) => {
    store.argusTable = table;
    store.view = null;
    emit('run');
  };

  // ---- what is in the grid: the data of the run, or of the document as it came
  store.load = async () => {
    if (store.view) return store.view;
    const { document, run } = store;
    if (!document) return null;
    const path = run
      ? `runs/${run.id}/page${run.tables && run.tables.length ? '?table=' + store.argusTable : ''}`
      : `documents/${document.id}/page`;
    const raw = await api.get(path);
    if (store.document !== document || (store.run && run && store.run.id !== run.id)) return store.view;
    store.view = {
      data: makeData(raw),
      findings: makeFindings(raw),
      ranges: new Map((raw.ranges || []).map((/** @type {any} */ r) => [r[0], r])),
    };
    return store.view;
  };
  store.choose = (/** @type {number} */ cell) => {
    store.cell = cell;
    emit('cell');
  };

  // ---- from the address, at the start and when the user goes back
  store.fromAddress = async () => {
    const [place, document, run] = location.hash.slice(2).split('/');
    store.place = PLACES.includes(place) ? place : store.place;
    const id = Number(document);
    if (id && (!store.document || store.document.id !== id)) {
      const known = store.documents.find((/** @type {any} */ d) => d.id === id);
      if (known) await look(known);
    }
    const wanted = store.runs.find((/** @type {any} */ r) => r.id === Number(run)) || null;
    const compared = ((store.kept.document === id && store.kept.compared) || []).filter((/** @type {number} */ k) =>
      store.runs.some((/** @type {any} */ r) => r.id === k),
    );
    if (!store.compared.length && compared.length) store.compared = compared;
    if (wanted !== store.run) {
      store.run = wanted;
      store.view = null;
      emit('run');
    }
    emit('place');
  };
  return store;
}
