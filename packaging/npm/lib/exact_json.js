// SPDX-License-Identifier: Apache-2.0
// JSON with whole numbers of any size (RFC 8259). The reader of the language rounds 9007199254740993 to
// ...992, and a proof with such a number proves something else; here whole numbers become BigInt. Other
// numbers are doubles, as everywhere. Stricter than the RFC in one point: a name that is given twice is
// an error, because two readers may take different ones. Without recursion: trees of cases may be deep.

const BLANKS = /[ \t\n\r]*/y;
const JSON_NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORDS = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Something does not hold: the certificate proves nothing. */
export class Refusal extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'Refusal';
  }
}

/** @param {unknown} condition @param {string} message @returns {asserts condition} */
export function need(condition, message) {
  if (!condition) throw new Refusal(message);
}

/** The whole numbers as BigInt, the others as numbers. @param {string} text @returns {any} */
export function parseExact(text) {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  /** @param {RegExp} pattern */
  const take = pattern => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  const wrong = () => new Refusal('not JSON at character ' + (at + 1));
  const string = () => {
    const match = take(TEXT);
    if (!match) throw wrong();
    return JSON.parse(match[0]);
  };
  const scalar = () => {
    if (text[at] === '"') return string();
    const match = take(JSON_NUMBER);
    if (match) return match[1] || match[2] ? Number(match[0]) : BigInt(match[0]);
    for (const [word, value] of WORDS) {
      if (!text.startsWith(word, at)) continue;
      at += word.length;
      return value;
    }
    throw wrong();
  };
  /** @type {{value: any, name: string | null}[]} */
  const open = []; // lists and objects around this place
  const name = () => {
    const own = open[open.length - 1];
    /** @type {string} */
    const found = string();
    need(!Object.hasOwn(own.value, found), `the name "${found}" is given twice`);
    own.name = found;
    take(BLANKS);
    if (text[at++] !== ':') throw wrong();
  };
  for (;;) {
    take(BLANKS);
    /** @type {any} */
    let value;
    const first = text[at];
    if (first === '[' || first === '{') {
      ++at;
      take(BLANKS);
      value = first === '[' ? [] : Object.create(null);
      if (text[at] !== (first === '[' ? ']' : '}')) {
        open.push({ value, name: null });
        if (first === '{') name();
        continue;
      }
      ++at;
    } else {
      value = scalar();
    }
    // The value is complete: it goes to what is around it, which may be complete then, too.
    for (;;) {
      take(BLANKS);
      const own = open[open.length - 1];
      if (!own) {
        if (at !== text.length) throw wrong();
        return value;
      }
      const isList = Array.isArray(own.value);
      if (isList) own.value.push(value);
      else own.value[/** @type {string} */ (own.name)] = value;
      const mark = text[at++];
      if (mark === ',') {
        take(BLANKS);
        if (!isList) name();
        break;
      }
      if (mark !== (isList ? ']' : '}')) throw wrong();
      value = own.value;
      open.pop();
    }
  }
}
