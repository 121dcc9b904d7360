// SPDX-License-Identifier: Apache-2.0
// The check of a certificate (docs/audit.md, section 11) with whole numbers and fractions, without a
// solver and without a line of the library. With a the true table and z = y - a for another table y:
//   - a witness z has M z = 0 and moves no cell beyond what the attacker knows; a ray repeats for ever;
//   - a proof with multipliers g bounds cell p by s z_p <= sum_i max(d_i up_i, -d_i down_i), d = s e_p - M'g;
//   - for counts (docs/counts.md) a chain line follows from one equation, rounded inward; a step q bounds by
//     multiples of q; a tree divides by z_i <= k or z_i >= k + 1.
// What the certificate claims counts for nothing: what is not shown is undecided.
import { addDifferences } from './differences.js';
import { need } from './exact_json.js';
import { greater, index, inOrder, less, listOf, merged, named, pairs, partSums, readProblem, said, whole } from './problem.js';
import { add, compare, floorOf, INFINITE, isInfinite, quotient } from './quotient.js';

/** @typedef {import('./problem.js').End} End */
/** @typedef {import('./problem.js').Range} Range */
/** @typedef {import('./problem.js').Row} Row */
/** @typedef {import('./quotient.js').Quotient} Quotient */
/** @typedef {Map<number, Range>} Rooms */
/** @typedef {'exposed' | 'undecided' | 'waived' | 'protected' | 'unasked'} Verdict */
/** @typedef {'rational' | 'integer'} Domain */
/** @typedef {{levels?: bigint[], values?: bigint, either?: bigint[]}} Asked */
/** @typedef {{domain: Domain, kind: string, cell: number, attacker: number, form: Row, asked: Asked}} Question */
/** @typedef {{denominator: bigint, terms: Map<number, bigint>}} Evidence */
/** @typedef {{cell: number, reached: Quotient[], bounds: Quotient[]}} Shown */

/** @type {Verdict[]} the worst first */
const WORST_FIRST = ['exposed', 'undecided', 'waived', 'protected', 'unasked'];
/** @type {Record<Verdict, 0 | 2 | 5 | 6>} */
const CODES = { exposed: 2, undecided: 2, waived: 6, protected: 0, unasked: 5 };
const NAMES = ['format', 'problem_sha256', 'decimals', 'release', 'witnesses', 'proofs', 'findings', 'steps', 'chains'];

/** @type {Range} */
const FIXED = [0n, 0n];

/** @param {any[]} items @param {string} ids @param {string} numbers @param {number} count @param {string[]} more
 * @returns {Evidence[]} */
function evidence(items, ids, numbers, count, ...more) {
  return listOf(items).map(item => ({
    denominator: whole(named(item, 'denominator', ids, numbers, ...more).denominator, 1n),
    terms: new Map(pairs(item[ids], item[numbers], count)),
  }));
}

/** Format 2 marks what is about whole numbers. @param {any} finding @param {string} format */
function about(finding, format) {
  const before = format === 'lacuna-certificate-2';
  named(finding, 'kind', 'cell', 'attacker', 'group', 'verdict', 'low', 'high', 'values', 'shown', before ? 'whole' : 'domain');
  const domain = before ? ('whole' in finding ? 'integer' : 'rational') : finding.domain;
  need(domain === 'integer' || domain === 'rational', 'unknown domain of a finding');
  const ofCounts = ['group', 'values', 'shown'].some(name => name in finding);
  need(domain === 'integer' || !ofCounts, 'a name of findings about counts');
  const kind = before && domain === 'rational' ? 'levels' : finding.kind;
  return { domain, kind, cell: Number(whole(finding.cell)), attacker: Number(whole(finding.attacker)) };
}

