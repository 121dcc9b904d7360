// SPDX-License-Identifier: Apache-2.0
// The page of `lacuna serve`: a bar with seven places, the place that is looked at, a line of state.
//
// Hooks for tests (data-test="…"); they stay what they are:
//   everywhere   place-open place-rules place-table place-protect place-release place-infer (tabs), here-open …
//                here-release (the places), document (select), run (select: '' is the table itself), help,
//                new-window, help-dialog, message, message-close, status
//   open         drop, files (input), folder-up, file:NAME (entries), example:NAME, card:NAME, document:ID, close:ID, opening
//   rules        job (textarea), check, apply, revert, job-error, job-outcome, role:COLUMN, dimension:NAME,
//                tree:NAME, edit-tree:NAME, tree-text:NAME, tree-done:NAME, rule:K, rule-type:K, rule-remove:K,
//                add-rule, section:NAME, field:SECTION.KEY (field:rule.K.KEY, field:dimension.NAME.KEY), save-job,
//                understood
//   table        axes, grid, published, find, filter (select), found (list), hit:CELL, previous, next, legend,
//                argus-table, pane, tab-cell, tab-decide, pane-cell (data-cell), pane-decide, cell-label, cell-value,
//                interval (svg), equation, needed-by, go:CELL
//   decide       decide-status, decide-cost, decide-lower, decide-upper, decide-sliding, decide-lower-bound,
//                decide-upper-bound, decide-reason, decide-apply, decide-error, collapse-dimension, collapse-code, collapse, undo,
//                redo, changes, apriori, apriori-text
//                decide-level, apriori-read, apriori-file; closing, closing-yes, closing-no (a dialog of Open)
//   protect      method:NAME, option:NAME, option-file:NAME, advanced, start, run:ID (data-state, data-verdict),
//                stop:ID, forget:ID, show:ID, release:ID, compare:ID, compare-go, copy:ID, plot, command:ID,
//                stopped:ID, differs:ID, unsaved:ID, repeat:ID
//   infer        infer-drop, infer-pick (input), infer-files, infer-remove:K, infer-folder, infer-file:NAME,
//                infer-option:NAME, infer-reading, infer-start, infer-cancel, infer-result (data-state), infer-error,
//                infer-verdict (data-word), infer-understood, infer-contradicted, infer-cells, infer-cell
//                (data-narrowness), infer-more, infer-export:NAME
//   release      release-run, verdict, facts, exposed, exposed:CELL, steps, audit-file, audit-drop, audit-bare,
//                compare-pick:ID, compare-table, differing, differing-show, export-what:NAME, export-format,
//                export-download, export-file, export-save, export-done, command, copy-command,
//                ask-rules, ask-cells, lifted, publish-unasked
// document.body.dataset.ready: 'true' once the session stands; #grid's dataset.cells: cells that are shown.
import { ApiError, get, startSession } from './api.js';
import { h } from './dom.js';
import { makeHistory } from './history.js';
import { makeKeys } from './keys.js';
import { makeStore, PLACES } from './store.js';
import { makeTop, makeStatus, makeMessage } from './shell.js';
import { makeOpenPlace } from './open.js';
import { makeRulesPlace } from './form.js';
import { makeTablePlace } from './table_view.js';
import { makeProtectPlace } from './protect.js';
import { makeReleasePlace } from './release.js';
import { makeInferPlace } from './infer.js';
import { makeCheckPlace } from './check.js';
import { makeTour } from './tour.js';
import { T } from './texts.js';
import { told, translated } from './told.js';

const store = makeStore();
const message = makeMessage();
/** The place and what is wrong. @param {any} error */
const sentenceOf = error => (error.where ? error.where + ': ' : '') + (translated(error.message) || error.message || String(error));
/** Errors of the server, and of the page itself, become one sentence. @param {any} error */
store.fail = error => {
  if (error instanceof ApiError && error.status === 401) message.show(T.app.sessionOver);
  else if (error instanceof TypeError && /fetch|network/i.test(error.message)) message.show(T.app.noServer);
  else message.show([error.where ? error.where + ': ' : '', told(error.message || String(error), error.code)]);
};
store.on('error', store.fail);
/** Runs something that may fail. @param {() => Promise<any>} f @returns {Promise<any>} */
store.attempt = async f => {
  try {
    return await f();
  } catch (error) {
    store.fail(error);
    return undefined;
  }
};
store.say = message.show;
makeHistory(store);
store.sentenceOf = sentenceOf;

const makers = {
  open: makeOpenPlace,
  rules: makeRulesPlace,
  table: makeTablePlace,
  protect: makeProtectPlace,
  release: makeReleasePlace,
  infer: makeInferPlace,
  check: makeCheckPlace,
};
/** @type {Record<string, { element: HTMLElement, show: () => void }>} */
const places = {};
for (const name of PLACES) places[name] = /** @type {any} */ (makers)[name](store);

function showPlace() {
  for (const name of PLACES) places[name].element.hidden = name !== store.place;
  places[store.place].show();
  document.title = (store.document ? store.document.name + ' · ' : '') + T.app.name;
}

const main = h(
  'main',
  { id: 'main', tabIndex: -1 },
  PLACES.map(name => places[name].element),
);
const app = document.getElementById('app');
if (app) app.replaceChildren(makeTop(store), message.element, main, makeStatus(store), makeTour(store));
makeKeys(store);
store.on('place', showPlace);
store.on('document', showPlace);
window.addEventListener('popstate', () => store.attempt(store.fromAddress));

const first = !location.hash.startsWith('#/');
store.attempt(async () => {
  await startSession();
  store.about = await get('about');
  await store.loadDocuments();
  await store.fromAddress();
  if (first && store.documents.length === 1) {
    // the file that the program was started with
    await store.use(store.documents[0].id);
    store.go('table');
  }
  document.body.dataset.ready = 'true';
});
