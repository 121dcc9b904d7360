// SPDX-License-Identifier: Apache-2.0
// Open: files dropped or picked, the folder that the program was started in, examples, and what is
// open already. Files that belong together (a job, its table, its hierarchies) come at once.
import * as api from './api.js';
import { ask, h, refill } from './dom.js';
import { isData } from './file_side.js';
import { makeProject } from './project.js';
import { grouped } from './shared/data.js';
import { T } from './texts.js';

// Of several files the one that names the others.
const ORDER = ['lacuna', 'toml', 'arb', 'json', 'jj', 'parquet', 'arrow', 'csv', 'tsv', 'tab', 'txt'];
/** @param {string} name */
const rank = name => {
  const k = ORDER.indexOf((/\.(\w+)(\.gz|\.xz)?$/.exec(name.toLowerCase()) || [])[1]);
  return k < 0 ? ORDER.length : k;
};
const PUBLISHED = 'example:published.csv'; // an example without true values
/** @param {string[]} names */
export const mainFile = names => names.slice().sort((a, b) => rank(a) - rank(b))[0];
/** Several tables are several tables, unless a file among them names the others. @param {string[]} names */
export const mainFiles = names => {
  const main = mainFile(names),
    isTable = (/** @type {string} */ name) => rank(name) >= ORDER.indexOf('parquet') && rank(name) < ORDER.length;
  return isTable(main) ? names.filter(isTable) : [main];
};
/** @param {string} file */
const shortName = file => file.replace(/^[a-z]+:(\d+\/)?/, '');
/** @param {number} bytes */
const size = bytes =>
  bytes < 1024
    ? bytes + ' B'
    : bytes < 1 << 20
      ? grouped((bytes / 1024).toFixed(1)) + ' KB'
      : grouped((bytes / (1 << 20)).toFixed(1)) + ' MB';

/** A place where files are dropped or picked. @param {{ test: string, title: string, text: string, onFiles: (files: File[]) => void, input: string, multiple: boolean }} how */
export function makeDrop({ test, title, text, onFiles, input, multiple }) {
  const pick = h('input', {
    type: 'file',
    multiple,
    'data-test': input,
    class: 'hidden-input',
    'aria-label': title,
    tabIndex: -1,
  });
  const choose = h('button', { type: 'button', class: 'main', onclick: () => pick.click() }, T.open.pick);
  pick.onchange = () => {
    const files = [...pick.files];
    pick.value = '';
    if (files.length) onFiles(files);
  };
  const box = h(
    'div',
    { class: 'drop', 'data-test': test },
    h('strong', null, title),
    h('span', { class: 'soft' }, text),
    choose,
    pick,
  );
  acceptFiles(box, onFiles);
  return box;
}

/** Files that are dropped anywhere on the element. @param {any} box @param {(files: File[]) => void} onFiles */
function acceptFiles(box, onFiles) {
  box.ondragover = (/** @type {DragEvent} */ e) => {
    e.preventDefault();
    box.classList.add('over');
  };
  box.ondragleave = () => box.classList.remove('over');
  box.ondrop = (/** @type {DragEvent} */ e) => {
    e.preventDefault();
    e.stopPropagation();
    box.classList.remove('over');
    const files = e.dataTransfer ? [...e.dataTransfer.files] : [];
    if (files.length) onFiles(files);
  };
}

