// SPDX-License-Identifier: Apache-2.0
// A job's TOML text with the places of its sections and keys, so that a form can change one value
// and leave all else, comments included, as it was written. It reads what jobs have: [a], [[a]],
// [a.b], key = value with texts, numbers, true and false, lists and inline tables. The program's own
// reader has the last word.

/** @typedef {{ key: string, value: any, line: number, from: number, to: number, valueFrom: number, valueTo: number }} Key */
/** @typedef {{ name: string, list: boolean, line: number, from: number, to: number, keys: Map<string, Key> }} Section */

class Scanner {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }
  get here() {
    return this.text[this.at];
  }
  get done() {
    return this.at >= this.text.length;
  }
  line() {
    return this.text.slice(0, this.at).split('\n').length;
  }
  /** Blanks, and over line ends also comments. @param {boolean} lines */
  skip(lines) {
    for (;;) {
      if (this.here === ' ' || this.here === '\t' || this.here === '\r' || (lines && this.here === '\n')) ++this.at;
      else if (this.here === '#') this.toLineEnd();
      else return;
      if (this.done) return;
    }
  }
  toLineEnd() {
    while (!this.done && this.here !== '\n') ++this.at;
  }
  /** @param {string} what */
  expect(what) {
    if (!this.text.startsWith(what, this.at)) throw new SyntaxError(`line ${this.line()}: '${what}' expected`);
    this.at += what.length;
  }
  quoted() {
    const quote = this.here,
      from = ++this.at;
    while (!this.done && this.here !== quote && this.here !== '\n')
      this.at += this.here === '\\' && quote === '"' ? 2 : 1;
    const inside = this.text.slice(from, this.at);
    this.expect(quote);
    return quote === "'" ? inside : unescaped(inside);
  }
  name() {
    if (this.here === '"' || this.here === "'") return this.quoted();
    const found = /^[\w-]+/.exec(this.text.slice(this.at, this.at + 200));
    if (!found) throw new SyntaxError(`line ${this.line()}: a name expected`);
    this.at += found[0].length;
    return found[0];
  }
  dotted() {
    const parts = [this.name()];
    for (this.skip(false); this.here === '.'; this.skip(false)) {
      ++this.at;
      this.skip(false);
      parts.push(this.name());
    }
    return parts.join('.');
  }
  /** @returns {any} */
  value() {
    if (this.here === '"' || this.here === "'") return this.quoted();
    if (this.here === '[') return this.list();
    if (this.here === '{') return this.inline();
    const found = /^[^\s,#\]}]+/.exec(this.text.slice(this.at, this.at + 400));
    if (!found) throw new SyntaxError(`line ${this.line()}: a value expected`);
    this.at += found[0].length;
    return found[0] === 'true'
      ? true
      : found[0] === 'false'
        ? false
        : Number.isNaN(Number(found[0].replaceAll('_', '')))
          ? found[0]
          : Number(found[0].replaceAll('_', ''));
  }
  list() {
    const out = [];
    this.expect('[');
    for (this.skip(true); this.here !== ']'; this.skip(true)) {
      out.push(this.value());
      this.skip(true);
      if (this.here === ',') ++this.at;
      else if (this.here !== ']') throw new SyntaxError(`line ${this.line()}: ',' or ']' expected`);
    }
    ++this.at;
    return out;
  }
  inline() {
    /** @type {Record<string, any>} */
    const out = {};
    this.expect('{');
    for (this.skip(false); this.here !== '}'; this.skip(false)) {
      const key = this.dotted();
      this.skip(false);
      this.expect('=');
      this.skip(false);
      out[key] = this.value();
      this.skip(false);
      if (this.here === ',') ++this.at;
      else if (this.here !== '}') throw new SyntaxError(`line ${this.line()}: ',' or '}' expected`);
    }
    ++this.at;
    return out;
  }
}

/** @param {string} text */
const unescaped = text => {
  try {
    return JSON.parse('"' + text + '"');
  } catch {
    return text;
  }
};

