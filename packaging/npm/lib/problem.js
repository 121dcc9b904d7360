// SPDX-License-Identifier: Apache-2.0
// A table with what is asked of it (problem JSON, docs/formats.md), and what a release says of each cell
// (docs/audit.md, section 1), as the check of a certificate needs them.
import { need } from './exact_json.js';

/** @typedef {bigint | number} End of a range: a whole number, Infinity or -Infinity */
/** @typedef {[End, End]} Range */
/** @typedef {Map<number, bigint>} Row factors of cells */

const LEVELS = ['lower', 'upper', 'sliding'];
/** Numbers of an entry, by its state. @type {Record<string, string[]>} */
const NUMBERS = {
  withheld: [],
  interval: ['lower', 'upper'],
  rounded: ['value', 'base', 'steps'],
  altered: ['value', 'lower', 'upper'],
  adjusted: ['value'],
};

/** @param {any} number @param {End} [low] @param {End} [high] @returns {bigint} */
export function whole(number, low = -Infinity, high = Infinity) {
  need(typeof number === 'bigint' && number >= low && number < high, 'expected a whole number within range');
  return number;
}

/** @param {any} number @param {number} count */
export const index = (number, count) => Number(whole(number, 0n, count));

/** Nothing that this check would pass over. @param {any} item @param {string[]} names */
export function named(item, ...names) {
  need(item !== null && typeof item === 'object' && !Array.isArray(item), 'expected an object');
  for (const name of Object.keys(item))
    need(names.includes(name), 'a name that a certificate does not have: ' + name);
  return item;
}

/** @param {any} list @returns {any[]} */
export function listOf(list) {
  need(Array.isArray(list), 'expected a list');
  return list;
}

/** @param {End} a @param {End} b @returns {End} */
export const greater = (a, b) => (a > b ? a : b);
/** @param {End} a @param {End} b @returns {End} */
export const less = (a, b) => (a < b ? a : b);

/** The range that an item gives; absent or null: no end. @param {bigint} value @param {any} item @returns {Range} */
export function endsOf(value, item) {
  const lower = item.lower === undefined || item.lower === null ? -Infinity : whole(item.lower);
  const upper = item.upper === undefined || item.upper === null ? Infinity : whole(item.upper);
  need(lower <= value && value <= upper, 'a range does not contain the true value');
  return [lower, upper];
}

/** What a reader knows of the true value. @param {any} entry @param {bigint} value @returns {Range} */
export function said(entry, value) {
  need(Object.hasOwn(NUMBERS, entry.state), 'unknown state');
  const names = NUMBERS[entry.state];
  const optional = { interval: ['among'], altered: ['among', 'by'] }[/** @type {string} */ (entry.state)] || [];
  need(entry.by === undefined || entry.by === 'cellkey', 'unknown origin of a number');
  const own = Object.keys(entry).filter(name => !optional.includes(name));
  const fits = own.length === names.length + 2 && ['cell', 'state', ...names].every(name => own.includes(name));
  need(fits, "an entry's numbers are not those of its state");
  if (entry.among !== undefined) {
    const among = listOf(entry.among).map(number => whole(number));
    need(among.every((number, i) => i === 0 || among[i - 1] < number), 'a list of numbers does not rise');
    need(among.includes(value), 'a list of numbers lacks the truth');
    need(among[0] === entry.lower && among[among.length - 1] === entry.upper, 'a list has other ends than its range');
  }
  if (entry.state !== 'rounded') return endsOf(value, entry);
  const reach = whole(entry.base, 1n) * (whole(entry.steps, 0n, 101n) + 1n);
  const number = whole(entry.value);
  return endsOf(value, { lower: number - reach, upper: number + reach });
}

/** @param {any} ids @param {any} numbers @param {number} count @returns {[number, bigint][]} */
export function pairs(ids, numbers, count) {
  need(listOf(ids).length === listOf(numbers).length, 'two lists of one item are not equally long');
  return ids.map((/** @type {any} */ id, /** @type {number} */ i) => [index(id, count), whole(numbers[i])]);
}

/** @param {[number, bigint][]} terms @returns {Row} */
export function merged(terms) {
  const row = new Map();
  for (const [cell, factor] of terms) row.set(cell, (row.get(cell) || 0n) + factor);
  for (const [cell, factor] of row) if (factor === 0n) row.delete(cell);
  return row;
}

/** The total and parts of a sum; of two equal cells each is the only part of the other.
 * @param {Row} row @param {bigint} rhs @returns {[number, number[]][]} */
export function partSums(row, rhs) {
  const signs = [...row.values()];
  const up = signs.filter(sign => sign === 1n).length,
    down = signs.filter(sign => sign === -1n).length;
  if (rhs !== 0n || up + down !== signs.length || up === 0 || down === 0) return [];
  const cells = [...row.keys()].sort((a, b) => a - b);
  const lone = up === 1 ? 1n : -1n;
  const totals = cells.length === 2 ? cells : cells.filter(cell => row.get(cell) === lone);
  if (cells.length !== 2 && totals.length !== 1) return [];
  return totals.map(total => [total, cells.filter(cell => cell !== total)]);
}

/** @param {any} list @param {bigint[]} values @returns {Map<number, Range>} */
function knownRanges(list, values) {
  const found = new Map();
  for (const item of listOf(list)) {
    const cell = index(item.cell, values.length);
    need(!found.has(cell), 'a cell is named twice');
    found.set(cell, endsOf(values[cell], item));
  }
  return found;
}

