// SPDX-License-Identifier: Apache-2.0
// Protect: the methods as cards with their options, and the runs side by side: progress, the course
// of cost and bound, stop with the best so far, what came out.
import * as api from './api.js';
import { copyButton, h, refill } from './dom.js';
import { term } from './glossary.js';
import { makeOptionsForm } from './options_form.js';
import { coursePlot } from './plot.js';
import { grouped } from './shared/data.js';
import { runName } from './shell.js';
import { hasRelease, isOver } from './store.js';
import { T } from './texts.js';
import { inEnglish, told, toldWord } from './told.js';

/** @param {number|null|undefined} x */
export const figure = x =>
  x === null || x === undefined || !Number.isFinite(Number(x))
    ? '–'
    : grouped(
        String(
          Number(
            Math.abs(Number(x)) >= 1000
              ? Number(x).toFixed(Number.isInteger(Number(x)) ? 0 : 1)
              : Number(x).toPrecision(4),
          ),
        ),
      );
/** @param {number|null|undefined} x */
export const percent = x =>
  x === null || x === undefined || !Number.isFinite(Number(x))
    ? '–'
    : inPercent(Number(x), Number(x) && Number(x) < 0.1 ? 2 : 1);
/** "12.5%" or "12,5 %", as the language has it. @param {number} x @param {number} digits */
export const inPercent = (x, digits) =>
  new Intl.NumberFormat(T.language, { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits }).format(x);
/** @param {number} s */
const clock = s => (s < 60 ? grouped(s.toFixed(1)) + ' s' : Math.floor(s / 60) + ' min ' + Math.round(s % 60) + ' s');

/** What a refusal says may be the object of --json. @param {string} message @returns {string} */
export function sentence(message) {
  if (!message || !message.startsWith('{')) return message || '';
  try {
    return JSON.parse(message).message || '';
  } catch {
    return message;
  }
}

/** Name and value, a line of them. @param {[any, any][]} pairs */
export const figures = pairs =>
  h(
    'dl',
    { class: 'figures' },
    pairs
      .filter(([, v]) => v !== null && v !== undefined && v !== '')
      .map(([name, v]) => h('div', null, h('dt', null, name), h('dd', null, v))),
  );

/** @param {any} run */
function progressLine(run) {
  if (run.state === 'queued') return [];
  const p = run.progress || {},
    share = p.share === null || p.share === undefined ? undefined : p.share;
  return h(
    'div',
    { class: 'progress' },
    h('progress', { max: 1, value: share, 'aria-label': T.protect.progress }),
    h(
      'span',
      { class: 'soft' },
      [toldWord(p.phase || ''), p.seconds_left ? T.protect.left(clock(p.seconds_left)) : ''].filter(Boolean).join(' · '),
    ),
  );
}

/** @param {any} x @param {(x: any) => string} how */
const said = (x, how) => (x === undefined || x === null ? null : how(x));

/** @param {any} run */
function runFigures(run) {
  const p = run.progress || {},
    r = run.summary || {};
  const cost = r.objective !== undefined ? r.objective : p.cost,
    bound = r.bound !== undefined ? r.bound : p.bound,
    gap = r.gap !== undefined ? r.gap : p.gap;
  return figures([
    [term('cost', T.figures.cost), said(cost, figure)],
    [term('bound', T.figures.bound), said(bound, figure)],
    [term('gap', T.figures.gap), said(gap, percent)],
    [T.figures.time, run.state === 'queued' ? null : clock(run.seconds || 0)],
    [T.figures.withheld, r.suppressed === undefined ? null : figure(r.suppressed)],
    [T.figures.intervals, r.intervals === undefined ? null : figure(r.intervals)],
    [T.figures.changed, r.information_loss ? figure(r.information_loss.cells) : null],
  ]);
}

