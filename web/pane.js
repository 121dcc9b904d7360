// SPDX-License-Identifier: Apache-2.0
// All there is to say of the chosen cell: value, contributors and shares, rule, levels, what each
// attacker can infer against what must stay open, its equations, why it was withheld.
import * as api from './api.js';
import { intervalBar } from './bar.js';
import { term } from './glossary.js';
import { h, refill } from './dom.js';
import { periodsOf } from './periods.js';
import { inPercent } from './protect.js';
import { grouped } from './shared/data.js';
import { T } from './texts.js';
import { inEnglish, told, toldList, toldWord } from './told.js';

/** @param {any} name @param {any} value @param {string} [test] */
const fact = (name, value, test) =>
  value === null || value === undefined || value === ''
    ? []
    : h(
        'div',
        null,
        h('dt', null, name),
        h(
          'dd',
          { 'data-test': test },
          typeof value === 'string' || typeof value === 'number' ? grouped(String(value)) : value,
        ),
      );

/** @param {any} cell @param {any} view */
function head(cell, view) {
  const names = view.data.dims.map((/** @type {any} */ d) => d.name);
  return [
    h('h2', { class: 'cell-name', 'data-test': 'cell-label' }, view.data.label(cell.cell)),
    h(
      'p',
      { class: 'soft codes' },
      cell.codes && cell.codes.length
        ? cell.codes
            .map((/** @type {string} */ code, /** @type {number} */ k) => (names[k] || '') + ' = ' + code)
            .join(', ')
        : T.pane.cell(cell.cell),
    ),
    h(
      'p',
      { class: 'cell-value' },
      h('strong', { 'data-test': 'cell-value' }, grouped(String(cell.value))),
      h('span', { class: 'badge st-' + cell.status }, T.statuses[cell.status] || cell.status),
      cell.state ? h('span', { class: 'badge state-' + cell.state }, T.states[cell.state] || cell.state) : [],
    ),
  ];
}

/** What is published beside the cell: derived numbers, and what was published of it before.
 * @param {any} cell @param {any} view @param {any} periods */
function besideFacts(cell, view, periods) {
  const row = periods && periods.of.get(cell.cell);
  return [
    view.data.columns.map((/** @type {any} */ column) => fact(column.name, column.text[cell.cell], 'beside:' + column.name)),
    row ? periods.periods.slice(0, -1).map((/** @type {string} */ name, /** @type {number} */ k) => fact(name, row.texts[k])) : [],
    row && row.note ? fact(T.periods.note, inEnglish(row.note)) : [],
  ];
}

/** @param {any} cell @param {any} view @param {any} periods */
function facts(cell, view, periods) {
  const said = (/** @type {any} */ end) => (end === null || end === undefined ? '' : grouped(String(end))),
    bounds = T.pane.between(said(cell.lower), said(cell.upper));
  return h(
    'dl',
    { class: 'facts' },
    besideFacts(cell, view, periods),
    fact(T.pane.published, cell.state && cell.state !== 'exact' ? cell.published || '×' : ''),
    fact(T.pane.why, cell.reason && toldList(cell.reason)),
    fact(T.pane.contributors, cell.contributors || cell.frequency),
    cell.records !== (cell.contributors || cell.frequency) ? fact(T.pane.records, cell.records) : [],
    fact(term('cost', T.pane.cost), cell.weight),
    fact(term('bounds', T.pane.known), bounds),
  );
}

/** Contributors without names: their shares, the largest first. @param {number[]} shares */
function sharesPart(shares) {
  const rest = Math.max(0, 100 - shares.reduce((a, b) => a + Number(b), 0));
  const bar = (/** @type {number} */ share) => {
    const i = h('i');
    i.style.width = Math.min(100, Number(share)) + '%';
    return h('span', { class: 'share' }, i);
  };
  const line = (/** @type {string} */ name, /** @type {number} */ share) =>
    h(
      'tr',
      null,
      h('th', { scope: 'row' }, name),
      h('td', null, bar(share)),
      h('td', { class: 'number' }, inPercent(Number(share) / 100, 1)),
    );
  return [
    h('h3', null, T.pane.shares),
    h(
      'table',
      { class: 'plain' },
      h(
        'tbody',
        null,
        shares.map((share, k) => line(T.pane.largest(k + 1), share)),
        rest > 0.05 ? line(T.pane.others, rest) : [],
      ),
    ),
  ];
}

