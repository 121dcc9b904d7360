// SPDX-License-Identifier: Apache-2.0
// What the program says, in the language of the page. Its sentences are English; those that the page
// shows most are known here by their form, and texts/told.LANGUAGE.js has the words for them. Any other
// is shown as it is, marked as English, below what its code means. In English nothing changes.
import { h } from './dom.js';
import { T, TOLD } from './texts.js';

/** Name of a sentence, and its form. Their first words stand in the program (tests/browser/told_test.mjs).
 * @type {[string, RegExp][]} */
export const SENTENCES = [
  ['valueOpen', /^the value is not certain, it could be any of the columns (.+?): name it/],
  ['statusOpen', /^the status is not certain, it could be any of the columns (.+?): name one/],
  ['totalsBroken', /^the totals of column '(.+?)' are not certain: .*; '(.+?)' is the sum of the others except in (\d+) of (\d+) sums/],
  ['totalsNone', /^the totals of column '(.+?)' are not certain: no code is the sum of the others \(the largest is '(.+?)'\), and no hierarchy/],
  ['totalsChance', /^the totals of column '(.+?)' are not certain: '(.+?)' is the sum of all others, which may be chance/],
  ['totalsZero', /^the totals of column '(.+?)' are not certain: the codes form a hierarchy, and '(.+?)', which is zero throughout/],
  ['totalsOff', /^the totals of column '(.+?)' are not certain: no code is the sum of the others, and '?(.+?)'?, which may be meant, is off/],
  ['totalsOpen', /^the totals of column '(.+?)' are not certain: /],
  ['periods', /^the column '(.+?)' holds (\d+) periods, '(.+?)' to '(.+?)': choose one/],
  ['measures', /^the column '(.+?)' holds (\d+) measures, '(.+?)' to '(.+?)': choose one/],
  ['notParts', /^the codes of column '(.+?)' are not all parts of one total: '(.+?)' is the sum of codes next to it/],
  ['withheldSign', /^'(.+?)' says that the number is withheld: protection needs the true numbers/],
  ['signOpen', /^'(.+?)' stands in the place of a number and may mean several things/],
  ['notNumberHere', /^'(.+?)' is not a number, unlike most of its column/],
  ['notNumber', /^'(.+?)' is not a number$/],
  ['emptyValue', /^the value is empty(?:: say |$)/],
  ['blocks', /^the rows stand in several blocks, with other text between them/],
  ['sheets', /^there are tables in several sheets, (.+?): /],
  ['separatorOpen', /^the separator is not certain, all lines fit (.+?): name it/],
  ['marksOpen', /^a number such as '(.+?)' could be read/],
  ['stylesOpen', /^the numbers are written in different styles/],
  ['noNumbers', /^no column holds numbers/],
  ['noCodes', /^no column holds codes/],
  ['noValueLeft', /^no column is left for the value/],
  ['sameCodes', /^the columns of codes, (.+?), do not tell the rows apart: this row has the codes of .*?:(\d+)(?::\d+)?: /],
  ['noColumn', /^there is no column '(.+?)'/],
  ['noCodeInColumn', /^the column '(.+?)' has no code '(.+?)'/],
  ['notAdditive', /^the table is not additive: (\d+) sums? do(?:es)? not hold/],
  ['totalIsSum', /^the code '(.+?)' of dimension (.+?) is the sum of all other parts/],
  ['fileEmpty', /^the file is empty$/],
  ['headerOnly', /^the file has a header but no rows$/],
  ['fileNoRows', /^the file has no rows$/],
  ['noFormat', /^the file holds no text, and is in no format that is read$/],
  ['otherFormat', /^this is an? (.+?) file, which is not read/],
  ['notUtf8', /^this byte is not UTF-8 text/],
  ['cellTwice', /^the cell is given twice, first at .*?:(\d+)(?::\d+)?$/],
  ['baseMissing', /^rounding needs a base$/],
  ['largestMissing', /^dominance, p-percent and prior-posterior rules need columns with the largest contributions/],
  ['frequencyMissing', /^a minimum frequency needs a column with the numbers of contributors/],
  ['fromTo', /^must be from (\S+) to (\S+), not (.+)$/],
  ['oneOf', /^(?:'.+?' )?must be one of (.+)$/],
  ['undoNothing', /^there is nothing to undo$/],
  ['redoNothing', /^there is nothing to redo$/],
  ['changeNothing', /^there is nothing to change$/],
  ['levelNegative', /^a level must not be negative$/],
  ['levelMisfit', /^no release can meet the (?:lower|upper) protection level (.+?): the cell's bounds are closer$/],
  ['noRoom', /^(?:(.+?): )?no pattern of withheld cells can give the cell its \w+ protection level (.+?) against '(.+?)'/],
  ['fileOutside', /^this file is outside the folder whose files may be read$/],
  ['fileMissing', /^the file does not exist$/],
  ['fileExists', /^the file exists already: (.+)$/],
  ['periodMissing', /^there is no store in this folder/],
  ['nothingSensitive', /^the rules \((.+)\) make no cell sensitive: there was nothing to protect$/],
  ['nothingMarked', /^NO CELL IS (?:MARKED AS )?SENSITIVE/],
  ['nothingSaysWhich', /^nothing says which cells are sensitive/],
  ['onlyWithheldAsked', /^the table marks no cell as sensitive: the only thing asked was that (?:each of the (\d+) withheld cells|the withheld cell) cannot be computed exactly$/],
  ['askedByRule', /^nothing was asked, so nothing was checked/],
  ['tabulated', /^tabulate: ([\d,]+) records?, ([\d,]+) of them dropped(?: \(.*?\))?, ([\d,]+) cells?$/],
  ['statusRead', /^status from column '(.+?)': (.+)$/],
  ['titlesFound', /^(?:.*: )?(\d+) rows above the table and (\d+) below it are titles and footnotes$/],
  ['noRelease', /^the run has no release that passed the audit$/],
];

/** Words that stand alone: what a run is at, who attacks, why a cell is sensitive. */
export const PIECES = /** @type {[string, RegExp][]} */ ([
  ['contributor', /^contributor (\d+) of (.+)$/],
  ['respondent', /^respondent (\d+)$/],
  ['notComputed', /^not computed$/],
  ['notAsked', /^not asked$/],
  ['respondents', /^(\d+) respondents?(?:, each)? knowing its contributions to (all cells|sensitive cells only)$/],
  ['anonymous', /^(\d+) anonymous contributors?(?:, each)? knowing its contribution to one cell$/],
  ['fewer', /^unsafe: (\d+) contributors?, fewer than (\d+)$/],
  ['dominance', /^unsafe: the (\d+) largest contributors hold (\S+)% of the value, more than (\S+)%$/],
  ['dominanceOne', /^unsafe: the largest contributor holds (\S+)% of the value, more than (\S+)%$/],
  ['byStatus', /^unsafe: by its status$/],
  ['byHandSafe', /^safe: set by hand/],
  ['byHandUnsafe', /^unsafe: set by hand/],
  ['byHandPublished', /^to be published: set by hand/],
  ['byHandWithheld', /^withheld: set by hand/],
]);

/** Words that are too short, or too composed, to be looked for in the program. @type {[string, RegExp][]} */
export const WORDS = [
  ['reading', /^reading$/],
  ['search', /^search$/],
  ['audit', /^audit$/],
  ['outsider', /^outsider$/],
  ['computed', /^computed$/],
  ['bounded', /^bounded$/],
  ['unbounded', /^unbounded$/],
  ['pPercent', /^unsafe: p% rule, largest contributor known to within (\S+)%$/],
  ['priorPosterior', /^unsafe: prior-posterior rule, largest contributor known to within (\S+)%$/],
  ['zeroUpper', /^everyone knows values >= 0 and upper bounds of (\d+) of (\d+) cells$/],
  ['zeroKnown', /^everyone knows values >= 0$/],
  ['oneKnown', /^everyone knows values >= 1$/],
  ['noneKnown', /^everyone knows no bounds of the values$/],
];

/** @param {[string, RegExp][]} forms @param {any} words @param {string} text */
function found(forms, words, text) {
  for (const [name, form] of forms) {
    const parts = words[name] && form.exec(text);
    if (parts) return typeof words[name] === 'function' ? words[name](...parts.slice(1).map((/** @type {string} */ part) => part || '')) : words[name];
  }
  return '';
}

/** The sentence in the language of the page, or nothing if it is not known. @param {string} text @returns {string} */
export const translated = text => (TOLD && text ? found(SENTENCES, TOLD.sentences, text) : '');

/** One word or name of the program. @param {string} text */
export const toldWord = text => (TOLD && text && found([...WORDS, ...PIECES], TOLD.words, text)) || text;

/** English text within a page of another language. @param {string} text */
export const inEnglish = text => (T.language === 'en' ? text : h('span', { lang: 'en' }, text));

/** Against whom a table is protected: a list, of which all parts are known, or it stays English. @param {string} text */
export function toldList(text) {
  const parts = text.split('; '),
    own = parts.map(toldWord);
  return own.every((part, k) => part !== parts[k]) ? own.join('; ') : inEnglish(text);
}

/** What the program says, for people. @param {string} text @param {string} [code] of the error @returns {any} */
export function told(text, code = '') {
  if (!TOLD || !text) return text;
  const own = translated(text);
  if (own) return own;
  const means = TOLD.codes[code];
  return means ? [means + ' ', inEnglish(text)] : inEnglish(text);
}