/** @param {Row} slopes @param {Rooms} rooms @returns {End} the most that the sum of slope times move can be */
function most(slopes, rooms) {
  let sum = 0n;
  for (const [cell, slope] of slopes) {
    const room = rooms.get(cell);
    if (slope === 0n || !room || (room[0] === 0n && room[1] === 0n)) continue;
    const end = room[slope > 0n ? 1 : 0];
    if (typeof end === 'number') return Infinity;
    sum += slope * end;
  }
  return sum;
}

/** @param {End} bound @param {bigint} denominator */
const asQuotient = (bound, denominator) => (typeof bound === 'number' ? INFINITE : quotient(bound, denominator));

class Audit {
  /** @param {ReturnType<typeof readProblem>} problem @param {Map<number, any>} entries
   * @param {[number, number[]][]} sums */
  constructor(problem, entries, sums) {
    this.values = problem.values;
    this.priors = problem.priors;
    this.known = problem.known;
    this.entries = entries;
    this.rows = problem.equations.map(merged);
    /** @type {[number, bigint][][]} */
    this.through = this.values.map(() => []);
    this.rows.forEach((row, number) => row.forEach((factor, cell) => this.through[cell].push([number, factor])));
    /** @type {Map<number, Range>} */
    this.release = new Map([...entries].map(([cell, entry]) => [cell, said(entry, this.values[cell])]));
    /** Moves to the numbers that the truth is among. @type {Map<number, bigint[]>} */
    this.among = new Map();
    for (const [cell, entry] of entries)
      if (entry.among !== undefined)
        this.among.set(cell, entry.among.map((/** @type {bigint} */ number) => number - this.values[cell]));
    /** @type {Record<Domain, Rooms[]>} */
    this.rooms = { rational: [], integer: [] };
    this.rooms.rational = this.known.map((/** @type {Rooms} */ own) =>
      this.roomsOf(own, false, cell => /** @type {Range} */ (this.release.get(cell)))
    );
    const required = inOrder(problem.levels);
    /** @type {Question[]} */
    this.questions = required.map(({ cell, attacker, asked }) => ({
      domain: 'rational',
      kind: 'levels',
      cell,
      attacker,
      form: new Map([[cell, 1n]]),
      asked: { levels: asked },
    }));
    /** @type {Evidence[]} */
    this.witnesses = [];
    /** @type {Evidence[]} */
    this.proofs = [];
    /** @type {{q: bigint, evidence: Evidence}[]} */
    this.steps = [];
    /** @type {any[]} */
    this.chains = [];
    /** @type {any[]} */
    this.trees = [];
    /** @type {Shown[]} */
    this.shown = [];
    if (problem.root.counts) this.askOfCounts(problem, sums);
  }

  /** @param {ReturnType<typeof readProblem>} problem @param {[number, number[]][]} sums */
  askOfCounts(problem, sums) {
    const { root, levels, decimals } = problem;
    const rules = root.counts;
    need(decimals === 0n && this.values.every(value => value >= 0n), 'these are no counts');
    this.threshold = whole(rules.threshold ?? 3n, 1n);
    this.ambiguity = whole(rules.ambiguity ?? 1n, 1n);
    this.coalition = whole(rules.coalition ?? 0n, 0n);
    this.means = rules.withheld_means ?? 'any';
    this.zeros = rules.zeros ?? 'published';
    need(['any', 'nonzero', 'rule'].includes(this.means), 'unknown meaning of withheld cells');
    need(['published', 'sensitive', 'structural'].includes(this.zeros), 'unknown meaning of zeros');
    this.status = root.cells.map((/** @type {any} */ cell) => cell.status ?? 'free');
    const isListed = (/** @type {number} */ cell) => cell < root.cells.length && root.cells[cell].published !== false;
    this.unlisted = new Set(this.values.map((_, cell) => cell).filter(cell => !isListed(cell)));
    const strict = [...this.entries].every(([cell, entry]) => {
      const off = entry.state === 'rounded' ? this.values[cell] - entry.value : 0n;
      return entry.state !== 'rounded' || (off < 0n ? -off : off) < entry.base * (entry.steps + 1n);
    });
    this.rooms.integer = this.known.map((/** @type {Rooms} */ own) =>
      this.roomsOf(own, true, cell => this.told(cell, strict))
    );
    for (const item of listOf(rules.questions)) this.questions.push(this.question(item, levels));
    if (rules.implied) this.questions.push(...this.implied(sums));
  }

