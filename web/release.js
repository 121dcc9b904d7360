// SPDX-License-Identifier: Apache-2.0
// Release: the audit's verdict of a run, the cells that it found exposed with the steps that give
// them away, runs compared, files for the public and the office; and the audit of any other release.
import * as api from './api.js';
import { answerCards } from './cards.js';
import { term } from './glossary.js';
import { makeChanges } from './changes.js';
import { makeCompare } from './compare.js';
import { h, refill, select } from './dom.js';
import { makeExport } from './export.js';
import { mainFile, makeDrop } from './open.js';
import { makePeriods } from './periods.js';
import { figure, figures, percent, sentence } from './protect.js';
import { grouped } from './shared/data.js';
import { runName } from './shell.js';
import { hasRelease, isOver } from './store.js';
import { T } from './texts.js';
import { told, toldWord } from './told.js';

/** Nothing was asked: where to ask, and what the run had to say. @param {any} store @param {any} run */
const unaskedPart = (store, run) => [
  [...(run.notes || []), (run.summary || {}).note]
    .filter(Boolean)
    .map((/** @type {string} */ n) => h('p', { class: 'soft' }, told(n))),
  h(
    'div',
    { class: 'row wrap' },
    h(
      'button',
      { type: 'button', class: 'main', 'data-test': 'ask-rules', onclick: () => store.go('rules') },
      T.release.toRules,
    ),
    h(
      'button',
      {
        type: 'button',
        'data-test': 'ask-cells',
        onclick: () => {
          store.go('table');
          store.emit('decide');
        },
      },
      T.release.toCells,
    ),
  ),
];

/** Cells that a rule calls sensitive and somebody has called otherwise. @param {any} lifted */
const liftedPart = lifted =>
  lifted && lifted.count
    ? h('p', { class: 'bad', 'data-test': 'lifted' }, T.release.lifted(lifted.count, lifted.cells))
    : [];

/** The word of the verdict, with what stands against it. @param {any} run */
function verdictOf(run) {
  const verdict = run.verdict || run.state,
    limits = (run.summary || {}).limits || [],
    partly = verdict === 'protected' && (limits.length || (run.lifted && run.lifted.count));
  return {
    title: partly ? T.verdictTitles.partly : T.verdictTitles[verdict] || T.runStates[run.state],
    text: T.verdictTexts[verdict] || told(sentence(run.message)),
    cls: partly ? 'waived' : verdict,
  };
}

/** @param {any} store @param {any} run */
function verdictCard(store, run) {
  const verdict = run.verdict || run.state,
    r = run.summary || {},
    counts = r.exposed === undefined || verdict === 'unasked' ? null : r,
    limits = r.limits || [], // what was asked instead of all that could be
    partly = verdict === 'protected' && (limits.length || (run.lifted && run.lifted.count));
  return h(
    'div',
    { class: 'card verdict-card ' + (partly ? 'waived' : verdict), 'data-test': 'verdict', 'data-verdict': verdict },
    h('p', { class: 'big' }, partly ? T.verdictTitles.partly : T.verdictTitles[verdict] || T.runStates[run.state]),
    h('p', null, T.verdictTexts[verdict] || told(sentence(run.message))),
    counts ? h('p', { class: 'soft' }, T.release.counts(counts)) : [],
    limits.map((/** @type {string} */ text) => h('p', { class: 'bad', 'data-test': 'limits' }, told(text))),
    liftedPart(run.lifted),
    run.stopped ? h('p', { class: 'bad' }, T.protect.stopped(r.gap === undefined ? null : percent(r.gap))) : [],
    verdict === 'unasked' ? unaskedPart(store, run) : [],
  );
}

/** A share of the sensitive cells, or that nobody has computed it. @param {any} summary @param {any} share */
const guessed = (summary, share) =>
  share === undefined
    ? null
    : share === null
      ? toldWord(summary.guess_state)
      : (summary.guess_state === 'bounded' ? '≥ ' : '') + percent(share);

