// SPDX-License-Identifier: Apache-2.0
// A job read by the program before it is taken over: a document of its own that no list shows. Only
// the last question counts; what was asked before is forgotten.
import * as api from './api.js';

/** @param {any} store @param {number} most cells up to which the trees are fetched as well */
export function makeReading(store, most) {
  /** @type {any} */
  let read = null;
  let asked = 0;
  const forget = (/** @type {number} */ id) => api.remove(`documents/${id}?upload=keep`).catch(() => {});
  function drop() {
    ++asked;
    if (read) forget(read.id);
    read = null;
  }
  /** @param {number} mine @param {string} file @param {string} job */
  async function open(mine, file, job) {
    const document = await api.post('documents', { file, job });
    if (mine !== asked) {
      forget(document.id);
      return null;
    }
    read = document;
    store.previews.add(document.id);
    const page = document.cells <= most ? await api.get(`documents/${document.id}/page`) : null;
    return mine === asked ? { document, dims: page && page.dimensions, error: null } : null;
  }
  return {
    drop,
    document: () => read,
    /** What was understood, or the mistake; null if another question was asked meanwhile.
     * @param {string} file @param {string} job @returns {Promise<any>} */
    ask: async (file, job) => {
      drop();
      const mine = asked;
      try {
        return await open(mine, file, job);
      } catch (error) {
        if (mine !== asked) return null;
        if (error instanceof api.ApiError && error.status === 422) return { document: null, dims: null, error };
        throw error;
      }
    },
    /** From now on a document like any other; its number. */
    take: () => {
      const { id } = read;
      read = null;
      store.previews.delete(id);
      return id;
    },
  };
}