  /** What readers are told of a count (docs/counts.md, section 1). @param {number} cell @param {boolean} strict
   * @returns {Range} */
  told(cell, strict) {
    let [low, high] = /** @type {Range} */ (this.release.get(cell));
    if (this.unlisted && this.unlisted.has(cell)) return [low, high];
    const least = this.means !== 'any' && this.zeros !== 'sensitive' ? 1n : 0n;
    const threshold = /** @type {bigint} */ (this.threshold);
    const state = this.entries.get(cell).state;
    if (state === 'withheld' && this.means === 'rule')
      [low, high] = this.status[cell] === 'primary' ? [least, threshold - 1n] : [threshold, Infinity];
    else if (state === 'withheld' || state === 'interval') low = greater(low, least);
    else if (state === 'rounded' && strict)
      [low, high] = [/** @type {bigint} */ (low) + 1n, /** @type {bigint} */ (high) - 1n];
    need(low <= this.values[cell] && this.values[cell] <= high, 'a cell is hidden against what readers are told');
    return [low, high];
  }

  /** How far each cell can move for an attacker; a cell that is not listed cannot.
   * @param {Rooms} own @param {boolean} counts @param {(cell: number) => Range} told @returns {Rooms} */
  roomsOf(own, counts, told) {
    const rooms = new Map();
    for (const cell of this.entries.keys()) {
      const extra = own.get(cell) || [-Infinity, Infinity];
      const least = counts ? 0n : -Infinity;
      const low = greater(greater(this.priors[cell][0], extra[0]), least);
      const high = less(this.priors[cell][1], extra[1]);
      if (low >= high) continue;
      const range = told(cell);
      const room = this.moves(cell, greater(low, range[0]), less(high, range[1]));
      const inside = counts ? this.snapped(cell, room[0], room[1]) : room;
      if (inside[0] !== 0n || inside[1] !== 0n) rooms.set(cell, inside);
    }
    return rooms;
  }

  /** @param {number} cell @param {End} low @param {End} high @returns {Range} */
  moves(cell, low, high) {
    const less_ = (/** @type {End} */ end) => (typeof end === 'number' ? end : end - this.values[cell]);
    return [less_(low), less_(high)];
  }

  /** Ends that the reader can rule out move inward; low > high: nothing is left.
   * @param {number} cell @param {End} low @param {End} high @returns {Range} */
  snapped(cell, low, high) {
    const among = this.among.get(cell);
    if (!among) return [low, high];
    const left = among.filter(number => low <= number && number <= high);
    return left.length ? [left[0], left[left.length - 1]] : [1n, 0n];
  }