/** @param {any} run */
function runFacts(run) {
  const r = run.summary || {},
    loss = r.information_loss || {};
  return h(
    'div',
    { 'data-test': 'facts' },
    figures([
      [term('cost', T.figures.cost), r.objective === undefined ? null : figure(r.objective)],
      [term('bound', T.figures.bound), r.bound === undefined ? null : figure(r.bound)],
      [term('gap', T.figures.gap), r.gap === undefined ? null : percent(r.gap)],
      [T.measures.cells, loss.cells === undefined ? null : figure(loss.cells)],
      [T.measures.value, loss.value === undefined ? null : figure(loss.value)],
      [
        term('width', T.measures.width),
        loss.width === undefined
          ? null
          : loss.width === null
            ? toldWord(loss.width_state)
            : (loss.width_exact === false ? '≤ ' : '') + figure(loss.width),
      ],
      [T.measures.contributions, loss.contributions === undefined ? null : figure(loss.contributions)],
      [T.measures.guess_near, guessed(r, r.guess_near_share)],
      [T.measures.guess_exact, guessed(r, r.guess_exact_share)],
    ]),
  );
}

/** The first finding of each cell, with steps if one has them, and how many there are. @param {any[]} list @returns {[any, number][]} */
function byCell(list) {
  const cells = new Map();
  for (const e of list) {
    const had = cells.get(e.cell);
    cells.set(
      e.cell,
      had ? [(had[0].steps && had[0].steps.length) || !e.steps || !e.steps.length ? had[0] : e, had[1] + 1] : [e, 1],
    );
  }
  return [...cells.values()];
}

/** @param {any} store */
function makeExposed(store) {
  const element = h('section', { class: 'block', 'data-test': 'exposed' });
  /** A cell by what its nearest reader finds, and how many do. @param {[any, number]} one */
  const line = ([e, count]) =>
    h(
      'article',
      { class: 'exposed-cell', 'data-test': 'exposed:' + e.cell },
      h(
        'div',
        { class: 'row' },
        h(
          'button',
          { type: 'button', class: 'link', 'data-test': 'go:' + e.cell, onclick: () => store.emit('goto', e.cell) },
          e.label,
        ),
        h('span', { class: 'soft' }, toldWord(e.attacker) + (count > 1 ? T.release.readers(count - 1) : '')),
        h('span', { class: 'grow' }),
        h('span', { class: 'verdict ' + e.verdict }, T.verdicts[e.verdict] || e.verdict),
      ),
      e.reason ? h('p', { class: 'soft' }, told(e.reason)) : [],
      e.steps && e.steps.length
        ? h(
            'ol',
            { class: 'steps', 'data-test': 'steps' },
            e.steps.map((/** @type {string} */ step) => h('li', null, grouped(step))),
          )
        : [],
    );
  async function update() {
    const run = store.run;
    if (!run || !hasRelease(run) || run.verdict === 'protected') {
      element.hidden = true;
      return;
    }
    const list = await store.attempt(() =>
      api.get(`runs/${run.id}/exposed${run.tables && run.tables.length ? '?table=' + store.argusTable : ''}`),
    );
    if (!list || (store.run !== run && (!store.run || store.run.id !== run.id))) return;
    const cells = byCell(list);
    element.hidden = !list.length;
    refill(
      element,
      h('h2', null, T.release.exposed(cells.length)),
      h('p', { class: 'soft' }, T.release.exposedText),
      cells.slice(0, 100).map(line),
      cells.length > 100 ? h('p', { class: 'soft' }, T.pane.more(cells.length - 100)) : [],
    );
  }
  return { element, update };
}