/** @param {any[]} levels */
function levelsPart(levels) {
  const shown = levels.slice(0, 8);
  return [
    h('h3', null, term('level', T.pane.levels)),
    h(
      'table',
      { class: 'plain' },
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          T.pane.levelHeads.map((/** @type {string} */ t, /** @type {number} */ k) =>
            h('th', { class: k ? 'number' : '' }, k ? t : term('attacker', t)),
          ),
        ),
      ),
      h(
        'tbody',
        null,
        shown.map(l =>
          h(
            'tr',
            null,
            h('th', { scope: 'row' }, toldWord(l.attacker)),
            [l.lower, l.upper, l.sliding].map(x => h('td', { class: 'number' }, grouped(String(x)))),
          ),
        ),
      ),
    ),
    levels.length > shown.length ? h('p', { class: 'soft' }, T.pane.more(levels.length - shown.length)) : [],
  ];
}

/** Of a count: which values are possible. @param {any} f */
function countFinding(f) {
  return h(
    'div',
    { class: 'finding' },
    h(
      'p',
      { class: 'row' },
      h('strong', null, toldWord(f.attacker)),
      h('span', { class: 'soft' }, f.kind),
      h('span', { class: 'grow' }),
      h('span', { class: 'verdict ' + f.verdict }, T.verdicts[f.verdict]),
    ),
    f.values && f.values.length ? h('p', { class: 'soft' }, T.pane.possible(f.values)) : [],
    f.reason ? h('p', null, told(f.reason)) : [],
  );
}

/** @param {any} f @param {string} value @param {boolean} adjusted */
function findingPart(f, value, adjusted) {
  if (f.low === undefined) return countFinding(f);
  return h(
    'div',
    { class: 'finding' },
    h(
      'p',
      { class: 'row' },
      h('strong', null, toldWord(f.attacker)),
      h('span', { class: 'grow' }),
      f.verdict ? h('span', { class: 'verdict ' + f.verdict }, T.verdicts[f.verdict]) : [],
    ),
    adjusted ? [] : intervalBar(f, value),
    h(
      'p',
      { class: 'soft' },
      adjusted
        ? T.pane.outside(grouped(String(f.need_low)), grouped(String(f.need_high)))
        : T.pane.infer(grouped(String(f.low)), grouped(String(f.high)), f.exact) +
            (f.need_low !== null && f.need_low !== undefined
              ? T.pane.need(
                  grouped(String(f.need_low)),
                  grouped(String(f.need_high)),
                  f.width && f.width !== '0' ? grouped(String(f.width)) : '',
                )
              : ''),
    ),
    f.reason ? h('p', null, told(f.reason)) : [],
    f.steps && f.steps.length
      ? h(
          'ol',
          { class: 'steps' },
          f.steps.map((/** @type {string} */ step) => h('li', null, grouped(step))),
        )
      : [],
  );
}

/** @param {any} cell @param {(c: number) => void} go */
function equationsPart(cell, go) {
  const term = (/** @type {any} */ t, /** @type {number} */ k, sign = 1) => [
    h(
      'span',
      { class: 'op' },
      sign * Number(t.coefficient) < 0 ? '− ' : k ? '+ ' : '',
      Math.abs(Number(t.coefficient)) === 1 ? '' : Math.abs(Number(t.coefficient)) + ' × ',
    ),
    t.cell === cell.cell
      ? h('b', null, t.label)
      : h('button', { type: 'button', class: 'link', 'data-test': 'go:' + t.cell, onclick: () => go(t.cell) }, t.label),
    h('span', { class: 'soft' }, ' ' + grouped(String(t.text)) + ' '),
  ];
  return [
    h('h3', null, T.pane.equations(cell.equations.length)),
    cell.equations.slice(0, 12).map((/** @type {any} */ e) => {
      const most = 14,
        terms = e.terms || [],
        heads = terms.filter((/** @type {any} */ t) => Number(t.coefficient) < 0);
      const total = heads.length === 1 && Number(heads[0].coefficient) === -1 && terms.length > 1 ? heads[0] : null,
        parts = terms.filter((/** @type {any} */ t) => t !== total);
      return h(
        'p',
        { class: 'equation', 'data-test': 'equation', title: e.text },
        total ? [term(total, 0, -1), '= '] : [],
        parts.slice(0, most).map((/** @type {any} */ t, /** @type {number} */ k) => term(t, k)),
        parts.length > most ? T.pane.more(parts.length - most) : [],
        total ? '' : ' = 0',
      );
    }),
    cell.equations.length > 12 ? h('p', { class: 'soft' }, T.pane.more(cell.equations.length - 12)) : [],
  ];
}

