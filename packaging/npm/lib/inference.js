// SPDX-License-Identifier: Apache-2.0
// The check of a certificate of `lacuna infer` (docs/infer.md): what any reader knows of each cell follows
// from the numbers and signs that were read and from what the certificate says readers know; then the
// proofs are checked as in certificate.js, and each interval must be what they show. No truth is needed:
// the certificate has some table that fits. Whoever has the published files can have every number compared
// with what stands there; without them the check says that it took the numbers from the certificate.
import { checkFormat, judge } from './certificate.js';
import { need } from './exact_json.js';
import { fieldAt, rangeOf, readings } from './printed.js';
import { endsOf, greater, index, less, listOf, named, whole } from './problem.js';
import { add, compare, INFINITE, isInfinite, parseQuotient, quotient } from './quotient.js';

/** @typedef {import('./problem.js').End} End */
/** @typedef {import('./problem.js').Range} Range */
/** @typedef {import('./quotient.js').Quotient} Quotient */

const MEMBERS = ['format', 'files', 'knowledge', 'dimensions', 'cells', 'corrections', 'intervals', 'problem', 'certificate'];

/** @param {Quotient} a @param {Quotient} b */
const same = (a, b) => compare(a, b) === 0;

class Published {
  /** @param {any} knowledge @param {string[]} names @param {Map<string, string>} texts by name */
  constructor(knowledge, names, texts) {
    this.knowledge = knowledge;
    this.names = names;
    this.texts = new Map([...texts].map(([name, text]) => [name, text.replace(/^\ufeff/, '').split('\n')]));
    this.unit = 10n ** whole(knowledge.decimals, 0n, 19n);
    /** @type {End} */
    this.lower = knowledge.lower === null ? -Infinity : whole(knowledge.lower);
    /** @type {End} */
    this.upper = knowledge.upper ? this.units(parseQuotient(knowledge.upper)) : Infinity;
    /** @type {[string | null, string][]} */
    this.withheld = listOf(knowledge.withheld).map(text => {
      const at = text.slice(1).includes('=') && !rangeOf(text) ? text.lastIndexOf('=') : -1;
      return at < 0 ? [null, text] : [text.slice(0, at), text.slice(at + 1)];
    });
    this.compared = 0;
    this.elsewhere = 0;
  }

  /** @param {Quotient} number */
  units(number) {
    need((number.n * this.unit) % number.d === 0n, 'a number has more decimals than the certificate');
    return (number.n * this.unit) / number.d;
  }

  /** That what was read stands there. @param {any} source */
  check(source) {
    named(source, 'at', 'number', 'sign');
    const match = /^(.*):(\d+):(\d+)$/.exec(source.at);
    const lines = match ? this.texts.get(match[1]) : undefined;
    const text = match && lines ? fieldAt(lines, Number(match[2]), Number(match[3])) : null;
    if (text === null) {
      ++this.elsewhere;
      return;
    }
    ++this.compared;
    const { at, number, sign } = source,
      found = readings(text);
    if (number && sign) {
      need(text === sign && parseQuotient(number).n === 0n, `${at}: '${text}' is not the sign '${sign}'`);
    } else if (number) {
      need(found.some(each => same(each, parseQuotient(number))), `${at}: '${text}' is not ${number}`);
    } else {
      need(found.every(each => each.n === 0n), `${at}: '${text}' is a number, which the certificate calls withheld`);
      const fits = text === '' || text === sign || found.length || (sign && text.toLowerCase().includes(sign.toLowerCase()));
      need(fits, `${at}: '${text}' is not '${sign}'`);
      need(!rangeOf(text) || text === sign, `${at}: '${text}' is a range, which the certificate leaves out`);
    }
  }

  /** What a reader knows of a cell by what was read. @param {any} source @returns {Range} */
  known(source) {
    /** @type {bigint} */
    const inner = this.knowledge.counts ? 1n : 0n;
    if (source.number) {
      const value = this.units(parseQuotient(source.number));
      if (!this.knowledge.rounded_to) return [value, value];
      const base = this.units(parseQuotient(this.knowledge.rounded_to));
      need(base > 0n && value % base === 0n, 'a number is no multiple of the base of the rounding');
      const most = base - inner;
      /** @type {Record<string, bigint[]>} */
      const reach = { nearest: [base / 2n, base / 2n], down: [0n, most], up: [most, 0n], adjacent: [most, most] };
      need(Object.hasOwn(reach, this.knowledge.rounding), 'unknown rounding');
      const [below, above] = reach[this.knowledge.rounding];
      return [greater(value - below, this.lower), value + above];
    }
    /** @type {import('./printed.js').PrintedRange | null} */
    let range = rangeOf(source.sign);
    const upper = range ? Infinity : this.upper;
    if (!range) {
      const own = this.withheld.filter(([sign]) => sign === source.sign),
        others = this.withheld.filter(([sign]) => sign === null);
      const [first] = [...own, ...others];
      range = first ? rangeOf(first[1]) : { lower: null, upper: null, below: 0n, above: 0n };
      need(range, 'what readers know of withheld cells is no range');
    }
    /** @type {End} */
    const low = range.lower ? this.units(range.lower) + range.below * inner : -Infinity;
    /** @type {End} */
    const high = range.upper ? this.units(range.upper) + range.above * inner : Infinity;
    return [greater(low, this.lower), less(high, upper)];
  }
}