/** @param {any} store */
function makeAttack(store) {
  const busy = h('p', { class: 'soft', role: 'status' });
  /** @type {number|null} */
  let waiting = null;
  /** @param {any} options */
  const audit = options =>
    store.attempt(async () => {
      const run = await store.start('audit', options);
      waiting = run.id;
      busy.textContent = T.release.auditing;
      store.say('');
      if (isOver(run)) ended();
    });
  function ended() {
    const run = store.runs.find((/** @type {any} */ r) => r.id === waiting);
    if (!run || !isOver(run)) return;
    waiting = null;
    busy.textContent = '';
    if (run.error || run.state === 'failed') store.fail(run.error || { message: run.message });
    else {
      store.show(run);
      store.go('release');
    }
  }
  store.on('ended', ended);
  store.on('runs', ended);
  const drop = makeDrop({
    test: 'audit-drop',
    input: 'audit-file',
    multiple: true,
    title: T.release.attackDrop,
    text: T.release.attackText,
    onFiles: files =>
      store.attempt(async () => {
        busy.textContent = T.open.sending(files.length);
        const names = await api.upload(files);
        await audit({ pattern: mainFile(names), all: true });
      }),
  });
  const bare = h(
    'button',
    { type: 'button', 'data-test': 'audit-bare', onclick: () => audit({ all: true }) },
    T.release.attackBare,
  );
  return h(
    'section',
    { class: 'block' },
    h('h2', null, T.release.attack),
    drop,
    h('div', { class: 'row wrap' }, bare, h('span', { class: 'soft' }, T.release.attackBareText)),
    busy,
  );
}

/** @param {any} store */
export function makeReleasePlace(store) {
  const top = h('section', { class: 'block' }),
    none = h('p', { class: 'soft' }, T.release.none);
  const exposed = makeExposed(store),
    compare = makeCompare(store),
    changes = makeChanges(store),
    periods = makePeriods(store),
    files = makeExport(store);
  const pick = h('div', { class: 'row' });
  function draw() {
    const runs = store.runs.filter(hasRelease),
      run = store.run;
    none.hidden = runs.length > 0;
    const list = select(
      {
        'data-test': 'release-run',
        'aria-label': T.release.which,
        onchange: () => store.show(store.runs.find((/** @type {any} */ r) => String(r.id) === list.value) || null),
      },
      [['', T.release.pick], ...runs.map((/** @type {any} */ r) => [String(r.id), runName(r)])],
      run ? String(run.id) : '',
    );
    refill(pick, runs.length ? h('label', null, T.release.which + ' ', list) : []);
    refill(
      top,
      run
        ? [
            verdictCard(store, run),
            answerCards(run, store.document, verdictOf(run)),
            h('details', { 'data-test': 'all-facts' }, h('summary', null, T.release.figures), runFacts(run)),
          ]
        : [],
    );
    files.element.hidden = !run || run.state !== 'done' || run.command === 'audit';
    files.update();
  }
  function show() {
    if (!store.document) return;
    const last = store.runs.filter(hasRelease).pop();
    if (!store.run && last) {
      store.show(last);
      return;
    }
    draw();
    exposed.update();
    compare.update();
    changes.update();
    periods.update();
  }
  store.on('run', () => {
    if (store.place === 'release') show();
  });
  store.on('document', () => {
    exposed.element.hidden = true;
    compare.element.hidden = true;
  });
  let known = '';
  store.on('runs', () => {
    const now = store.runs.map((/** @type {any} */ r) => r.id + r.state).join();
    if (now !== known && store.place === 'release') {
      known = now;
      draw();
      compare.update();
      changes.update();
    }
  });
  const element = h(
    'section',
    { class: 'place release', 'data-test': 'here-release', 'aria-label': T.places.release },
    h('div', { class: 'row head' }, h('h1', null, T.release.title), h('span', { class: 'grow' }), pick),
    none,
    h(
      'div',
      { class: 'split even' },
      h('div', null, top, exposed.element, periods.element, files.element),
      h('div', null, makeAttack(store), compare.element, changes.element),
    ),
  );
  return { element, show };
}