/** @param {any} store @param {any} run */
function runButtons(store, run) {
  const button = (/** @type {string} */ name, /** @type {string} */ test, /** @type {() => any} */ f, cls = '') =>
    h(
      'button',
      { type: 'button', class: cls, 'data-test': test + ':' + run.id, onclick: () => store.attempt(async () => f()) },
      name,
    );
  const compare = h(
    'label',
    { class: 'switch' },
    h('input', {
      type: 'checkbox',
      'data-test': 'compare:' + run.id,
      checked: store.compared.includes(run.id),
      onchange: (/** @type {any} */ e) => store.compare(run.id, e.target.checked),
    }),
    T.protect.compare,
  );
  return h(
    'div',
    { class: 'row wrap' },
    isOver(run) || run.state === 'queued' ? [] : button(T.protect.stop, 'stop', () => store.stop(run.id), 'main'),
    hasRelease(run)
      ? [
          button(T.protect.show, 'show', () => {
            store.show(run);
            store.go('table');
          }),
          button(T.protect.toRelease, 'release', () => {
            store.show(run);
            store.go('release');
          }),
          compare,
        ]
      : [],
    isOver(run) ? [] : button(T.protect.cancel, 'forget', () => store.forget(run.id), 'quiet'),
  );
}

/** What changes several times a second; buttons must stay under the hand. @param {any} run */
const liveParts = run => [
  isOver(run) ? [] : progressLine(run),
  runFigures(run),
  run.history && run.history.length > (isOver(run) ? 2 : 0) ? coursePlot(run.history, run.seconds || 0) : [],
];

/** @param {any} run */
const stoppedText = run => T.protect.stopped(said((run.summary || {}).gap, percent));

/** The command line of a run, what has to be saved before it repeats it, and all of that as one file.
 * @param {any} store @param {any} run @param {string} test */
export function commandPart(store, run, test) {
  const { unsaved, exact } = run.repeat,
    over = run.state === 'done';
  const save = () => api.download(`runs/${run.id}/export?what=repeat&format=zip`, 'repeat.zip');
  return [
    h(
      'div',
      { class: 'row command' },
      h('code', { class: 'clip grow', title: run.command_line, 'data-test': 'command:' + run.id }, run.command_line),
      copyButton(() => run.command_line, T.app.copy, T.app.copied, test),
    ),
    over && !exact ? h('p', { class: 'bad', 'data-test': 'differs:' + run.id }, T.protect.mayDiffer) : [],
    unsaved.length
      ? h(
          'p',
          { class: 'row wrap', 'data-test': 'unsaved:' + run.id },
          h('span', { class: 'grow' }, T.protect.unsaved(unsaved)),
          run.command === 'argus'
            ? []
            : h(
                'button',
                { type: 'button', class: 'small', 'data-test': 'repeat:' + run.id, onclick: () => store.attempt(save) },
                T.protect.saveAll,
              ),
        )
      : [],
  ];
}

/** One run. @param {any} store @param {any} run */
function runCard(store, run) {
  const said = Object.entries(run.options)
    .filter(([k]) => k !== 'method')
    .map(([k, v]) => k + (v === true ? '' : ' ' + v))
    .join(', ');
  const verdict = run.verdict
    ? h('span', { class: 'verdict ' + run.verdict }, T.verdicts[run.verdict] || run.verdict)
    : h('span', { class: 'soft' }, T.runStates[run.state]);
  const error = run.error
    ? [run.error.where ? run.error.where + ': ' : '', told(run.error.message, run.error.code)]
    : run.state === 'failed' || run.state === 'refused'
      ? told(sentence(run.message))
      : '';
  return h(
    'article',
    {
      class: 'card run ' + run.state,
      'data-test': 'run:' + run.id,
      'data-state': run.state,
      'data-verdict': run.verdict || '',
      'aria-label': runName(run),
    },
    h(
      'div',
      { class: 'row' },
      h('h3', null, runName(run)),
      h('span', { class: 'soft grow clip', title: said }, said),
      verdict,
      isOver(run)
        ? h(
            'button',
            {
              type: 'button',
              class: 'quiet',
              'data-test': 'forget:' + run.id,
              'aria-label': T.protect.forget(run.id),
              title: T.protect.forget(run.id),
              onclick: () => store.attempt(() => store.forget(run.id)),
            },
            '×',
          )
        : [],
    ),
    h('div', { class: 'live' }, liveParts(run)),
    run.stopped ? h('p', { class: 'bad', 'data-test': 'stopped:' + run.id }, stoppedText(run)) : [],
    error ? h('p', { class: 'bad' }, error) : [],
    run.notes && run.notes.length
      ? h(
          'details',
          null,
          h('summary', null, T.protect.notes(run.notes.length)),
          run.notes.map((/** @type {string} */ n) => h('p', { class: 'soft' }, told(n))),
        )
      : [],
    commandPart(store, run, 'copy:' + run.id),
    runButtons(store, run),
  );
}

