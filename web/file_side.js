// SPDX-License-Identifier: Apache-2.0
// The file behind the form: its rows as they stand, what was said of it so far, and the guess
// around that. What is said is kept by file, so that it outlives another opening of the same.
import * as api from './api.js';
import { kindOf, roleOf, withKey, withRole, withTree } from './job.js';
import { makeRawView } from './raw_view.js';
import { recordsSpec } from './records_guess.js';
import { T } from './texts.js';

const GUESSED = ['input', 'columns', 'dimension']; // parts of a job that come from the file
const ROWS = 200;
/** A file that is neither a job nor a problem. @param {string} file */
export const isData = file => !!file && !/\.(toml|arb|jj|json|lacuna)(\.gz|\.xz)?$/i.test(file);

const nothing = () => ({ input: /** @type {any} */ ({}), roles: new Map(), totals: new Map(), trees: new Map(), kind: '' });
/** @type {Map<string, ReturnType<typeof nothing>>} */
const remembered = new Map();

/** @param {{ onSay: () => void }} how */
export function makeFileSide({ onSay }) {
  let file = '';
  let said = nothing();
  /** @type {any} */
  let look = null;
  /** Codes by column, the most that were seen: a choice of rows leaves few. @type {Map<string, string[]>} */
  let codes = new Map();
  /** @param {any} answer @param {string} name */
  function take(answer, name) {
    for (const c of answer.columns) if ((codes.get(c.name) || []).length < c.codes.length) codes.set(c.name, c.codes);
    look = { ...answer, name, codes };
    raw.show(look);
  }
  const raw = makeRawView({
    more: (first, rows) => api.post('looks', { file, said: part(), first, rows }),
    onRow: (row, kind) => {
      if (said.kind === 'records' || kind === 'heading') return;
      say('skip', kind === 'title' || kind === 'other' || kind === 'cell' ? row : undefined); // the heading stands here
    },
  });
  /** @param {string} key @param {any} value */
  function say(key, value) {
    if (value === undefined) delete said.input[key];
    else said.input[key] = value;
    onSay();
  }

  /** What was said, as a part of a job; a heading that is none gets names. */
  function part() {
    const { header, round_totals, decimals, ...input } = said.input;
    const count = look ? look.raw.columns : 0;
    if (decimals !== undefined) input.decimals = decimals;
    if (said.kind === 'records') for (const key of ['encoding', 'totals', 'wide', 'only', 'means', 'rows', 'thousands']) delete input[key];
    if (header === 'no') input.header = Array.from({ length: count }, (_, k) => T.look.column(k + 1));
    if (header === 'yes' && input.skip === undefined && said.kind !== 'records') input.skip = 0;
    if (round_totals !== undefined) input.round_totals = round_totals;
    /** @type {any} */
    const told = { input };
    const roles = [...said.roles].filter(([, role]) => role);
    const columns = Object.fromEntries(
      roles.filter(([, role]) => !['dimension', 'largest'].includes(role)).map(([name, role]) => [role, name]),
    );
    if (Object.keys(columns).length && said.kind !== 'records') told.columns = columns;
    const names = new Set([...roles.filter(([, role]) => role === 'dimension').map(([name]) => name), ...said.totals.keys()]);
    if (names.size && said.kind !== 'records')
      told.dimension = [...names].map(name => ({ name, ...(said.totals.has(name) ? { total: said.totals.get(name) } : {}) }));
    return told;
  }
  /** What was said goes over what was guessed. @param {any} spec */
  function withSaid(spec) {
    for (const [name, role] of said.roles) if (roleOf(spec, name) !== role) spec = withRole(spec, name, role);
    for (const [name, total] of said.totals) {
      const which = (spec.dimension || []).findIndex((/** @type {any} */ d) => d.name === name);
      if (which >= 0 && !spec.dimension[which].tree) spec = withKey(spec, ['dimension', which, 'total'], total);
    }
    for (const [name, tree] of said.trees) {
      const which = (spec.dimension || []).findIndex((/** @type {any} */ d) => d.name === name);
      if (which >= 0) spec = withTree(spec, which, new Map(tree));
    }
    return spec;
  }
  return {
    raw,
    say,
    look: () => look,
    kind: () => said.kind || 'table',
    said: () => said.input,
    leave: () => {
      file = '';
      look = null;
    },
    isThere: () => isData(file) && !!look,
    /** @param {string} now @param {any} spec */
    start: async (now, spec) => {
      file = now;
      look = null;
      codes = new Map();
      if (!isData(file)) return;
      said = remembered.get(file) || nothing();
      remembered.set(file, said);
      if (spec && spec.input && !said.kind) said.kind = kindOf(spec);
      const answer = await api.post('looks', { file, said: part(), rows: ROWS });
      if (now !== file) return;
      take(answer, file.replace(/^[a-z]+:(\d+\/)?/, '').replace(/^.*\//, ''));
    },
    /** Guesses anew around what was said; the text and the value of the job. @param {any} now the job as it is */
    guess: async now => {
      const mine = file,
        answer = await api.post('looks', { file, said: part(), rows: ROWS });
      if (mine !== file) return null;
      take(answer, look ? look.name : '');
      const records = said.kind === 'records';
      const guessed = records ? recordsSpec(look, part().input, said.roles) : look.job.spec || {};
      const rest = Object.fromEntries(Object.entries(now || {}).filter(([key]) => !GUESSED.includes(key)));
      return { text: records ? '' : look.job.text, spec: { ...withSaid(guessed), ...rest }, open: records ? [] : look.open };
    },
    /** @param {string} kind */
    setKind: kind => {
      said.kind = kind;
      said.roles = new Map(); // they were those of cells, or of records
      onSay();
    },
    /** @param {string} name @param {string} role */
    setRole: (name, role) => said.roles.set(name, role),
    /** @param {string} name @param {any} total */
    setTotal: (name, total) => (total === undefined ? said.totals.delete(name) : said.totals.set(name, total)),
    /** @param {string} name @param {any} tree */
    setTree: (name, tree) => said.trees.set(name, tree),
    /** All roles and totals of the job are from now on said. @param {any} spec */
    holdAll: spec => {
      for (const c of look ? look.columns : []) {
        const role = roleOf(spec, c.name);
        if (role && role !== 'largest') said.roles.set(c.name, role);
      }
    },
    /** @param {any} spec */
    showRoles: spec => {
      if (!look || !spec) return;
      raw.roles(
        look.columns.map((/** @type {any} */ c) => {
          const role = roleOf(spec, c.name);
          return [c.name, role === 'dimension' || role === 'value' ? role : role ? 'other' : 'none', role ? T.roles[role] || role : ''];
        }),
      );
    },
  };
}
