// SPDX-License-Identifier: Apache-2.0
// What the program says of the job as it stands: what is open or wrong, with the control that
// settles it; sums that do not hold, with jumps to their rows; or what would be, or is.
import { answersOf } from './answers.js';
import { h } from './dom.js';
import { controlName, plainError } from './plain.js';
import { grouped } from './shared/data.js';
import { T } from './texts.js';
import { inEnglish, told, toldList, translated } from './told.js';

const MOST_NOTES = 6;
/** @param {number} n */
const number = n => grouped(String(n));
/** @param {string[]} notes */
const notesPart = notes =>
  notes
    .filter(note => !/was read without a job/.test(note))
    .slice(0, MOST_NOTES)
    .map(note => h('p', { class: 'soft' }, translated(note) || inEnglish(plainError(note).text)));

/** @typedef {{ error: any, open: any[], preview: any, document: any, ofFile: boolean, file: string,
 *   go: (control: string) => void, jump: (line: number, column?: number) => void, say: (key: string, value: any) => void,
 *   toRecords: () => void, place: (name: string) => void, answers: any, busy: boolean }} How */

/** Brings a control into view and gives it the focus. @param {How} how @param {string} control */
const goButton = (how, control) =>
  control
    ? h(
        'button',
        { type: 'button', class: 'small', 'data-test': 'go-control:' + control, onclick: () => how.go(control) },
        T.outcome.go(controlName(control)),
      )
    : [];

/** @param {string} test @param {string} name @param {() => void} f */
const fix = (test, name, f) => h('button', { type: 'button', class: 'small', 'data-test': test, onclick: f }, name);

/** What usually settles it, in one click. @param {How} how @param {any} plain @param {any} error */
function fixes(how, plain, error) {
  const said = String(error.message || '');
  return [
    plain.sums.length && plain.off ? fix('fix-round', T.outcome.within(grouped(plain.off)), () => how.say('round_totals', Number(plain.off))) : [],
    plain.sums.length && !/are absent/.test(said) ? fix('fix-recompute', T.outcome.recompute, () => how.say('totals', 'recomputed')) : [],
    (/\.total$/.test(plain.control) || /totals are absent/.test(said)) && !/holds \d+ (periods|measures)/.test(said)
      ? fix('fix-computed', T.outcome.computed, () => how.say('totals', 'computed'))
      : [],
    /records/.test(said) && !/over records/.test(said.replace(/write a job over records/, '')) ? fix('fix-records', T.outcome.records, how.toRecords) : [],
  ];
}

/** @param {How} how @param {any} plain */
const sumsPart = (how, plain) =>
  plain.sums.length
    ? h(
        'ul',
        { class: 'bare sums', 'data-test': 'broken-sums' },
        plain.sums.map((/** @type {any} */ sum, /** @type {number} */ k) =>
          h(
            'li',
            null,
            h(
              'button',
              {
                type: 'button',
                class: 'link',
                disabled: !sum.line,
                'data-test': 'broken-sum:' + k,
                onclick: () => how.jump(sum.line),
              },
              sum.line ? T.outcome.row(sum.line) : sum.place,
            ),
            ' ',
            h('bdi', null, grouped(sum.text)),
          ),
        ),
        plain.more ? h('li', { class: 'soft' }, T.pane.more(plain.more)) : [],
      )
    : [];

/** @param {How} how @param {any} error @param {string} test */
function errorPart(how, error, test) {
  const plain = how.ofFile ? plainError(error) : { ...plainError(error), text: error.message.split('\n')[0], control: '' };
  const inFile = error.line && error.file && !/\.toml$/.test(error.file),
    inJob = /\.toml(:|$)/.test(error.where || ''); // nobody has written it who began with a file
  return h(
    'div',
    { class: 'problem' },
    h(
      'p',
      { class: 'bad', 'data-test': test },
      error.where && !(how.ofFile && (inFile || inJob)) ? h('b', null, (how.ofFile ? error.where.replace(/^\[?[a-z]+\]?$/, '') : error.where) || '', error.where ? ': ' : '') : [],
      translated(error.message.split('\n')[0]) || told(plain.text, error.code),
    ),
    sumsPart(how, plain),
    h(
      'div',
      { class: 'row wrap' },
      how.ofFile ? [answersOf(how.answers, error), fixes(how, plain, error)] : [],
      goButton(how, plain.control),
      how.ofFile && inFile
        ? h('button', { type: 'button', class: 'small', 'data-test': 'go-row', onclick: () => how.jump(error.line, error.column) }, T.outcome.row(error.line))
        : [],
    ),
  );
}

/** @param {How} how */
export function outcomeParts(how) {
  const { error, open, preview, document } = how;
  if (how.busy) return h('p', { class: 'soft' }, T.outcome.reading);
  if (preview)
    return [
      h('p', { class: 'good' }, T.rules.would(preview, document, number)),
      document && document.changes.length ? h('p', null, T.rules.decisions(document.changes.length)) : [],
      notesPart(preview.notes),
    ];
  if (open.length)
    return [
      h('p', null, h('b', null, T.outcome.open(open.length))),
      open.map((each, k) => errorPart(how, each, k ? 'open-question:' + k : 'job-error')),
    ];
  if (error) return errorPart(how, error, 'job-error');
  if (!document) return [];
  return [
    h('p', { 'data-test': 'understood' }, T.rules.understood(document, number)),
    h(
      'div',
      { class: 'row wrap' },
      h('button', { type: 'button', class: 'small', 'data-test': 'to-table', onclick: () => how.place('table') }, T.outcome.toTable),
      h('button', { type: 'button', class: 'small', 'data-test': 'to-protect', onclick: () => how.place('protect') }, T.outcome.toProtect),
    ),
    document.against ? h('p', { class: 'soft' }, toldList(document.against)) : [],
    notesPart(document.notes),
  ];
}
