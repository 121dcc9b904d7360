// SPDX-License-Identifier: Apache-2.0
// The checker's desk: what a folder of outputs and all that was released before tell together, and
// what is decided about each. Nothing of this place belongs to the table that is open elsewhere.
import * as api from './api.js';
import { h, plainTable, refill } from './dom.js';
import { makeDrop } from './open.js';
import { T } from './texts.js';
import { told } from './told.js';

const MOST = 60; // findings
/** @param {string} name */
const slug = name => String(name).replace(/[^\w.-]+/g, '_');

/** A question with two lines of text. @param {{ title: string, by: string, needsWhy: boolean }} how @returns {Promise<{ by: string, why: string }|null>} */
function askDecision({ title, by, needsWhy }) {
  return new Promise(done => {
    const who = h('input', { type: 'text', required: true, value: by, 'data-test': 'decide-by', autocomplete: 'off' }),
      why = h('input', { type: 'text', required: needsWhy, 'data-test': 'decide-why', autocomplete: 'off' });
    /** @type {any} */
    let answer = null;
    const dialog = h(
      'dialog',
      { class: 'ask', 'aria-label': title, 'data-test': 'check-decision' },
      h(
        'form',
        {
          method: 'dialog',
          onsubmit: () => {
            answer = { by: who.value.trim(), why: why.value.trim() };
          },
        },
        h('h2', null, title),
        h('label', { class: 'field' }, h('span', null, T.check.by), who),
        h('label', { class: 'field' }, h('span', null, needsWhy ? T.check.why : T.check.whyNot), why),
        h(
          'div',
          { class: 'row' },
          h('button', { type: 'submit', class: 'main', 'data-test': 'check-decide' }, T.check.write),
          h('button', { type: 'button', onclick: () => dialog.close() }, T.form.cancel),
        ),
      ),
    );
    dialog.onclose = () => {
      dialog.remove();
      done(answer);
    };
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** @param {any} store */
export function makeCheckPlace(store) {
  let folder = '';
  let chosen = false;
  let by = '';
  /** @type {any} */
  let answer = null;
  const where = h('p', { class: 'path', 'data-test': 'check-folder' }),
    list = h('div', { class: 'list short' }),
    result = h('div', { 'data-test': 'check-result', role: 'region', 'aria-label': T.check.result, 'aria-live': 'polite' });
  const input = (/** @type {string} */ name, /** @type {string} */ hint) =>
    h('input', { type: 'text', 'data-test': 'check-option:' + name, placeholder: hint, autocomplete: 'off', spellcheck: 'false' });
  const threshold = input('threshold', '10'),
    policy = input('policy', T.check.noPolicy),
    records = input('records', T.check.noRecords),
    zeros = h('input', { type: 'checkbox', 'data-test': 'check-option:sensitive-zeros' });
  const start = h('button', { type: 'submit', class: 'main', 'data-test': 'check-start', disabled: true }, T.check.start);

  /** @param {string} now @param {string} shown */
  function choose(now, shown) {
    folder = now;
    chosen = true;
    start.disabled = false;
    where.textContent = shown;
  }
  /** @param {string} name */
  const open = name =>
    store.attempt(async () => {
      const told = await api.get('files?folder=' + encodeURIComponent(name)),
        up = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '';
      const line = (/** @type {string} */ test, /** @type {string} */ text, /** @type {() => void} */ f) =>
        h('button', { type: 'button', class: 'line', 'data-test': test, onclick: f }, text);
      refill(
        list,
        name ? line('check-up', '↰ ' + T.open.up, () => open(up)) : [],
        told.entries.filter((/** @type {any} */ e) => e.folder).map((/** @type {any} */ e) => line('check-folder:' + e.name, e.name + '/', () => open(e.file))),
        h('p', { class: 'soft' }, T.check.files(told.entries.filter((/** @type {any} */ e) => !e.folder).length)),
      );
      if (name) choose(name, name + '/');
    });
  function options() {
    /** @type {any} */
    const out = {};
    if (threshold.value.trim()) out.threshold = threshold.value.trim();
    if (policy.value.trim()) out.policy = policy.value.trim();
    if (records.value.trim()) out.records = records.value.trim();
    if (zeros.checked) out['sensitive-zeros'] = true;
    return out;
  }
  /** @param {any} [more] options of a decision */
  const go = more =>
    store.attempt(async () => {
      if (!chosen) return;
      refill(result, h('p', { class: 'soft' }, T.check.working));
      result.dataset.state = 'running';
      try {
        answer = await api.post('checks', { folder, options: { ...options(), ...more } });
      } catch (error) {
        result.dataset.state = 'failed';
        refill(result, h('div', { class: 'card verdict-card failed' }, h('p', { class: 'big bad' }, T.check.failed), h('p', null, store.sentenceOf(error))));
        return;
      }
      store.say('');
      draw();
      result.dataset.state = 'done';
      if (more) store.say(answer.decided, true);
    });
  /** @param {any} output @param {string} what */
  const decide = (output, what) =>
    store.attempt(async () => {
      const said = await askDecision({ title: T.check.deciding[what](output.name), by, needsWhy: what === 'refuse' || output.verdict !== 'pass' });
      if (!said) return;
      ({ by } = said);
      await go({ [what]: [output.name], by: said.by, ...(said.why ? { why: said.why } : {}) });
    });
  /** @param {any} output */
  const outputRow = output => [
    h('th', { scope: 'row' }, h('bdi', null, output.name)),
    h('td', null, h('span', { class: 'badge check-' + slug(output.verdict) }, T.check.verdicts[output.verdict] || output.verdict)),
    h('td', { class: 'number' }, String(output.findings.length || '')),
    h(
      'td',
      { class: 'row' },
      output.released || !answer.store
        ? []
        : ['accept', 'refuse'].map(what =>
            h('button', { type: 'button', class: 'small', 'data-test': `check-${what}:${output.name}`, onclick: () => decide(output, what) }, T.check[what]),
          ),
    ),
  ];
  /** @param {any} finding @param {number} k */
  const findingPart = (finding, k) =>
    h(
      'article',
      { class: 'finding', 'data-test': 'check-finding:' + k },
      h('p', { class: 'row wrap' }, h('strong', null, h('bdi', null, finding.group)), h('span', { class: 'grow' }), h('span', { class: 'badge check-' + slug(finding.verdict) }, T.check.verdicts[finding.verdict] || finding.verdict)),
      h('p', null, told(finding.reason)),
      finding.sums.slice(0, 3).map((/** @type {any} */ sum) => h('p', { class: 'sum' }, h('bdi', null, sum.text))),
      finding.guesses.map((/** @type {string} */ guess) => h('p', { class: 'soft' }, T.check.guess(guess))),
      finding.outputs.length > 1 ? h('p', { class: 'soft' }, finding.outputs.join(', ')) : [],
    );
  function draw() {
    if (!answer) {
      refill(result, h('div', { class: 'soft' }, h('h2', null, T.infer.nothingTitle), T.check.nothing.map((/** @type {string} */ t) => h('p', null, t))));
      return;
    }
    const { fail, review, pass } = answer;
    refill(
      result,
      h(
        'div',
        { class: 'card verdict-card ' + (answer.passes ? 'protected' : fail ? 'exposed' : 'waived'), 'data-test': 'check-verdict' },
        h('p', { class: 'big' }, T.check.headline(fail, review, pass)),
        h('p', { class: 'soft' }, T.check.small(answer.threshold, answer.threshold_from)),
        answer.hold_back.length ? h('p', null, T.check.holdBack(answer.hold_back.join(', '))) : [],
      ),
      h('h2', null, T.check.outputs),
      h('div', { class: 'scroll', 'data-test': 'check-outputs' }, plainTable(T.check.heads.map((/** @type {string} */ t) => h('th', null, t)), answer.outputs.map(outputRow))),
      answer.store ? h('p', { class: 'soft' }, T.check.log(answer.store)) : h('p', { class: 'soft' }, T.check.noLog),
      answer.findings.length ? [h('h2', null, T.check.findings), answer.findings.slice(0, MOST).map(findingPart)] : [],
      answer.findings.length > MOST ? h('p', { class: 'soft' }, T.pane.more(answer.findings.length - MOST)) : [],
      answer.notes.length ? h('details', null, h('summary', null, T.protect.notes(answer.notes.length)), answer.notes.map((/** @type {string} */ n) => h('p', { class: 'soft' }, told(n)))) : [],
      h('p', null, h('button', { type: 'button', 'data-test': 'check-page', onclick: () => store.attempt(page) }, T.check.page)),
    );
  }
  // The page for checker and researcher, as the command writes it.
  const page = () => api.downloadPosted('checks', { folder, options: options(), form: 'page' }, (folder || 'check').replace(/^.*[:/]/, '') + '-check.html');

  const drop = makeDrop({
    test: 'check-drop',
    input: 'check-pick',
    multiple: true,
    title: T.check.drop,
    text: T.check.dropText,
    onFiles: files =>
      store.attempt(async () => {
        const names = await api.upload(files);
        choose(names[0].replace(/\/.*$/, ''), files.map(f => f.name).join(', '));
        await go();
      }),
  });
  const option = (/** @type {string} */ name, /** @type {any} */ control) =>
    h('div', { class: 'option' + (control.type === 'checkbox' ? ' flag' : '') }, h('label', { class: 'row' }, h('span', { class: 'name' }, T.check.options[name].name), control), h('p', { class: 'soft' }, T.check.options[name].text));
  const element = h(
    'section',
    { class: 'place protect infer', 'data-test': 'here-check', 'aria-label': T.places.check },
    h(
      'div',
      { class: 'split' },
      h(
        'form',
        {
          class: 'side',
          onsubmit: (/** @type {Event} */ e) => {
            e.preventDefault();
            go();
          },
        },
        h('h1', null, T.check.title),
        h('p', { class: 'soft' }, T.check.intro),
        h('h2', null, T.check.folderTitle),
        list,
        where,
        drop,
        h('div', { class: 'options' }, option('threshold', threshold), option('policy', policy), option('records', records), option('sensitive-zeros', zeros)),
        h('div', { class: 'sticky' }, start),
      ),
      h('div', { class: 'wide' }, result),
    ),
  );
  let asked = false;
  return {
    element,
    show: () => {
      if (asked || !store.about) return;
      asked = true;
      draw();
      open('');
    },
  };
}