  /** @param {any} item @param {import('./problem.js').Levels} levels @returns {Question} */
  question(item, levels) {
    const kind = item.kind,
      attacker = index(item.attacker ?? 0n, this.known.length);
    need(['exact', 'small', 'zero', 'all', 'group', 'levels'].includes(kind), 'unknown kind of question');
    const cells = (kind === 'group' ? listOf(item.parts) : [item.cell]).map(cell => index(cell, this.values.length));
    cells.sort((a, b) => a - b);
    need(cells.length > 0 && new Set(cells).size === cells.length, 'a question names a cell twice or none');
    const value = this.values[cells[0]];
    /** @type {Row} */
    let form = new Map([[cells[0], 1n]]);
    /** @type {Asked} */
    let asked;
    if (kind === 'all' || kind === 'group') {
      const group = index(item.group, this.values.length);
      need(!cells.includes(group), 'a question names a cell twice');
      form = new Map([[group, 1n]]);
      for (const cell of cells) form.set(cell, -1n);
      const rest = cells.reduce((left, cell) => left - this.values[cell], this.values[group]);
      asked = { levels: [0n, 1n + /** @type {bigint} */ (this.coalition) - rest, 0n] };
    } else if (kind === 'levels') {
      const own = levels.get(cells[0] + ' ' + attacker);
      need(own, 'a question about levels has no requirement');
      asked = { levels: own.asked };
    } else if (kind === 'exact') {
      asked = { values: /** @type {bigint} */ (this.ambiguity) + 1n };
    } else if (kind === 'small') {
      asked = { either: [value, /** @type {bigint} */ (this.threshold) - value] };
    } else {
      asked = { levels: [0n, 1n - value, 0n] };
    }
    return { domain: 'integer', kind, cell: cells[0], attacker, form, asked };
  }

  /** @param {[number, number[]][]} sums @returns {Question[]} */
  implied(sums) {
    /** @type {Question[]} */
    const found = [];
    for (const [, parts] of sums) {
      const hidden = parts.filter(cell => !this.isSaid(cell));
      const total = hidden.reduce((sum, cell) => sum + this.values[cell], 0n);
      if (hidden.length < 2 || total <= 0n || total >= /** @type {bigint} */ (this.threshold)) continue;
      const form = new Map(hidden.map(cell => /** @type {[number, bigint]} */ ([cell, 1n])));
      found.push({ domain: 'integer', kind: 'implied', cell: hidden[0], attacker: 0, form, asked: { values: 2n } });
    }
    return found;
  }

  /** By the release alone. @param {number} cell */
  isSaid(cell) {
    const range = this.release.get(cell) || FIXED;
    return range[0] === range[1];
  }

  /** @param {any} certificate @returns {{domain: Domain, verdict: Verdict}[]} */
  verdicts(certificate) {
    const findings = listOf(certificate.findings);
    const same = findings.every((finding, i) => {
      const key = about(finding, certificate.format),
        question = this.questions[i];
      const names = /** @type {const} */ (['domain', 'kind', 'cell', 'attacker']);
      return question !== undefined && names.every(name => key[name] === question[name]);
    });
    need(same && findings.length === this.questions.length, 'the findings do not follow the questions of the table');
    this.witnesses = evidence(certificate.witnesses, 'cells', 'moves', this.values.length);
    this.proofs = evidence(certificate.proofs, 'equations', 'values', this.rows.length);
    this.steps = listOf(certificate.steps || []).map(item => ({
      q: whole(item.q, 1n),
      evidence: evidence([item], 'equations', 'values', this.rows.length, 'q')[0],
    }));
    this.chains = listOf(certificate.chains || []);
    this.trees = listOf(certificate.trees || []);
    return findings.map((finding, i) => ({
      domain: this.questions[i].domain,
      verdict: this.verdict(finding, this.questions[i]),
    }));
  }

  /** @template T @param {T[]} list @param {any} number @returns {T} */
  at(list, number) {
    return list[index(number, list.length)];
  }

  /** How far the form moves with a witness. @param {any} number @param {Question} question @param {Rooms} rooms
   * @param {boolean} isRay */
  moved(number, question, rooms, isRay) {
    const { denominator, terms } = this.at(this.witnesses, number);
    const rational = question.domain === 'rational';
    need(isRay || rational || denominator === 1n, 'a witness for counts is not in whole numbers');
    /** @type {Map<number, bigint>} */
    const sums = new Map();
    for (const [cell, move] of terms) {
      const [low, high] = rooms.get(cell) || FIXED;
      const limit = move > 0n ? high : typeof low === 'number' ? Infinity : -low;
      const size = move < 0n ? -move : move;
      let inside = move === 0n || limit === Infinity || (!isRay && size <= /** @type {bigint} */ (limit) * denominator);
      const among = this.among.get(cell);
      inside = inside && (rational || !among || among.includes(move));
      need(inside, `a witness moves cell ${cell} beyond what the attacker knows`);
      for (const [equation, factor] of this.through[cell])
        sums.set(equation, (sums.get(equation) || 0n) + factor * move);
    }
    for (const sum of sums.values()) need(sum === 0n, 'a witness breaks an equation');
    let total = 0n;
    for (const [cell, factor] of question.form) total += factor * (terms.get(cell) || 0n);
    return quotient(total, denominator);
  }

