// SPDX-License-Identifier: Apache-2.0
// The job that is edited, as text and as value: what is written in the editor is read by the server,
// what a form changes is written by it. Changes of the form come one after the other, each on top of
// what the text says then.
import * as api from './api.js';
import { later } from './dom.js';

/** @typedef {{ text: string, spec: any, lines: Record<string, number>, error?: any, lost?: string[] }} Job */

/** onText: something is about to change, or has; onJob: text and value belong together again.
 * @param {{ attempt: (f: () => Promise<any>) => Promise<any>, onText: () => void, onJob: (job: Job) => void }} how */
export function makeJobSource({ attempt, onText, onJob }) {
  /** @type {Job} */
  let job = { text: '', spec: {}, lines: {} };
  let { text } = job;
  let round = 0, // of the document: what was asked for another is forgotten
    waiting = 0;
  let last = /** @type {Promise<any>} */ (Promise.resolve());

  /** @param {Job} now */
  function show(now) {
    job = now;
    ({ text } = now);
    onJob(now);
  }
  /** The text as it is, read; null if it has changed meanwhile. @param {number} mine */
  async function current(mine) {
    const asked = text;
    if (job.text !== asked) {
      const read = await api.post('jobs', { text: asked });
      if (mine !== round || text !== asked) return null;
      show(read);
    }
    return job;
  }
  /** @param {number} mine @param {(spec: any) => any} change */
  async function apply(mine, change) {
    while (mine === round) {
      const now = await current(mine);
      if (!now) continue;
      if (!now.spec) return;
      const answer = await api.post('jobs', { text: now.text, spec: change(now.spec) });
      if (mine !== round || text !== now.text) continue; // written on meanwhile: once more, on top of that
      ({ text } = answer);
      onText();
      show(answer);
      return;
    }
  }
  /** @param {(mine: number) => Promise<any>} f */
  function queue(f) {
    const mine = round;
    ++waiting;
    last = last.then(() => attempt(() => f(mine))).finally(() => --waiting);
    return last;
  }
  const readSoon = later(() => queue(current), 200);
  return {
    job: () => job,
    text: () => text,
    pending: () => waiting > 0,
    settled: () => last,
    /** From the editor. @param {string} now */
    setText: now => {
      text = now;
      onText();
      readSoon();
    },
    /** From the form. @param {(spec: any) => any} change */
    edit: change => {
      queue(mine => apply(mine, change));
      onText();
    },
    /** A text with this value in it, whatever was there. @param {string} now @param {any} spec */
    put: (now, spec) => {
      queue(async mine => {
        const answer = await api.post('jobs', { text: now, spec });
        if (mine !== round) return;
        ({ text } = answer);
        onText();
        show(answer);
      });
      return last;
    },
    /** Another job, as the server gave it. @param {Job} now @param {boolean} [told] */
    start: (now, told = false) => {
      ++round;
      ({ text } = now);
      if (told) onText();
      show(now);
    },
  };
}