/** @param {any} store */
export function makeOpenPlace(store) {
  const opening = h('p', { class: 'soft', 'data-test': 'opening', role: 'status' });
  const cards = h('div', { class: 'cards' });
  const folder = h('div', { class: 'list' }),
    examples = h('div', { class: 'list' }),
    documents = h('div', { class: 'list' });

  /** @param {string} file */
  async function open(file) {
    opening.textContent = T.open.reading(shortName(file));
    try {
      if (/\.lacuna$/.test(file)) {
        await store.openProject(file);
        return;
      }
      const document = await store.open(file);
      store.say('');
      store.go(
        document.kind === 'argus' ? 'protect' : /\.toml$/.test(file) || document.kind === 'problem' ? 'table' : 'rules',
      );
    } catch (error) {
      if (error instanceof api.ApiError && error.draft && (await canBeShown(file))) {
        store.say('');
        store.showDraft({ file, ...error.draft, error });
      } else store.fail(error);
    } finally {
      opening.textContent = '';
    }
  }
  // Of a file without rows the form has nothing to show: what is wrong is said here.
  const canBeShown = async (/** @type {string} */ file) => {
    if (!isData(file)) return true;
    try {
      await api.post('looks', { file, rows: 1 });
      return true;
    } catch (error) {
      if (error instanceof api.ApiError && error.status === 422) {
        store.fail(error);
        return false;
      }
      throw error;
    }
  };
  /** @param {string} file */
  const show = file => (file === PUBLISHED ? store.emit('infer', [file]) : open(file));
  /** @param {File[]} files */
  const dropped = files =>
    store.attempt(async () => {
      opening.textContent = T.open.sending(files.length);
      try {
        for (const file of mainFiles(await api.upload(files))) await open(file);
      } finally {
        opening.textContent = '';
      }
    });

  /** @param {any} entry */
  const fileLine = entry =>
    h(
      'button',
      {
        type: 'button',
        class: 'line',
        'data-test': 'file:' + entry.name,
        disabled: !entry.folder && entry.kind === 'other',
        onclick: () => (entry.folder ? list(entry.file) : open(entry.file)),
      },
      h('span', { class: 'name' }, entry.name + (entry.folder ? '/' : '')),
      h('span', { class: 'tag' }, entry.folder ? '' : T.kinds[entry.kind] || ''),
      h('span', { class: 'soft number' }, entry.folder ? '' : size(entry.bytes)),
    );
  let shown = '';
  /** @param {string} name */
  const list = name =>
    store.attempt(async () => {
      const answer = await api.get('files?folder=' + encodeURIComponent(name));
      shown = name;
      const above = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '';
      const up = name
        ? [
            h(
              'button',
              { type: 'button', class: 'line', 'data-test': 'folder-up', onclick: () => list(above) },
              '↰ ' + T.open.up,
            ),
          ]
        : [];
      const entries = answer.entries.map(fileLine);
      refill(
        folder,
        h('p', { class: 'path' }, (store.about ? store.about.folder : '') + (name ? '/' + name : '')),
        up,
        entries.length ? entries : h('p', { class: 'soft' }, T.open.empty),
      );
    });
  // What is lost with a table is said before, and the focus goes to what stands there then.
  /** @param {any} d */
  async function close(d) {
    const runs = (await api.get('runs?document=' + d.id)).length,
      changes = d.changes.length;
    const lost = runs || changes;
    if (lost && !(await ask({ ...T.open.closing(d.name, runs, changes), test: 'closing' }))) {
      focusOn('close:' + d.id);
      return;
    }
    const at = store.documents.findIndex((/** @type {any} */ other) => other.id === d.id);
    await store.close(d.id);
    const next = store.documents[Math.min(at, store.documents.length - 1)];
    if (next) focusOn('document:' + next.id);
    else element.querySelector('button')?.focus();
  }
  /** @param {string} test */
  const focusOn = test => /** @type {any} */ (documents.querySelector(`[data-test="${test}"]`))?.focus();
  /** @param {any} d */
  const documentLine = d =>
    h(
      'div',
      { class: 'line' + (store.document && store.document.id === d.id ? ' current' : '') },
      h(
        'button',
        {
          type: 'button',
          class: 'link grow',
          'data-test': 'document:' + d.id,
          onclick: () =>
            store.attempt(async () => {
              await store.use(d.id);
              store.go(d.kind === 'argus' ? 'protect' : 'table');
            }),
        },
        d.id + ' · ' + d.name,
        h(
          'span',
          { class: 'soft' },
          T.open.summary(d, (/** @type {number} */ n) => grouped(String(n))),
        ),
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'quiet',
          'data-test': 'close:' + d.id,
          'aria-label': T.open.close(d.name),
          title: T.open.close(d.name),
          onclick: () => store.attempt(() => close(d)),
        },
        '×',
      ),
    );

  function draw() {
    const about = store.about;
    refill(
      cards,
      about
        ? T.open.cards
            .map((/** @type {any} */ card) => ({ ...card, at: 'example:' + card.file }))
            .filter((/** @type {any} */ card) => about.examples.some((/** @type {any} */ e) => e.file === card.at))
            .map((/** @type {any} */ card) =>
              h(
                'button',
                { type: 'button', class: 'card example', 'data-test': 'card:' + card.file, onclick: () => show(card.at) },
                h('b', null, card.name),
                h('span', { class: 'soft' }, card.text),
              ),
            )
        : [],
    );
    refill(
      examples,
      about
        ? about.examples.map((/** @type {any} */ e) =>
            h(
              'button',
              {
                type: 'button',
                class: 'line',
                'data-test': e.file,
                onclick: () => show(e.file),
              },
              h('span', { class: 'name' }, e.file.replace('example:', '')),
              h('span', { class: 'soft' }, T.open.titles[e.title] || e.title),
            ),
          )
        : [],
    );
    refill(
      documents,
      store.documents.length ? store.documents.map(documentLine) : h('p', { class: 'soft' }, T.open.nothing),
    );
  }
  store.on('documents', draw);
  store.on('document', draw);
  store.on('changed', draw);

  const element = h(
    'section',
    { class: 'place open', 'data-test': 'here-open', 'aria-label': T.places.open },
    h(
      'div',
      { class: 'columns' },
      h(
        'div',
        null,
        h('h1', null, T.open.title),
        h('p', null, T.open.purpose),
        h('p', { class: 'soft' }, T.open.intro),
        makeDrop({
          test: 'drop',
          input: 'files',
          multiple: true,
          title: T.open.drop,
          text: T.open.dropText,
          onFiles: dropped,
        }),
        opening,
        h(
          'div',
          { class: 'row' },
          h('h2', null, T.open.first),
          h('span', { class: 'grow' }),
          h('button', { type: 'button', 'data-test': 'tour-start', onclick: () => store.emit('tour') }, T.tour.start),
        ),
        cards,
        h('h2', null, T.open.examples),
        examples,
      ),
      h(
        'div',
        null,
        h('h2', null, T.open.documents),
        documents,
        h('h2', null, T.project.title),
        makeProject(store),
        h('h2', null, T.open.folder),
        folder,
      ),
    ),
  );
  acceptFiles(element, dropped);
  store.on('files', () => list(shown));
  return {
    element,
    show: () => {
      draw();
      if (!store.about) return;
      store.attempt(store.loadDocuments);
      list(shown); // files may have come meanwhile
    },
  };
}