  /** Without a witness: the true value. @param {any} end @param {Question} question @param {Rooms} rooms
   * @param {bigint} sign @returns {Quotient} */
  reached(end, question, rooms, sign) {
    const isRay = 'ray' in end,
      number = end.witness ?? end.ray;
    if (number === undefined || number === null) return quotient(0n);
    const moved = this.moved(number, question, rooms, isRay);
    const far = quotient(sign * moved.n, moved.d);
    need(!isRay || far.n > 0n, 'a ray does not move the form');
    return isRay ? INFINITE : far;
  }

  /** @param {any} item @param {Rooms} given @returns {Rooms} */
  afterChain(item, given) {
    if (!('chain' in item)) return given;
    const rooms = new Map(given);
    for (const line of listOf(this.at(this.chains, item.chain))) {
      named(line, 'cell', 'side', 'equation', 'value');
      const cell = index(line.cell, this.values.length),
        row = this.at(this.rows, line.equation);
      need(line.side === 'high' || line.side === 'low', 'a side is high or low');
      const sign = line.side === 'high' ? 1n : -1n;
      const own = row.get(cell);
      need(own, 'a line of a chain names a cell that its equation does not have');
      const turn = own > 0n ? -sign : sign;
      /** @type {Row} */
      const others = new Map();
      for (const [other, factor] of row) if (other !== cell) others.set(other, turn * factor);
      const furthest = most(others, rooms);
      const claimed = sign * (whole(line.value) - this.values[cell]);
      const size = own < 0n ? -own : own;
      need(typeof furthest === 'bigint' && floorOf(furthest, size) <= claimed, 'a line of a chain does not follow');
      const [low, high] = rooms.get(cell) || FIXED;
      rooms.set(
        cell,
        sign > 0n ? this.snapped(cell, low, less(high, claimed)) : this.snapped(cell, greater(low, -claimed), high)
      );
    }
    return rooms;
  }

  /** By multipliers, or by the rooms alone; not yet rounded.
   * @param {any} item @param {Rooms} rooms @param {Row} form @param {bigint} sign */
  proven(item, rooms, form, sign) {
    const { denominator, terms } =
      'proof' in item ? this.at(this.proofs, item.proof) : { denominator: 1n, terms: new Map() };
    /** @type {Row} */
    const slopes = new Map();
    for (const [cell, factor] of form) slopes.set(cell, sign * denominator * factor);
    for (const [equation, value] of terms)
      for (const [cell, factor] of this.rows[equation]) slopes.set(cell, (slopes.get(cell) || 0n) - value * factor);
    return { total: most(slopes, rooms), denominator };
  }

  /** @param {any} item @param {Rooms} rooms @param {Row} form */
  stepOf(item, rooms, form) {
    if (!('step' in item)) return 1n;
    const { q, evidence: own } = this.at(this.steps, item.step);
    /** @type {Row} */
    const rest = new Map();
    for (const [cell, factor] of form) rest.set(cell, own.denominator * factor);
    for (const [equation, value] of own.terms)
      for (const [cell, factor] of this.rows[equation]) rest.set(cell, (rest.get(cell) || 0n) - q * value * factor);
    for (const [cell, number] of rest) {
      const room = rooms.get(cell) || FIXED;
      const fixed = room[0] === 0n && room[1] === 0n;
      need(fixed || number % (q * own.denominator) === 0n, 'a step is not whole');
    }
    return q;
  }