/** A problem in the units of the certificate, which may be smaller if it is about an adjusted table.
 * @param {any} root @param {bigint} factor */
function scaled(root, factor) {
  const times = (/** @type {any} */ item, /** @type {string[]} */ names) => {
    const out = { ...item };
    for (const name of names) if (out[name] !== undefined && out[name] !== null) out[name] = whole(out[name]) * factor;
    return out;
  };
  const attackers = root.attackers && root.attackers.length ? root.attackers : [{}];
  return {
    ...root,
    attackers: attackers.map((/** @type {any} */ each) => ({
      ...each,
      known: listOf(each.known || []).map(known => times(known, LEVELS)),
    })),
    cells: listOf(root.cells).map(cell => times(cell, ['value', ...LEVELS])),
    equations: listOf(root.equations || []).map(equation => times(equation, ['rhs'])),
  };
}

/** What is asked, in whole units, with the equations checked.
 * @param {any} given @param {any} certificate @param {boolean} zerosAreMeant @param {boolean} asksWithheld */
export function readProblem(given, certificate, zerosAreMeant, asksWithheld) {
  const decimals = whole(certificate.decimals, 0n, 19n);
  const factor = 10n ** whole(decimals - whole(given.decimals ?? 0n, 0n, 19n), 0n);
  const release = listOf(certificate.release);
  const adjusted = release.length > 0 && release.every(entry => entry.state === 'adjusted');
  need(factor === 1n || adjusted, 'the certificate is for a table with other decimals');
  const root = scaled(given, factor);
  /** @type {bigint[]} */
  const values = root.cells.map((/** @type {any} */ cell) => whole(cell.value));
  /** @type {Range[]} */
  const priors = root.cells.map((/** @type {any} */ cell, /** @type {number} */ i) =>
    cell.status === 'known' ? [values[i], values[i]] : endsOf(values[i], cell)
  );
  /** @type {[number, bigint][][]} */
  const equations = [];
  /** @type {bigint[]} */
  const rhs = [];
  for (const item of root.equations) {
    const terms = pairs(item.cells, item.coefficients, values.length);
    const total = terms.reduce((sum, [cell, times]) => sum + times * values[cell], 0n);
    need(total === whole(item.rhs ?? 0n), 'the table is not additive: equation ' + equations.length);
    equations.push(terms);
    rhs.push(total);
  }
  const known = root.attackers.map((/** @type {any} */ each) => knownRanges(each.known, values));
  const levels = levelsOf(root, values.length, known, priors, factor, zerosAreMeant);
  if (asksWithheld && levels.size === 0 && !(root.counts && root.counts.questions && root.counts.questions.length))
    askOfWithheld(root, release, values.length, priors, levels, factor);
  return { root, values, priors, equations, rhs, known, levels, adjusted, decimals };
}

/** Requirements: [cell, attacker, [lower, upper, sliding]] in order.
 * @typedef {Map<string, {cell: number, attacker: number, asked: bigint[]}>} Levels */

/** @param {any} root @param {number} count @param {Map<number, Range>[]} known @param {Range[]} priors
 * @param {bigint} factor @param {boolean} zerosAreMeant @returns {Levels} */
function levelsOf(root, count, known, priors, factor, zerosAreMeant) {
  /** @type {Levels} */
  const levels = new Map();
  const asked = new Set();
  for (const item of listOf(root.requirements || [])) {
    const cell = index(item.cell, count),
      attacker = index(item.attacker ?? 0n, known.length);
    need(!levels.has(cell + ' ' + attacker), 'a cell has two requirements for the same attacker');
    levels.set(cell + ' ' + attacker, {
      cell,
      attacker,
      asked: LEVELS.map(name => factor * whole(item[name] ?? 0n, 0n)),
    });
    asked.add(cell);
  }
  root.cells.forEach((/** @type {any} */ item, /** @type {number} */ cell) => {
    if (item.status === 'primary' && !asked.has(cell))
      levels.set(cell + ' 0', { cell, attacker: 0, asked: [0n, 0n, 0n] });
  });
  for (const each of levels.values()) {
    const own = known[each.attacker].get(each.cell) || [-Infinity, Infinity],
      prior = priors[each.cell];
    const isOpen = greater(prior[0], own[0]) < less(prior[1], own[1]);
    // Sensitive without levels: at least not exactly computable.
    if (!zerosAreMeant && isOpen && !each.asked.some(level => level !== 0n)) each.asked[2] = factor;
  }
  return levels;
}

/** A table that asks for nothing: whoever withheld a cell had a reason.
 * @param {any} root @param {any[]} release @param {number} count @param {Range[]} priors @param {Levels} levels
 * @param {bigint} factor */
function askOfWithheld(root, release, count, priors, levels, factor) {
  for (const entry of release) {
    const cell = index(entry.cell, count);
    const isOpen = priors[cell][0] < priors[cell][1];
    if (entry.state !== 'withheld' || root.cells[cell].published === false || !isOpen) continue;
    levels.set(cell + ' 0', { cell, attacker: 0, asked: [0n, 0n, factor] });
    if (root.counts) {
      root.counts = { ...root.counts, questions: [...(root.counts.questions || [])] };
      root.counts.questions.push({ kind: 'exact', attacker: 0n, cell: BigInt(cell) });
    }
  }
}

/** @param {Levels} levels */
export const inOrder = levels => [...levels.values()].sort((a, b) => a.cell - b.cell || a.attacker - b.attacker);
