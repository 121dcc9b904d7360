// SPDX-License-Identifier: Apache-2.0
// Export: for the public or for the office is chosen first, then the format; report, certificate,
// job; the command line that does the same.
import * as api from './api.js';
import { copyButton, h, refill, select } from './dom.js';
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
    command = h('code', { class: 'clip grow', 'data-test': 'command' });
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
    done.textContent = '';
  }
  function nameFile() {
    const name = store.document ? store.document.name.replace(/\.\w+$/, '') : 'table';
    file.value = `${name}_${what === 'public-report' ? 'public' : what}.${formats.value}`;
  }
  const query = () =>
    `what=${encodeURIComponent(what)}&format=${encodeURIComponent(formats.value)}` +
    (store.run.tables && store.run.tables.length ? '&table=' + store.argusTable : '');
  const download = () =>
    store.attempt(async () => {
      done.textContent = T.export.downloaded(await api.download(`runs/${store.run.id}/export?${query()}`, file.value));
    });
  /** @param {boolean} overwrite */
  const save = overwrite =>
    store.attempt(async () => {
      try {
        await api.post(`runs/${store.run.id}/export`, { what, format: formats.value, file: file.value, overwrite });
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
    h(
      'div',
      { class: 'row wrap' },
      format,
      h(
        'button',
        { type: 'button', class: 'main', 'data-test': 'export-download', onclick: download },
        T.export.download,
      ),
      h('span', { class: 'soft' }, T.export.or),
      file,
      h('button', { type: 'button', 'data-test': 'export-save', onclick: () => save(false) }, T.export.save),
    ),
    done,
    h('h3', null, T.export.command),
    h(
      'div',
      { class: 'row command' },
      command,
      copyButton(() => command.textContent || '', T.app.copy, T.app.copied, 'copy-command'),
    ),
  );
  return {
    element,
    update: () => {
      drawFormat();
      command.textContent = store.run ? store.run.command_line : '';
      command.title = command.textContent || '';
    },
  };
}