  /** @param {any} item @param {Rooms} rooms @param {Row} form @param {bigint} sign @param {Domain} domain
   * @returns {Quotient} */
  bound(item, rooms, form, sign, domain) {
    const { total, denominator } = this.proven(item, rooms, form, sign);
    need(typeof total === 'bigint', 'a proof gives no bound');
    if (domain === 'rational') return quotient(total, denominator);
    const q = this.stepOf(item, rooms, form);
    return quotient(floorOf(total, denominator * q) * q);
  }

  /** @param {any} item @param {Rooms} rooms */
  isEmpty(item, rooms) {
    for (const [low, high] of rooms.values()) if (low > high) return true;
    const { total } = this.proven(item, rooms, new Map(), 1n);
    return 'proof' in item && typeof total === 'bigint' && total < 0n;
  }

  /** @param {any} tree @param {Rooms} given @param {Row} form @param {bigint} sign @returns {Quotient} */
  boundOfTree(tree, given, form, sign) {
    /** @type {Quotient | null} */
    let largest = null;
    /** @type {[any, Rooms][]} */
    const open = [[tree, given]];
    while (open.length) {
      const [node, rooms] = /** @type {[any, Rooms]} */ (open.pop());
      named(node, ...('node' in node ? ['node', 'low', 'high'] : ['proof', 'step', 'chain', 'empty']));
      if ('node' in node) {
        named(node.node, 'cell', 'at');
        const cell = index(node.node.cell, this.values.length),
          at = whole(node.node.at);
        const [low, high] = rooms.get(cell) || FIXED;
        open.push([node.low, new Map(rooms).set(cell, this.snapped(cell, low, less(high, at)))]);
        open.push([node.high, new Map(rooms).set(cell, this.snapped(cell, greater(low, at + 1n), high))]);
        continue;
      }
      const around = this.afterChain(node, rooms);
      if (node.empty) {
        need(this.isEmpty(node, around), 'a leaf of a tree is not shown to be empty');
      } else {
        const bound = this.bound(node, around, form, sign, 'integer');
        if (largest === null || compare(largest, bound) < 0) largest = bound;
      }
    }
    need(largest, 'a tree bounds nothing');
    return largest;
  }

  /** Without evidence: nothing. @param {any} end @param {Question} question @param {Rooms} given @param {bigint} sign
   * @returns {Quotient} */
  bounded(end, question, given, sign) {
    if (!['proof', 'step', 'chain', 'tree'].some(name => name in end)) return INFINITE;
    const rooms = this.afterChain(end, given);
    if ('tree' in end) return this.boundOfTree(this.at(this.trees, end.tree), rooms, question.form, sign);
    return this.bound(end, rooms, question.form, sign, question.domain);
  }

  /** @param {any} finding @param {Question} question @returns {Verdict} */
  verdict(finding, question) {
    const rooms = this.rooms[question.domain][question.attacker];
    const names = question.domain === 'integer' ? ['step', 'chain', 'tree'] : [];
    /** @type {any[]} */
    const ends = [finding.low ?? {}, finding.high ?? {}];
    for (const end of ends) {
      named(end, 'witness', 'ray', 'proof', ...names);
      need(!('witness' in end && 'ray' in end), 'an end has a witness or a ray');
    }
    const reached = ends.map((end, i) => this.reached(end, question, rooms, i ? 1n : -1n));
    const bounds = ends.map((end, i) => this.bounded(end, question, rooms, i ? 1n : -1n));
    this.shown.push({ cell: question.cell, reached, bounds });
    const others = listOf(finding.shown ?? []).map(number => this.moved(number, question, rooms, false));
    const { kind, cell, asked } = question;
    if (['exact', 'small', 'zero', 'levels'].includes(kind) && this.isSaid(cell)) return 'exposed';
    if (asked.values !== undefined) return this.ofValues(ends, question, reached, bounds, others);
    const reaches = (/** @type {Quotient} */ q, /** @type {bigint} */ level) => compare(q, quotient(level)) >= 0;
    if (asked.either) {
      const either = asked.either;
      if (reached.some((far, i) => reaches(far, either[i]))) return 'protected';
      return bounds.every((bound, i) => !reaches(bound, either[i])) ? 'exposed' : 'undecided';
    }
    const levels = /** @type {bigint[]} */ (asked.levels);
    const allReached = [...reached, add(reached[0], reached[1])],
      allBounds = [...bounds, add(bounds[0], bounds[1])];
    if (levels.some((level, i) => !reaches(allBounds[i], level))) return 'exposed';
    if (kind === 'levels' && levels.every(level => level === 0n)) return 'unasked';
    return levels.every((level, i) => reaches(allReached[i], level)) ? 'protected' : 'undecided';
  }