/** @param {string} text @returns {Section[]} the first is what stands before any header */
export function readToml(text) {
  const scan = new Scanner(text),
    lineFrom = () => text.lastIndexOf('\n', scan.at - 1) + 1;
  /** @type {Section} */
  let section = { name: '', list: false, line: 1, from: 0, to: 0, keys: new Map() };
  const sections = [section];
  for (scan.skip(true); !scan.done; scan.skip(true)) {
    const from = lineFrom(),
      line = scan.line();
    if (scan.here === '[') {
      const list = text[scan.at + 1] === '[';
      scan.expect(list ? '[[' : '[');
      scan.skip(false);
      const name = scan.dotted();
      scan.skip(false);
      scan.expect(list ? ']]' : ']');
      scan.toLineEnd();
      section = { name, list, line, from, to: scan.at, keys: new Map() };
      sections.push(section);
      continue;
    }
    const key = scan.dotted();
    scan.skip(false);
    scan.expect('=');
    scan.skip(false);
    const valueFrom = scan.at,
      value = scan.value(),
      valueTo = scan.at;
    scan.toLineEnd();
    section.keys.set(key, { key, value, line, from, to: scan.at, valueFrom, valueTo });
    section.to = scan.at;
  }
  return sections;
}

/** A value as TOML. @param {any} value @returns {string} */
export function writeToml(value) {
  if (Array.isArray(value)) return '[' + value.map(writeToml).join(', ') + ']';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** Of a field of the form: a number where it is one. @param {string} text */
export const plainValue = text => (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text.trim()) ? Number(text) : text);

/** @param {string} text @param {number} from @param {number} to @param {string} by */
const splice = (text, from, to, by) => text.slice(0, from) + by + text.slice(to);
/** @param {string} key */
const keyText = key => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));

/** @param {Section[]} sections @param {string} name @param {number} [which] of several [[name]] */
export const findSection = (sections, name, which = 0) => sections.filter(s => s.name === name)[which];

/** @param {string} text @param {string} name @param {string} key @param {any} value undefined: the key goes @param {number} [which] */
export function setKey(text, name, key, value, which = 0) {
  const sections = readToml(text),
    section = findSection(sections, name, which);
  if (value === undefined)
    return section && section.keys.has(key) ? removeLines(text, /** @type {Key} */ (section.keys.get(key))) : text;
  if (!section) return addSection(text, `[${name}]`, [[key, value]]);
  const old = section.keys.get(key);
  if (old) return splice(text, old.valueFrom, old.valueTo, writeToml(value));
  return splice(text, section.to, section.to, `\n${keyText(key)} = ${writeToml(value)}`);
}

/** @param {string} text @param {{ from: number, to: number }} what */
function removeLines(text, what) {
  return splice(text, what.from, text[what.to] === '\n' ? what.to + 1 : what.to, '');
}

/** A new section, behind the last one of its name, else at the end. @param {string} text @param {string} header @param {[string, any][]} keys */
export function addSection(text, header, keys) {
  const name = header.replace(/[[\]]/g, ''),
    sections = readToml(text);
  const body = [header, ...keys.map(([key, value]) => `${keyText(key)} = ${writeToml(value)}`)].join('\n');
  const last = sections.findLastIndex(s => s.name === name || s.name.startsWith(name + '.'));
  if (last < 0) return text.replace(/\n*$/, text.trim() ? '\n\n' : '') + body + '\n';
  return splice(text, sections[last].to, sections[last].to, '\n\n' + body);
}

/** Takes a section away, with those below it. @param {string} text @param {string} name @param {number} which */
export function removeSection(text, name, which) {
  const sections = readToml(text),
    section = findSection(sections, name, which),
    at = sections.indexOf(section);
  if (!section) return text;
  let last = at;
  while (sections[last + 1] && sections[last + 1].name.startsWith(name + '.')) ++last;
  return splice(text, section.from, sections[last].to, '').replace(/\n{3,}/g, '\n\n');
}

/** The sections [name.sub] of the which-th [[name]]. @param {Section[]} sections @param {string} name @param {number} which @param {string} sub */
export function subSections(sections, name, which, sub) {
  const at = sections.indexOf(findSection(sections, name, which)),
    out = [];
  for (let k = at + 1; at >= 0 && k < sections.length && sections[k].name.startsWith(name + '.'); ++k)
    if (sections[k].name === name + '.' + sub) out.push(sections[k]);
  return out;
}
