// SPDX-License-Identifier: Apache-2.0
// Published: tables that anyone can download, and between which numbers each blank must lie. Nothing
// of this place belongs to the table that is open elsewhere on the page.
import * as api from './api.js';
import { h, plainTable, refill, select } from './dom.js';
import { makeDrop } from './open.js';
import { drawFindings } from './infer_view.js';
import { T } from './texts.js';
import { told, toldWord } from './told.js';

const POLL = 300; // milliseconds
const FIRST = 100; // rows of the list, and how many more come at once
const EXPORTS = ['page', 'json', 'certificate', 'text'];
/** @param {string} file */
const shortName = file => file.replace(/^[a-z]+:/, '').replace(/^\d+\//, '');
/** @param {any} job */
const isOver = job => job && job.state !== 'queued' && job.state !== 'running';

// Options of the command that stand in the open; those that say how a file is read are folded.
/** @type {[string, string][]} */
const KNOWN = [
  ['protection', 'text'],
  ['sensitive', 'list'],
  ['rounded-to', 'text'],
  ['rounding', 'choice'],
  ['withheld', 'list'],
  ['lower', 'text'],
  ['upper', 'text'],
  ['counts', 'flag'],
  ['all', 'flag'],
];
/** @type {[string, string][]} */
const READING = [
  ['total', 'list'],
  ['means', 'list'],
  ['only', 'list'],
  ['value', 'text'],
  ['status', 'text'],
  ['sheet', 'list'],
  ['wide', 'list'],
  ['skip', 'text'],
  ['rows', 'text'],
  ['absent', 'choice'],
];

/** Values of several: "a, b". A comma may be within a number, so that a blank must follow. @param {string} text */
const parts = text =>
  text
    .split(/,\s+|;\s*/)
    .map(part => part.trim())
    .filter(Boolean);

/** What is said of a run; Enter in one of them starts it, as in any form. */
function makeControls() {
  /** @type {Map<string, any>} */
  const inputs = new Map();
  /** @param {[string, string]} one */
  const line = ([name, kind]) => {
    const words = T.infer.options[name];
    const props = { 'data-test': 'infer-option:' + name, name, 'aria-describedby': 'infer-help-' + name };
    const input =
      kind === 'flag'
        ? h('input', { ...props, type: 'checkbox' })
        : kind === 'choice'
          ? select(props, [['', T.form.unset], ...words.choices], '')
          : h('input', { ...props, type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: words.absent || '' });
    inputs.set(name, { input, kind });
    return h(
      'div',
      { class: 'option' + (kind === 'flag' ? ' flag' : '') },
      h('label', { class: 'row' }, h('span', { class: 'name' }, words.name), input),
      h('p', { class: 'soft', id: 'infer-help-' + name }, words.text),
    );
  };
  const element = h(
    'div',
    { class: 'options' },
    KNOWN.map(line),
    h('details', { 'data-test': 'infer-reading' }, h('summary', null, T.infer.reading), READING.map(line)),
  );
  const chosen = () => {
    /** @type {Record<string, any>} */
    const out = {};
    for (const [name, { input, kind }] of inputs) {
      const text = kind === 'flag' ? '' : input.value.trim();
      if (kind === 'flag' && input.checked) out[name] = true;
      else if (kind === 'list' && parts(text).length) out[name] = parts(text);
      else if (kind !== 'list' && text) out[name] = text;
    }
    return out;
  };
  /** @param {any} options */
  const set = options => {
    for (const [name, { input, kind }] of inputs) {
      const value = options[name];
      if (kind === 'flag') input.checked = value === true;
      else input.value = value === undefined ? '' : [value].flat().join(', ');
    }
  };
  /** The control that an error is about, by the option that it names. @param {any} [error] */
  const mark = error => {
    const wrong = error && /--([a-z-]+)/.exec(`${error.where} ${error.message}`);
    for (const [name, { input }] of inputs) {
      const bad = !!wrong && wrong[1] === name;
      input.setAttribute('aria-invalid', bad ? 'true' : 'false');
      if (bad) {
        const fold = input.closest('details');
        if (fold) fold.open = true;
        input.focus();
      }
    }
  };
  return { element, chosen, set, mark };
}

/** Files of the folder, one click each. @param {any} store @param {(file: string) => void} add */
function makeFolder(store, add) {
  const lines = h('div', { class: 'list short' });
  /** @param {string} name */
  const list = name =>
    store.attempt(async () => {
      const answer = await api.get('files?folder=' + encodeURIComponent(name));
      const up = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '';
      const line = (/** @type {string} */ test, /** @type {string} */ text, /** @type {() => void} */ onclick) =>
        h('button', { type: 'button', class: 'line', 'data-test': test, onclick }, text);
      refill(
        lines,
        name ? line('infer-folder-up', '↰ ' + T.open.up, () => list(up)) : [],
        answer.entries
          .filter((/** @type {any} */ e) => e.folder || !['argus', 'other'].includes(e.kind))
          .map((/** @type {any} */ e) =>
            line('infer-file:' + e.name, e.name + (e.folder ? ' /' : ''), () => (e.folder ? list(e.file) : add(e.file))),
          ),
      );
    });
  const element = h(
    'details',
    {
      'data-test': 'infer-folder',
      ontoggle: () => {
        if (element.open && !lines.childElementCount) list('');
      },
    },
    h('summary', null, T.infer.folder),
    lines,
  );
  return element;
}

/** @param {any} store */
export function makeInferPlace(store) {
  /** @type {string[]} */
  let files = [];
  /** @type {any} */
  let job = null;
  let shown = FIRST;
  let asked = false; // whether the server was asked what is open already
  const chips = h('ul', { class: 'bare', 'data-test': 'infer-files' });
  const result = h('div', { 'data-test': 'infer-result', role: 'region', 'aria-label': T.infer.result, 'aria-live': 'polite' });
  const start = h('button', { type: 'submit', class: 'main', 'data-test': 'infer-start' }, T.infer.start);
  const controls = makeControls();

  /** @param {string[]} names */
  function setFiles(names) {
    files = names;
    start.disabled = !files.length;
    refill(
      chips,
      files.length
        ? files.map((file, k) =>
            h(
              'li',
              { class: 'line' },
              h('span', { class: 'grow clip', title: shortName(file) }, shortName(file)),
              h(
                'button',
                {
                  type: 'button',
                  class: 'quiet',
                  'data-test': 'infer-remove:' + k,
                  'aria-label': T.infer.remove(shortName(file)),
                  onclick: () => setFiles(files.filter((_, other) => other !== k)),
                },
                '×',
              ),
            ),
          )
        : h('li', { class: 'soft' }, T.infer.noFiles),
    );
  }
  /** @param {string} file */
  const add = file => {
    if (!files.includes(file)) setFiles([...files, file]);
  };

  const cancel = () =>
    store.attempt(async () => {
      if (job) await api.remove('published/' + job.id);
      job = null;
      draw();
    });
  function draw() {
    if (!job) {
      refill(result, h('div', { class: 'soft' }, h('h2', null, T.infer.nothingTitle), T.infer.nothing.map((/** @type {string} */ t) => h('p', null, t))));
      return;
    }
    if (!isOver(job)) {
      const { progress } = job;
      refill(
        result,
        h('h2', null, T.infer.working(job.names)),
        h(
          'div',
          { class: 'progress' },
          h('progress', progress && progress.share !== null ? { max: 1, value: progress.share } : {}),
          h('span', null, progress ? toldWord(progress.phase) : ''),
          h('button', { type: 'button', 'data-test': 'infer-cancel', onclick: cancel }, T.protect.cancel),
        ),
      );
      return;
    }
    if (job.state !== 'done') {
      refill(
        result,
        h(
          'div',
          { class: 'card verdict-card failed', 'data-test': 'infer-error' },
          h('p', { class: 'big bad' }, T.infer.failed),
          h('p', null, told(job.message)),
          h('p', { class: 'soft' }, T.infer.failedHelp),
        ),
      );
      return;
    }
    refill(
      result,
      drawFindings(job, shown, () => {
        shown += FIRST * 5;
        draw();
      }),
      exports(),
    );
  }
  const exports = () =>
    h(
      'section',
      { class: 'block' },
      h('h2', null, T.infer.exports),
      h('p', { class: 'soft' }, T.infer.exportsText),
      plainTable(
        [],
        EXPORTS.map(what => [
          h(
            'td',
            null,
            h(
              'button',
              {
                type: 'button',
                'data-test': 'infer-export:' + what,
                onclick: () => store.attempt(() => api.download(`published/${job.id}/export?form=${what}`, what)),
              },
              T.infer.export[what].name,
            ),
          ),
          h('td', { class: 'soft' }, T.infer.export[what].text),
        ]),
      ),
    );

  /** @param {any} now */
  async function follow(now) {
    while (job && job.id === now.id && !isOver(job)) {
      await new Promise(done => {
        setTimeout(done, POLL);
      });
      if (!job || job.id !== now.id) return;
      job = await api.get('published/' + now.id);
      draw();
    }
    if (job && job.id === now.id) {
      controls.mark(job.error);
      result.dataset.state = job.state;
      // In a narrow window the answer stands below the form.
      if (window.matchMedia('(max-width: 48rem)').matches) result.scrollIntoView();
    }
  }
  const go = () =>
    store.attempt(async () => {
      if (!files.length) return;
      controls.mark();
      const before = job;
      result.dataset.state = '';
      try {
        job = await api.post('published', { files, options: controls.chosen() });
      } catch (error) {
        if (error instanceof api.ApiError) controls.mark(error);
        throw error;
      }
      store.say('');
      shown = FIRST;
      draw();
      if (before) await api.remove('published/' + before.id).catch(() => null);
      await follow(job);
    });

  const drop = makeDrop({
    test: 'infer-drop',
    input: 'infer-pick',
    multiple: true,
    title: T.infer.drop,
    text: T.infer.dropText,
    onFiles: picked =>
      store.attempt(async () => {
        for (const file of await api.upload(picked)) add(file);
      }),
  });
  // What is open already outlives a reload.
  const restore = () =>
    store.attempt(async () => {
      const [last] = (await api.get('published')).slice(-1);
      if (!last || job) return;
      setFiles(last.files);
      controls.set(last.options);
      job = await api.get('published/' + last.id);
      draw();
      result.dataset.state = job.state;
      await follow(job);
    });
  store.on('infer', (/** @type {string[]} */ names) => {
    setFiles(names);
    controls.set({});
    store.go('infer');
    go();
  });

  setFiles([]);
  draw();
  const element = h(
    'section',
    { class: 'place protect infer', 'data-test': 'here-infer', 'aria-label': T.places.infer },
    h(
      'div',
      { class: 'split' },
      h(
        'form',
        {
          class: 'side',
          onsubmit: (/** @type {Event} */ e) => {
            e.preventDefault();
            go();
          },
        },
        h('h1', null, T.infer.title),
        h('p', { class: 'soft' }, T.infer.intro),
        drop,
        chips,
        makeFolder(store, add),
        h('h2', null, T.infer.knows),
        controls.element,
        h('div', { class: 'sticky' }, start),
      ),
      h('div', { class: 'wide' }, result),
    ),
  );
  return {
    element,
    show: () => {
      if (asked || !store.about) return;
      asked = true;
      restore();
    },
  };
}
