// SPDX-License-Identifier: Apache-2.0
// What a cell-key release of counts tells by different numbers (docs/knowledge.md): the same units show the
// same number, so cells with different numbers are different, and some forms of cells are at least 1. They
// enter as cells and equations of their own, after those of the table.
import { greater, less, partSums } from './problem.js';

/** @typedef {import('./problem.js').Range} Range */
/** @typedef {import('./problem.js').Row} Row */
/** @typedef {{form: Row, equation: number | null}} Difference */

class Search {
  /** @param {bigint[]} values @param {Range[]} priors @param {Row[]} rows @param {bigint[]} rhs
   * @param {Map<number, any>} entries @param {Map<number, Range>} release */
  constructor(values, priors, rows, rhs, entries, release) {
    this.priors = priors;
    this.entries = entries;
    /** @type {Range[]} */
    this.said = values.map((value, cell) => release.get(cell) || [value, value]);
    /** @type {Range[]} */
    this.ranges = priors.map((prior, cell) => [
      greater(greater(0n, prior[0]), this.said[cell][0]),
      less(prior[1], this.said[cell][1]),
    ]);
    const shown = values.map((value, cell) => (entries.has(cell) ? entries.get(cell).value : value));
    this.addsUp = rows.every((row, i) => {
      const cells = [...row];
      return (
        cells.every(([cell]) => shown[cell] !== undefined) &&
        cells.reduce((sum, [cell, factor]) => sum + factor * shown[cell], 0n) === rhs[i]
      );
    });
    this.numbered = new Set(
      [...entries].filter(([, entry]) => entry.by !== undefined || entry.state === 'interval').map(([cell]) => cell)
    );
    this.sums = rows.map((row, i) => partSums(row, rhs[i]));
  }

  /** @returns {Difference[]} */
  find() {
    const below = this.mayBeAll();
    /** @type {Map<string, {total: number, part: number, equation: number | null}>} */
    const nested = new Map();
    /** @type {Map<number, number[]>} */
    const above = new Map();
    for (const cell of [...this.numbered].sort((a, b) => a - b)) {
      for (const part of this.reached(cell, below)) {
        if (!this.numbered.has(part)) above.set(part, [...(above.get(part) || []), cell]);
        else if (this.tellApart(cell, part))
          nested.set(cell + ' ' + part, { total: cell, part, equation: this.equationOf(cell, part) });
      }
    }
    /** @type {Difference[]} */
    const forms = [...nested.values()]
      .sort((a, b) => a.total - b.total || a.part - b.part)
      .map(({ total, part, equation }) => ({ form: new Map([[total, 1n], [part, -1n]]), equation }));
    for (const blank of [...above.keys()].sort((a, b) => a - b)) {
      const cells = above.get(blank) || [];
      cells.forEach((a, i) => {
        for (const b of cells.slice(i + 1)) {
          if (nested.has(a + ' ' + b) || nested.has(b + ' ' + a) || !this.tellApart(a, b)) continue;
          forms.push({ form: new Map([[a, 1n], [b, 1n], [blank, -2n]]), equation: null });
        }
      });
    }
    return forms;
  }

  /** @param {number} total @param {number} part */
  equationOf(total, part) {
    const found = this.sums.findIndex(items =>
      items.some(([of, parts]) => parts.length > 1 && of === total && parts.includes(part))
    );
    return found < 0 ? null : found;
  }

  /** By total, parts that it may be equal to: no other part is known not to be empty. */
  mayBeAll() {
    /** @type {Map<number, number[]>} */
    const below = new Map();
    for (const [total, parts] of this.sums.flat()) {
      const some = parts.filter(part => this.ranges[part][0] >= 1n);
      const fits = parts.filter(
        part => some.every(each => each === part) && this.ranges[total][0] <= this.ranges[part][1]
      );
      below.set(total, [...(below.get(total) || []), ...fits]);
    }
    return below;
  }

  /** Down to the next cells with numbers. @param {number} cell @param {Map<number, number[]>} below */
  reached(cell, below) {
    const seen = new Set([cell]),
      left = [cell];
    while (left.length) {
      for (const each of below.get(/** @type {number} */ (left.pop())) || []) {
        if (seen.has(each)) continue;
        seen.add(each);
        if (!this.numbered.has(each)) left.push(each);
      }
    }
    seen.delete(cell);
    return seen;
  }

  /** @param {number} a @param {number} b */
  tellApart(a, b) {
    const [low, high] = this.ranges[a],
      [otherLow, otherHigh] = this.ranges[b];
    if (greater(low, otherLow) < 1n || low > otherHigh || otherLow > high) return false;
    const one = this.entries.get(a),
      other = this.entries.get(b);
    if (one.state !== other.state || one.state === 'interval') return one.state !== other.state;
    if (!this.addsUp && one.value !== other.value) return true;
    const mine = this.within(a, this.priors[b]),
      theirs = this.within(b, this.priors[a]);
    return mine[0] !== theirs[0] || mine[1] !== theirs[1];
  }

  /** @param {number} cell @param {Range} prior */
  within(cell, prior) {
    return [greater(this.said[cell][0], prior[0]), less(this.said[cell][1], prior[1])];
  }
}

/** Adds them to the table, in place.
 * @param {{values: bigint[], priors: Range[], equations: [number, bigint][][]}} table @param {Row[]} rows
 * @param {bigint[]} rhs @param {Map<number, any>} entries @param {Map<number, Range>} release */
export function addDifferences(table, rows, rhs, entries, release) {
  const { values, priors, equations } = table;
  const before = [...values];
  const valueOf = (/** @type {Row} */ form) => [...form].reduce((sum, [cell, f]) => sum + f * before[cell], 0n);
  const found = new Search(before, [...priors], rows, rhs, entries, release).find();
  const divided = new Set();
  for (const { form, equation } of found.filter(each => valueOf(each.form) >= 1n)) {
    const others =
      equation === null ? [] : [...rows[equation].keys()].filter(cell => !form.has(cell)).sort((a, b) => a - b);
    if (others.length === 1) {
      priors[others[0]] = [greater(1n, priors[others[0]][0]), priors[others[0]][1]];
      continue;
    }
    const rest = values.length;
    values.push(valueOf(form));
    priors.push([1n, Infinity]);
    entries.set(rest, { cell: BigInt(rest), state: 'withheld' });
    equations.push([...form, [rest, -1n]]);
    if (others.length === 0 || equation === null || divided.has(equation)) continue;
    divided.add(equation);
    const last = equations.length - 1;
    equations[last] = [[rest, -1n], ...others.map(cell => /** @type {[number, bigint]} */ ([cell, 1n]))];
    equations[equation] = [...form, [rest, -1n]];
  }
}