  /** How many numbers remain possible. @param {any[]} ends @param {Question} question @param {Quotient[]} reached
   * @param {Quotient[]} bounds @param {Quotient[]} others @returns {Verdict} */
  ofValues(ends, question, reached, bounds, others) {
    const rooms = this.rooms.integer[question.attacker];
    const asked = /** @type {bigint} */ (question.asked.values);
    const steps = ends.filter(end => 'step' in end && !('tree' in end)).map(end => this.stepOf(end, rooms, question.form));
    if (reached.some(isInfinite)) return 'protected';
    const possible = new Set([0n, -reached[0].n, reached[1].n, ...others.map(each => each.n)]); // denominators are 1
    if (BigInt(possible.size) >= asked) return 'protected';
    if (bounds.some(isInfinite)) return 'undecided';
    const step = steps.reduce((a, b) => (a > b ? a : b), 1n);
    const width = bounds[0].n + bounds[1].n;
    const left = floorOf(width, step) + 1n - this.missing(question.form, bounds, steps);
    return left < asked ? 'exposed' : 'undecided';
  }

  /** Numbers between the ends that the release itself rules out.
   * @param {Row} form @param {Quotient[]} bounds @param {bigint[]} steps */
  missing(form, bounds, steps) {
    const [cell] = form.keys();
    const among = this.among.get(cell);
    if (form.size > 1 || steps.length || !among) return 0n;
    const inside = among.filter(number => -bounds[0].n <= number && number <= bounds[1].n);
    return bounds[0].n + bounds[1].n + 1n - BigInt(inside.length);
  }
}

/** Adjusted tables are judged by what they show. @param {any} certificate @param {ReturnType<typeof readProblem>} problem
 * @returns {{domain: Domain, verdict: Verdict}[]} */
function adjustedVerdicts(certificate, problem) {
  const { values, priors, equations, rhs } = problem;
  const shown = [...values];
  for (const entry of certificate.release) {
    const cell = index(entry.cell, values.length),
      number = whole(entry.value);
    need(priors[cell][0] <= number && number <= priors[cell][1], 'a number lies outside the bounds that everyone knows');
    shown[cell] = number;
  }
  equations.forEach((terms, i) => {
    const total = terms.reduce((sum, [cell, factor]) => sum + factor * shown[cell], 0n);
    need(total === rhs[i], 'the adjusted table does not add up');
  });
  const required = inOrder(problem.levels);
  const findings = listOf(certificate.findings).map(finding => about(finding, certificate.format));
  const same = findings.every((key, i) => {
    const own = required[i];
    return key.domain === 'rational' && own !== undefined && key.cell === own.cell && key.attacker === own.attacker;
  });
  need(same && findings.length === required.length, 'the findings do not follow the requirements of the table');
  return required.map(({ cell, asked: [lower, upper, sliding] }) => {
    const move = shown[cell] - values[cell],
      half = (sliding + 1n) / 2n;
    const far = move !== 0n && (move >= greater(upper, half) || -move >= greater(lower, half));
    const verdict = !far ? 'exposed' : lower || upper || sliding ? 'protected' : 'unasked';
    return { domain: 'rational', verdict };
  });
}

