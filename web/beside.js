// SPDX-License-Identifier: Apache-2.0
// Files that lie where the table lies: what a job may name. A table that was dropped on the page lies
// in a folder of its own, into which further files can be put.
import * as api from './api.js';
import { h } from './dom.js';

/** @param {any} store */
export function makeBeside(store) {
  let file = '';
  /** @type {string[]} */
  let names = [];
  const number = () => (/^upload:(\d+)\//.exec(file) || [])[1];
  const pick = h('input', { type: 'file', hidden: true, 'data-test': 'beside-file' });
  document.body.append(pick);
  /** A file is added to those of the upload; its name there is the value. @param {(name: string) => void} set */
  const add = set => {
    pick.onchange = () =>
      store.attempt(async () => {
        const [name] = await api.upload([...pick.files], number());
        pick.value = '';
        names = [...names, name.replace(/^upload:\d+\//, '')];
        set(names[names.length - 1]);
      });
    pick.click();
  };
  return {
    /** @param {string} now */
    start: async now => {
      file = now;
      names = [];
      if (!now || /^[a-z]+:/.test(now)) return;
      const folder = now.includes('/') ? now.replace(/\/[^/]*$/, '') : '';
      const answer = await api.get('files?folder=' + encodeURIComponent(folder)).catch(() => null);
      if (now === file && answer) names = answer.entries.filter((/** @type {any} */ e) => !e.folder).map((/** @type {any} */ e) => e.name);
    },
    /** What the form needs of it. */
    how: () => ({ files: names, onFile: number() ? add : null }),
  };
}