/** @param {any} store @param {() => void} onChange */
function makeMethods(store, onChange) {
  let chosen = 'suppress';
  const element = h('div', { class: 'methods', role: 'radiogroup', 'aria-label': T.protect.method });
  /** @param {any[]} methods */
  const draw = methods =>
    refill(
      element,
      methods.map(m =>
        h(
          'label',
          { class: 'method' },
          h('input', {
            type: 'radio',
            name: 'method',
            value: m.name,
            checked: m.name === chosen,
            'data-test': 'method:' + m.name,
            onchange: () => {
              chosen = m.name;
              onChange();
            },
          }),
          h(
            'span',
            null,
            h('b', null, T.methods[m.name] ? T.methods[m.name].name : m.name),
            h('span', { class: 'soft' }, T.methods[m.name] ? T.methods[m.name].text : inEnglish(m.help)),
          ),
        ),
      ),
    );
  return { element, draw, chosen: () => chosen };
}

/** @param {any} store */
export function makeProtectPlace(store) {
  const form = makeOptionsForm({ onChange: () => {}, onFail: store.fail });
  const methods = makeMethods(store, () => form.setMethod(methods.chosen()));
  const start = h('button', { type: 'submit', class: 'main', 'data-test': 'start' }, T.protect.start);
  const runs = h('div', { class: 'runs' }),
    argus = h('p', null, T.protect.argus);
  const hint = h('span', { class: 'soft' }, T.protect.compareHint);
  const compare = h('button', { type: 'button', 'data-test': 'compare-go', onclick: () => store.go('release') });
  const drawCompare = () => {
    const k = store.compared.length;
    compare.textContent = T.protect.compareGo(k);
    compare.hidden = k < 2;
    hint.hidden = k > 1 || store.runs.filter(hasRelease).length < 2;
  };
  store.on('compare', drawCompare);
  let loaded = false;
  const go = () =>
    store.attempt(async () => {
      const isArgus = store.document.kind === 'argus';
      await store.start(isArgus ? 'argus' : 'protect', isArgus ? {} : { method: methods.chosen(), ...form.chosen() });
      store.say('');
    });
  /** Only the card of the run that moved is drawn again. @param {any} [run] */
  function draw(run) {
    if (store.place !== 'protect') return;
    drawCompare();
    const old = run && runs.querySelector(`[data-test="run:${run.id}"]`);
    if (old && store.runs.length === runs.children.length) {
      const live = old.querySelector('.live');
      if (live && !isOver(run) && old.dataset.state === run.state) {
        refill(live, liveParts(run));
        return;
      }
      const focus =
          old.contains(document.activeElement) && document.activeElement
            ? document.activeElement.getAttribute('data-test')
            : null,
        open = old.querySelector('details')?.open;
      const card = runCard(store, run);
      if (open) {
        const notes = card.querySelector('details');
        if (notes) notes.open = true;
      }
      old.replaceWith(card);
      if (focus) /** @type {any} */ (card.querySelector(`[data-test="${focus}"]`))?.focus();
      return;
    }
    refill(
      runs,
      store.runs.length
        ? store.runs
            .slice()
            .reverse()
            .map((/** @type {any} */ r) => runCard(store, r))
        : h('p', { class: 'soft' }, T.protect.none),
    );
  }
  store.on('runs', draw);
  const left = h(
    'form',
    {
      class: 'side',
      onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        go();
      },
    },
    h('h1', null, T.protect.title),
    argus,
    methods.element,
    form.element,
    h('div', { class: 'sticky' }, start),
  );
  const element = h(
    'section',
    { class: 'place protect', 'data-test': 'here-protect', 'aria-label': T.places.protect },
    h(
      'div',
      { class: 'split' },
      left,
      h(
        'div',
        { class: 'wide' },
        h('div', { class: 'row' }, h('h2', null, T.protect.runs), h('span', { class: 'grow' }), hint, compare),
        runs,
      ),
    ),
  );
  async function show() {
    if (!store.document) return;
    const isArgus = store.document.kind === 'argus';
    argus.hidden = !isArgus;
    methods.element.hidden = isArgus;
    form.element.hidden = isArgus;
    draw();
    store.attempt(store.refreshRuns);
    if (loaded) return;
    loaded = true;
    const options = await store.attempt(() => api.get('options/protect'));
    if (!options) {
      loaded = false;
      return;
    }
    methods.draw(options.methods);
    form.setOptions(options.options);
    form.setMethod(methods.chosen());
  }
  return { element, show };
}
