// SPDX-License-Identifier: Apache-2.0
// The four cards of a release: what was asked, what is withheld, why it is safe, what it cost. Every
// sentence is made of what the run has computed; what was not computed is not said.
import { h } from './dom.js';
import { term } from './glossary.js';
import { figure, percent } from './protect.js';
import { grouped } from './shared/data.js';
import { T } from './texts.js';
import { told, toldList } from './told.js';

/** @param {string} key @param {any} heading @param {any} large @param {any[]} lines @param {string} [cls] */
const card = (key, heading, large, lines, cls = '') =>
  h(
    'section',
    { class: 'card answer ' + cls, 'data-test': 'card-' + key, 'aria-label': T.cards[key].title },
    h('h2', null, heading),
    h('p', { class: 'large' }, large),
    lines.filter(line => line !== '' && line !== null && line !== undefined).map(line => h('p', null, line)),
  );

/** @param {any} n */
const counted = n => figure(Number(n));

/** @param {any} run @param {any} document */
function askedCard(run, document) {
  const r = run.summary || {},
    sensitive = r.primary ?? (document ? document.sensitive : undefined);
  const all = ['protected', 'exposed', 'undecided', 'waived'].reduce((sum, key) => sum + Number(r[key] || 0), 0);
  return card('asked', T.cards.asked.title, sensitive === undefined ? '–' : T.cards.asked.figure(Number(sensitive), counted(sensitive)), [
    all ? [T.cards.asked.requirements(all, counted(all)), ' ', term('requirement', '?')] : run.verdict === 'unasked' ? T.cards.asked.nothing : '',
    document && document.against ? toldList(document.against) : '',
    ...(r.limits || []).map((/** @type {string} */ text) => h('span', { class: 'bad', 'data-test': 'limits' }, told(text))),
  ]);
}

/** @param {any} run */
function withheldCard(run) {
  const r = run.summary || {},
    loss = r.information_loss || {};
  const method = run.command === 'audit' ? 'audit' : run.options.method || 'suppress';
  const changed = loss.cells ?? r.suppressed;
  const hides = method === 'suppress' || r.method === 'suppress' || r.method === 'suppression';
  return card('withheld', T.cards.withheld.title, changed === undefined || changed === null ? '–' : counted(changed) + (r.cells ? ' ' + T.cards.withheld.of(counted(r.cells)) : ''), [
    hides && r.secondary !== undefined ? T.cards.withheld.split(counted(r.primary ?? 0), counted(r.secondary)) : '',
    hides && r.secondary !== undefined ? [term('secondary'), ' ', T.cards.withheld.why] : '',
    T.methods[method] ? T.methods[method].name + ': ' + T.methods[method].text : '',
  ]);
}

/** @param {any} run @param {any} verdict what the card of the verdict says */
function safeCard(run, verdict) {
  const r = run.summary || {};
  const worked = r.exposed !== undefined && run.verdict !== 'unasked';
  return card(
    'safe',
    run.verdict === 'protected' ? T.cards.safe.title : T.cards.safe.ask,
    T.verdicts[run.verdict] || verdict.title,
    [
      verdict.text,
      worked ? T.release.counts(r) : '',
      run.verdict === 'protected' ? [T.cards.safe.audit, ' ', term('audit', '?')] : '',
    ],
    verdict.cls,
  );
}

/** @param {any} run */
function costCard(run) {
  const r = run.summary || {},
    loss = r.information_loss || {};
  const known = r.objective !== undefined && r.objective !== null;
  const proven = known && r.gap === 0;
  const unit = T.cards.cost.units[r.method] || T.cards.cost.units[run.options.method || 'suppress'];
  return card('cost', T.cards.cost.title, known ? figure(r.objective) : '–', [
    known && unit ? unit : '',
    known && r.bound !== undefined && r.bound !== null
      ? [proven ? T.cards.cost.least : T.cards.cost.gap(figure(r.bound), percent(r.gap)), ' ', term('gap', '?')]
      : '',
    loss.value !== undefined && loss.value !== null ? T.cards.cost.value(figure(loss.value)) : '',
    run.seconds ? T.cards.cost.time(grouped(Number(run.seconds).toFixed(1))) : '',
  ]);
}

/** @param {any} run @param {any} document @param {{ title: string, text: string, cls: string }} verdict */
export const answerCards = (run, document, verdict) =>
  h('div', { class: 'answers', 'data-test': 'answers' }, askedCard(run, document), withheldCard(run), safeCard(run, verdict), costCard(run));