/** By dimension, which codes add up; all must differ in one dimension alone.
 * @param {any} problem @param {any[]} cells @param {string[]} dimensions */
function sumsOf(problem, cells, dimensions) {
  /** @type {Map<string, {dimension: string, total: string, parts: string[], times: number}>} */
  const found = new Map();
  for (const item of listOf(problem.equations || [])) {
    const ids = listOf(item.cells).map(cell => index(cell, cells.length));
    const signs = listOf(item.coefficients).map(sign => whole(sign));
    const isSum = signs.filter(sign => sign === 1n).length === 1 && signs.every(sign => sign === 1n || sign === -1n);
    need(isSum && whole(item.rhs ?? 0n) === 0n, 'an equation is no sum of parts');
    const total = cells[ids[signs.indexOf(1n)]];
    const parts = ids.map(cell => cells[cell]).filter(cell => cell !== total);
    const differ = dimensions.map((_, d) => d).filter(d => parts.some(part => part.codes[d] !== total.codes[d]));
    need(differ.length <= 1, 'a sum goes over two dimensions at once');
    if (!differ.length) continue;
    const d = differ[0];
    const listed = parts.filter(part => part.from.length).map(part => String(part.codes[d])).sort();
    need(!listed.includes(String(total.codes[d])), 'a code is a part of itself');
    const key = JSON.stringify([d, total.codes[d], listed]);
    const own = found.get(key) || { dimension: dimensions[d], total: String(total.codes[d]), parts: listed, times: 0 };
    ++own.times;
    found.set(key, own);
  }
  return [...found.values()];
}

/** @param {any} root @param {import('./certificate.js').Shown[]} shown @param {bigint} unit */
function endsNotShown(root, shown, unit) {
  const { problem } = root;
  let missing = 0;
  for (const item of root.intervals) {
    const { cell, reached, bounds } = shown[index(item.finding, shown.length)];
    need(BigInt(cell) === item.cell, 'an interval is of another cell than its proof');
    const prior = problem.cells[cell];
    ['lower', 'upper'].forEach((name, i) => {
      const sign = i ? 1n : -1n;
      /** @type {bigint} */
      const value = prior.value;
      const absent = prior[name] === undefined || prior[name] === null;
      const own = absent ? INFINITE : quotient(sign * (prior[name] - value));
      const text = item[name] === null ? null : parseQuotient(String(item[name]));
      const move = text && add(quotient(text.n * unit, text.d), quotient(-value));
      const end = move ? quotient(sign * move.n, move.d) : INFINITE;
      const bound = compare(bounds[i], own) < 0 ? bounds[i] : own;
      const exact = !item.exact || (isInfinite(reached[i]) ? isInfinite(end) : same(reached[i], end));
      if (compare(bound, end) > 0 || !exact) ++missing;
    });
  }
  return missing;
}

/** The check itself, of what parseExact() has read. @param {any} root @param {Map<string, string>} [texts] the published
 * files as texts, by the names that the certificate has for them */
export function verifyInferenceParsed(root, texts = new Map()) {
  named(root, ...MEMBERS);
  need(root.format === 'lacuna-inference-1', 'not a certificate of lacuna infer');
  const cells = listOf(root.cells),
    { problem, certificate, knowledge } = root;
  const fits = cells.length === listOf(problem.cells).length;
  need(fits, 'the certificate has other cells than its table');
  need((problem.decimals ?? 0n) === knowledge.decimals, 'the certificate has other decimals than its table');
  const published = new Published(knowledge, listOf(root.files), texts);
  const corrections = new Map(
    listOf(root.corrections).map(item => [index(item.cell, cells.length), whole(item.value)])
  );
  cells.forEach((cell, number) => {
    listOf(cell.from).forEach(source => published.check(source));
    /** @type {Range[]} */
    const told = cell.from.map((/** @type {any} */ source) => published.known(source));
    if (!told.length) told.push([published.lower, Infinity]);
    let low = told.map(each => each[0]).reduce(greater),
      high = told.map(each => each[1]).reduce(less);
    const value = corrections.get(number);
    if (value !== undefined) [low, high] = low === high ? [value, value] : [less(low, value), greater(high, value)];
    const item = problem.cells[number],
      own = whole(item.value);
    const prior = item.status === 'known' ? [own, own] : endsOf(own, item);
    const says = 'a cell of the table is not what was published: ' + listOf(cell.codes).join('|');
    need(prior[0] === low && prior[1] === high, says);
  });
  const attackers = listOf(problem.attackers || []);
  const isReader = attackers.length <= 1 && attackers.every(each => !listOf(each.known || []).length);
  need(isReader, 'somebody knows more than all readers do');
  const sums = sumsOf(problem, cells, listOf(root.dimensions));
  checkFormat(certificate);
  const { audit } = judge({ decimals: 0n, ...problem }, certificate, false);
  need(audit, 'published tables are no adjusted table');
  const missing = endsNotShown(root, audit.shown, published.unit);
  return {
    code: /** @type {0 | 2 | 3} */ (missing ? 2 : published.elsewhere ? 3 : 0),
    intervals: listOf(root.intervals).length,
    missing, // ends that the proofs do not show
    compared: published.compared,
    notCompared: published.elsewhere, // numbers and blanks of files that were not given, or are no text
    corrections: corrections.size,
    files: /** @type {string[]} */ (published.names),
    sums,
  };
}
