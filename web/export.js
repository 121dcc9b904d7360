// SPDX-License-Identifier: Apache-2.0
// Export: for the public or for the office is chosen first, then the format; report, certificate,
// job; the command line that does the same.
import * as api from './api.js';
import { h, refill, select } from './dom.js';
import { commandPart } from './protect.js';
import { T } from './texts.js';

/** @type {Record<string, string[]>} */
const FORMATS = {
  public: ['csv', 'json', 'xlsx', 'px', 'sdmx.csv'],
  'public-report': ['html'],
  office: ['json', 'csv', 'xlsx'],
  report: ['html'],
  certificate: ['json'],
  job: ['toml'],
  apriori: ['csv'],
};
const FOR_PUBLIC = ['public', 'public-report'];

/** @param {any} store */
export function makeExport(store) {
  let what = 'public';
  const format = h('span', { class: 'row' }),
    command = h('div', { 'data-test': 'command' });
  // What nobody asked about is published only if that is said in so many words.
  const publish = h('input', { type: 'checkbox', 'data-test': 'publish-unasked', onchange: () => drawConsent() });
  const consent = h('label', { class: 'row consent' }, publish, h('span', null, T.export.unasked));
  const needsConsent = () => !!store.run && store.run.needs_word && FOR_PUBLIC.includes(what);
  const word = () => (needsConsent() && publish.checked ? 'publish' : undefined);
  /** @type {any[]} */
  const out = [];
  function drawConsent() {
    consent.hidden = !needsConsent();
    for (const button of out) button.disabled = needsConsent() && !publish.checked;
  }
  const file = h('input', {
    type: 'text',
    'data-test': 'export-file',
    'aria-label': T.export.file,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const done = h('p', { class: 'good', 'data-test': 'export-done', role: 'status' });
  /** @type {any} */
  let formats = null;
  function drawFormat() {
    formats = select(
      { 'data-test': 'export-format', 'aria-label': T.export.format, onchange: nameFile },
      FORMATS[what].map(f => [f, '.' + f]),
      FORMATS[what][0],
    );
    refill(format, formats);
    nameFile();
    drawConsent();
    done.textContent = '';
  }
  function nameFile() {
    const name = store.document ? store.document.name.replace(/\.\w+$/, '') : 'table';
    file.value = `${name}_${what === 'public-report' ? 'public' : what}.${formats.value}`;
  }
  const query = () =>
    `what=${encodeURIComponent(what)}&format=${encodeURIComponent(formats.value)}` +
    (store.run.tables && store.run.tables.length ? '&table=' + store.argusTable : '') +
    (word() ? '&unasked=' + word() : '');
  const download = () =>
    store.attempt(async () => {
      done.textContent = T.export.downloaded(await api.download(`runs/${store.run.id}/export?${query()}`, file.value));
    });
  /** @param {boolean} overwrite */
  const save = overwrite =>
    store.attempt(async () => {
      try {
        await api.post(`runs/${store.run.id}/export`, {
          what,
          format: formats.value,
          file: file.value,
          overwrite,
          unasked: word(),
        });
        done.textContent = T.export.saved(file.value);
      } catch (error) {
        if (!(error instanceof api.ApiError && error.status === 409)) throw error;
        if (!overwrite && window.confirm(T.export.exists(file.value))) await save(true);
      }
    });
  const group = (
    /** @type {string} */ title,
    /** @type {string} */ text,
    /** @type {string[]} */ names,
    /** @type {string} */ cls,
  ) =>
    h(
      'fieldset',
      { class: 'audience ' + cls },
      h('legend', null, title),
      h('p', { class: 'soft' }, text),
      names.map(name =>
        h(
          'label',
          { class: 'row' },
          h('input', {
            type: 'radio',
            name: 'export',
            value: name,
            checked: name === what,
            'data-test': 'export-what:' + name,
            onchange: () => {
              what = name;
              drawFormat();
            },
          }),
          h(
            'span',
            null,
            h('b', null, T.export.what[name].name),
            ' ',
            h('span', { class: 'soft' }, T.export.what[name].text),
          ),
        ),
      ),
    );
  out.push(
    h(
      'button',
      { type: 'button', class: 'main', 'data-test': 'export-download', onclick: download },
      T.export.download,
    ),
    h('button', { type: 'button', 'data-test': 'export-save', onclick: () => save(false) }, T.export.save),
  );
  const element = h(
    'section',
    { class: 'block' },
    h('h2', null, T.export.title),
    h(
      'div',
      { class: 'two' },
      group(T.export.public, T.export.publicText, FOR_PUBLIC, 'public'),
      group(
        T.export.office,
        T.export.officeText,
        Object.keys(FORMATS).filter(n => !FOR_PUBLIC.includes(n)),
        'office',
      ),
    ),
    consent,
    h('div', { class: 'row wrap' }, format, out[0], h('span', { class: 'soft' }, T.export.or), file, out[1]),
    done,
    h('h3', null, T.export.command),
    command,
  );
  return {
    element,
    update: () => {
      const decided = !!store.run && store.run.repeat.unsaved.includes('changes');
      const none = /** @type {any} */ (element.querySelector('[data-test="export-what:apriori"]'));
      none.disabled = !decided; // nothing was decided by hand: there is no file of it
      if (what === 'apriori' && !decided) what = 'public';
      for (const radio of element.querySelectorAll('input[name=export]')) radio.checked = radio.value === what;
      publish.checked = false;
      drawFormat();
      refill(command, store.run ? commandPart(store, store.run, 'copy-command') : []);
    },
  };
}