/** What each question comes to, and the audit that says how; none for adjusted tables.
 * @param {any} root @param {any} certificate @param {boolean} zerosAreMeant */
export function judge(root, certificate, zerosAreMeant) {
  const findings = listOf(certificate.findings).map(finding => about(finding, certificate.format));
  const asksWithheld = findings.some(each => each.domain === 'rational');
  const problem = readProblem(root, certificate, zerosAreMeant, asksWithheld);
  const { values, priors, equations, rhs } = problem;
  /** @type {Map<number, any>} */
  const entries = new Map();
  for (const entry of certificate.release) {
    const cell = index(entry.cell, values.length);
    need(!entries.has(cell), 'a cell is named twice');
    entries.set(cell, entry);
    const mustShow = problem.root.cells[cell].status === 'published' && priors[cell][0] < priors[cell][1];
    need(!mustShow || !['withheld', 'interval'].includes(entry.state), 'a cell that must be published is hidden');
  }
  const release = new Map([...entries].map(([cell, entry]) => [cell, said(entry, values[cell])]));
  if (problem.adjusted) return { verdicts: adjustedVerdicts(certificate, problem), audit: null, problem };
  need(certificate.release.every((/** @type {any} */ entry) => entry.state !== 'adjusted'), 'a number without its range');
  const rows = equations.map(merged);
  const sums = rows.flatMap((row, i) => partSums(row, rhs[i])); // before differences are added
  if (problem.root.counts && [...entries.values()].some(entry => entry.by !== undefined))
    addDifferences(problem, rows, rhs, entries, release);
  const audit = new Audit(problem, entries, sums);
  return { verdicts: audit.verdicts(certificate), audit, problem };
}

/** Names and format, as of every certificate. @param {any} certificate @param {string[]} more */
export function checkFormat(certificate, ...more) {
  named(certificate, ...NAMES, 'trees', ...more);
  const known = ['lacuna-certificate-2', 'lacuna-certificate-3'];
  need(known.includes(certificate.format), 'not a certificate of a known format');
}

/** @param {Verdict[]} words */
function tally(words) {
  /** @type {Record<Verdict, number>} */
  const counts = { exposed: 0, undecided: 0, waived: 0, protected: 0, unasked: 0 };
  for (const word of words) ++counts[word];
  return { asked: words.length, ...counts };
}

/** The check itself, of what parseExact() has read. @param {any} root @param {any} certificate
 * @param {{zeroLevels?: 'raised' | 'stated'}} [options] */
export function verifyParsed(root, certificate, options = {}) {
  checkFormat(certificate, 'bound', 'replays');
  const waived = root.waived ?? 'nothing';
  need(waived === 'nothing' || waived === 'exposed', 'waived must be nothing or exposed');
  const { verdicts } = judge({ decimals: 0n, ...root }, certificate, options.zeroLevels === 'stated');
  const words = verdicts.map(({ domain, verdict }) => ({
    domain,
    verdict: verdict === 'exposed' && waived === 'exposed' ? /** @type {Verdict} */ ('waived') : verdict,
  }));
  const overall = WORST_FIRST.find(worst => words.some(each => each.verdict === worst)) || 'unasked';
  const of = (/** @type {Domain} */ domain) => tally(words.filter(each => each.domain === domain).map(each => each.verdict));
  return {
    verdict: /** @type {Verdict} */ (overall),
    code: CODES[overall],
    requirements: of('rational'),
    questions: of('integer'),
    verdicts: words.map(each => each.verdict),
    boundChecked: /** @type {false} */ (false), // the log of a bound is for other verifiers
    hasBound: 'bound' in certificate,
  };
}

