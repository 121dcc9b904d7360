// SPDX-License-Identifier: Apache-2.0
// The server's HTTP interface: one function for a request, one for its errors, one for the stream of
// a run. Every request carries X-Lacuna, which a foreign page cannot send without being asked, and the
// secret of the session. That is kept in this window's own storage, which no other port of the machine
// sees (a cookie would go to all of them) and which outlives a reload.
import { counted } from './busy.js';

/** An answer that is an error: one sentence, and the place where the server knows it. */
export class ApiError extends Error {
  /** @param {number} status @param {any} answer */
  constructor(status, answer) {
    const error = (answer && answer.error) || {};
    super(error.message || 'HTTP ' + status);
    this.status = status;
    this.code = error.code || '';
    this.path = error.path || '';
    this.where = error.where || '';
    this.file = error.file || '';
    this.line = error.line || 0;
    this.column = error.column || 0;
    this.draft = (answer && answer.draft) || null;
  }
}

const KEY = 'lacuna-session';

/** @param {string} method @param {string} path @param {any} [body] @param {AbortSignal} [signal] */
async function request(method, path, body, signal) {
  const bytes = body instanceof Blob;
  /** @type {Record<string, string>} */
  const headers = { 'X-Lacuna': '1' };
  const session = sessionStorage.getItem(KEY);
  if (session) headers.Authorization = 'Bearer ' + session;
  if (body !== undefined) headers['Content-Type'] = bytes ? 'application/octet-stream' : 'application/json';
  const answer = await fetch('/api/' + path, {
    method,
    headers,
    signal,
    credentials: 'omit',
    body: body === undefined ? undefined : bytes ? body : JSON.stringify(body),
  });
  if (!answer.ok) throw new ApiError(answer.status, await answer.json().catch(() => null));
  return answer;
}

/** @param {string} method @param {string} path @param {any} [body] @returns {Promise<any>} */
const json = (method, path, body) =>
  counted(async () => {
    const answer = await request(method, path, body);
    return answer.status === 204 ? null : answer.json().catch(() => null);
  });

/** @param {string} path @returns {Promise<any>} */
export const get = path => json('GET', path);
/** @param {string} path @param {any} [body] @returns {Promise<any>} */
export const post = (path, body = {}) => json('POST', path, body);
/** @param {string} path @returns {Promise<any>} */
export const remove = path => json('DELETE', path);
/** @param {string} path */
export const text = path => counted(async () => (await request('GET', path)).text());

/** The token in the link is traded, once, for the secret of the session, and leaves the address. A link that is
 * opened again in a window that has the secret changes nothing. */
export async function startSession() {
  const token = location.hash.slice(1);
  if (!token || token.startsWith('/')) return;
  history.replaceState(null, '', location.pathname + location.search);
  try {
    sessionStorage.setItem(KEY, (await post('session', { token })).session);
  } catch (error) {
    if (!sessionStorage.getItem(KEY)) throw error;
  }
}

/** Another window, by a link of its own. */
export async function newWindow() {
  window.open((await post('links')).link, '_blank', 'noopener');
}

/** Files that belong together go into one folder of the server, or into that of an upload before.
 * @param {File[]} files @param {string} [beside] its number @returns {Promise<string[]>} */
export async function upload(files, beside = '') {
  const names = [];
  let into = beside && '&into=' + beside;
  for (const file of files) {
    const { file: name } = await json('POST', 'uploads?name=' + encodeURIComponent(file.name) + into, file);
    names.push(name);
    into = into || '&into=' + name.replace(/^upload:(\d+)\/.*$/, '$1');
  }
  return names;
}

/** Saves an answer as a file of the user's. @param {string} path @param {string} fallback */
export async function download(path, fallback) {
  const answer = await request('GET', path),
    blob = await answer.blob();
  const named = /filename="([^"]+)"/.exec(answer.headers.get('Content-Disposition') || '');
  const name = named ? named[1] : fallback;
  saveBlob(blob, name);
  return name;
}

/** Saves the answer to a question that has a body. @param {string} path @param {any} body @param {string} name */
export async function downloadPosted(path, body, name) {
  saveBlob(await (await request('POST', path, body)).blob(), name);
}

/** @param {Blob} blob @param {string} name */
function saveBlob(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The run's events until it ends. @param {number} id @param {(run: any) => void} hear @param {AbortSignal} signal */
export async function watchRun(id, hear, signal) {
  const answer = await request('GET', `runs/${id}/events`, undefined, signal);
  if (!answer.body) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n\n');
    rest = parts.pop() || '';
    for (const part of parts) {
      const data = part
        .split('\n')
        .filter(line => line.startsWith('data:'))
        .map(line => line.slice(5))
        .join('\n');
      if (data) hear(JSON.parse(data));
    }
  }
}