/** @param {any} cell @param {(c: number) => void} go */
function neededPart(cell, go) {
  return h(
    'div',
    { 'data-test': 'needed-by' },
    h('h3', null, cell.status === 'sensitive' ? T.pane.alsoProtects : T.pane.neededBy),
    h(
      'ul',
      { class: 'bare' },
      cell.needed_by.map((/** @type {any} */ n) =>
        h(
          'li',
          null,
          h(
            'button',
            { type: 'button', class: 'link', 'data-test': 'go:' + n.cell, onclick: () => go(n.cell) },
            n.label,
          ),
        ),
      ),
    ),
  );
}

/** The exchange as decisions: this cell must be published, those in its place are withheld, and the table is
 * protected anew, with the options of the run. @param {any} cell @param {any} exchange @param {any} store */
function swapButton(cell, exchange, store) {
  const others = (exchange.withheld || []).map((/** @type {any} */ place) => place.cell);
  const go = () =>
    store.attempt(async () => {
      const run = store.run,
        codes = store.codesOf(cell.cell),
        others_codes = others.map(store.codesOf);
      const named = (/** @type {any[]} */ list) => (store.view.data.nd > 0 ? { codes: list } : { cells: list });
      const bodies = [{ ...named([codes]), status: 'protected', reason: T.pane.swapReason }];
      if (others_codes.length) bodies.push({ ...named(others_codes), status: 'secondary', reason: T.pane.swapReason });
      for (const body of bodies) await store.change('changes', body);
      await store.start('protect', run.options);
      store.go('protect');
    });
  return [
    h('button', { type: 'button', 'data-test': 'swap', onclick: go }, T.pane.swap(others.length)),
    h('span', { class: 'soft' }, T.pane.swapText),
  ];
}

/** Asked for by hand, since it attacks the table again. @param {any} cell @param {any} store */
function explanationPart(cell, store) {
  const answer = h('pre', { class: 'explained', lang: 'en', 'data-test': 'explanation', 'aria-live': 'polite' }),
    swap = h('div', { class: 'row wrap' });
  const ask = async () => {
    refill(swap);
    answer.textContent = T.pane.explaining;
    const path = `runs/${store.run.id}/cells/${cell.cell}/explanation${tableOf(store)}`,
      told = await store.attempt(() => api.get(path));
    answer.textContent = told ? told.text : '';
    if (told && told.exchange && ['found', 'not needed'].includes(told.exchange.state)) refill(swap, swapButton(cell, told.exchange, store));
  };
  return h(
    'div',
    null,
    h('button', { type: 'button', 'data-test': 'explain', onclick: ask }, T.pane.explain),
    answer,
    swap,
  );
}

/** @param {any} store */
const tableOf = store =>
  store.run && store.run.tables && store.run.tables.length ? '?table=' + store.argusTable : '';

/** @param {{ store: any, go: (cell: number) => void }} how */
export function makePane({ store, go }) {
  const element = h('div', {
    class: 'pane-body',
    'data-test': 'pane-cell',
    role: 'tabpanel',
    'aria-label': T.pane.title,
  });
  let asked = 0;
  /** @param {any} cell @param {any} periods */
  function draw(cell, periods) {
    const adjusted = store.view && store.view.data.raw.adjusted,
      findings =
        cell.findings && cell.findings.length
          ? cell.findings
          : cell.range
            ? [{ ...cell.range, attacker: T.pane.outsider, verdict: null, need_low: null }]
            : [];
    refill(
      element,
      head(cell, store.view),
      facts(cell, store.view, periods),
      findings.length
        ? [
            h('h3', null, term('interval', T.pane.findings)),
            findings.slice(0, 12).map((/** @type {any} */ f) => findingPart(f, String(cell.value), adjusted)),
            findings.length > 12 ? h('p', { class: 'soft' }, T.pane.more(findings.length - 12)) : [],
          ]
        : [],
      store.run && cell.state && cell.state !== 'exact' ? explanationPart(cell, store) : [],
      cell.needed_by && cell.needed_by.length ? neededPart(cell, go) : [],
      cell.levels && cell.levels.length ? levelsPart(cell.levels) : [],
      cell.shares && cell.shares.length ? sharesPart(cell.shares) : [],
      cell.equations && cell.equations.length ? equationsPart(cell, go) : [],
    );
    element.dataset.cell = String(cell.cell);
  }
  async function show() {
    const mine = ++asked;
    if (store.cell < 0 || !store.document) {
      refill(element, h('p', { class: 'soft' }, T.pane.none));
      return;
    }
    const from = store.run ? `runs/${store.run.id}` : `documents/${store.document.id}`;
    const cell = await store.attempt(() => api.get(`${from}/cells/${store.cell}${tableOf(store)}`));
    const periods = cell && (await periodsOf(store).catch(() => null)); // the pane is shown without them
    if (mine === asked && cell && store.view) draw(cell, periods);
  }
  return { element, show };
}
