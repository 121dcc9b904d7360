// SPDX-License-Identifier: Apache-2.0
// Every text that the page shows. Another language is another file like this one; the few words of
// the components that reports share are in shared/words.js. Functions get numbers already written.

/** @param {number} n @param {string} one @param {string} many */
const plural = (n, one, many) => n === 1 ? one : many;

/** @type {any} */
export const T = {
  places: { open: 'Open', rules: 'Rules', table: 'Table', protect: 'Protect', release: 'Release' },
  app: {
    name: 'Lacuna', places: 'places', skip: 'Skip to the content', document: 'document', shown: 'what is shown', noDocument: 'no document', input: 'the table itself',
    run: (/** @type {number} */ id, /** @type {string} */ method) => `run ${id} · ${method}`, copy: 'Copy', copied: 'Copied', dismiss: 'dismiss',
    tabTitle: (/** @type {string} */ name, /** @type {number} */ key) => `${name} (Alt+${key})`,
    version: (/** @type {any} */ about) => about ? `lacuna ${about.version}` : '',
    status: (/** @type {any} */ d, /** @type {any} */ n) => d.cells === undefined ? [d.name] : [`${n(d.cells)} ${plural(d.cells, 'cell', 'cells')}`, `${n(d.equations)} ${plural(d.equations, 'sum', 'sums')}`, `${n(d.sensitive)} sensitive`,
      `${n(d.attackers)} ${plural(d.attackers, 'attacker', 'attackers')}`, ...(d.changes.length ? [`${n(d.changes.length)} by hand`] : [])],
    running: (/** @type {number} */ k) => `${k} ${plural(k, 'run', 'runs')} under way`,
    yesNo: (/** @type {boolean} */ x) => x ? 'yes' : 'no',
    sessionOver: 'The session is over or the link was not complete. Start the program again, or use the link that it printed.',
    noServer: 'The program does not answer. It may have ended; start it again.',
  },
  kinds: { table: 'table', job: 'job', argus: 'τ-ARGUS job', problem: 'problem', records: 'records', other: '' },
  open: {
    title: 'Open a table', intro: 'Everything stays on this machine: files go to the program that shows this page, and nowhere else.',
    drop: 'Drop files here', dropText: 'a table (CSV, Parquet, JJ, JSON), a job with its files, or a τ-ARGUS batch job with its files', pick: 'Choose files…',
    examples: 'Examples', titles: { 'sales.toml': 'turnover by product and region, a table with levels', 'business.toml': 'turnover of firms by activity and region, from records', 'linked.toml': 'three linked tables over the same records', 'people.toml': 'persons by age, sex, education and work, counted', 'sales.jj': 'cells and sums alone, as JJ' }, documents: 'Open now', folder: 'Files of the folder', up: 'up', empty: 'Nothing in this folder.', nothing: 'Nothing yet.',
    reading: (/** @type {string} */ file) => `Reading ${file} …`, sending: (/** @type {number} */ k) => `Taking over ${k} ${plural(k, 'file', 'files')} …`,
    close: (/** @type {string} */ name) => `close ${name}`,
    summary: (/** @type {any} */ d, /** @type {any} */ n) => d.kind === 'argus' ? 'τ-ARGUS job' : `${n(d.cells)} cells, ${n(d.sensitive)} sensitive`,
  },
  rules: {
    text: 'The job', apply: 'Take over', check: 'Check', revert: 'Revert', save: 'Save as file', noJob: 'This file states its cells, sums and levels itself; there is nothing to be understood. Decide about cells in the table.',
    unreadable: (/** @type {string} */ why) => `The text cannot be read (${why}). Correct it on the right.`,
    understood: (/** @type {any} */ d, /** @type {any} */ n) => `Understood: ${n(d.cells)} cells in ${n(d.equations)} sums, ${n(d.sensitive)} of them sensitive, ${n(d.requirements)} requirements against ${n(d.attackers)} ${plural(d.attackers, 'attacker', 'attackers')}.`,
    would: (/** @type {any} */ p, /** @type {any} */ d, /** @type {any} */ n) => `${n(p.cells)} cells in ${n(p.equations)} sums; ${n(p.sensitive)} sensitive${d && d.sensitive !== p.sensitive ? ` (now ${n(d.sensitive)})` : ''}, ${n(p.requirements)} requirements against ${n(p.attackers)} ${plural(p.attackers, 'attacker', 'attackers')}.`,
    taken: (/** @type {any} */ d, /** @type {any} */ n) => `The job was taken over: ${n(d.cells)} cells, ${n(d.sensitive)} sensitive.`,
  },
  form: {
    columns: 'Columns', dimensions: 'Dimensions', rules: 'Rules', column: 'column', values: 'first values', role: 'role', roleOf: (/** @type {string} */ name) => `role of ${name}`,
    noColumns: 'The columns of the file are not known.', noRules: 'No rule: only the status in the file makes a cell sensitive.', addRule: 'Add a rule …',
    rule: (/** @type {number} */ k) => `kind of rule ${k}`, removeRule: (/** @type {number} */ k) => `remove rule ${k}`,
    unset: 'not said', yes: 'yes', no: 'no', total: 'total', digits: 'digits per level', cancel: 'Cancel',
    sources: { hierarchy: 'hierarchy file', parents: 'file of parents', correspondence: 'correspondence file', digits: 'by digits of the code', columns: 'a column per level', tree: 'tree in the job', flat: 'no levels' },
    tables: 'Linked tables', codes: (/** @type {number} */ k) => `, ${k} ${plural(k, 'code', 'codes')}`, editTree: 'Edit as text', treeDone: 'Use this tree', treeOf: (/** @type {string} */ name) => `tree of ${name}`,
    treeHelp: 'One code per line, below its parent by two blanks; the first is the total.', twoTotals: (/** @type {number} */ line) => `Line ${line}: only the first line may stand at the left; it is the total.`,
    noTree: 'The tree is shown once the job can be read.', moreCodes: 'Further codes are not listed here; the table has them all.',
  },
  roles: { '': 'not used', dimension: 'dimension', value: 'value', frequency: 'contributors (count)', status: 'status', weight: 'cost', lower: 'lower bound', upper: 'upper bound', lower_level: 'lower level', upper_level: 'upper level', sliding_level: 'sliding level', largest: 'largest contribution', respondent: 'respondent', holding: 'holding', request: 'request', waiver: 'waiver' },
  rulesOf: {
    frequency: { name: 'minimum frequency', text: 'fewer than n contributors' },
    dominance: { name: '(n,k) dominance', text: 'the n largest hold more than k percent' },
    'p-percent': { name: 'p percent', text: 'the second largest could know the largest to within p percent' },
    'prior-posterior': { name: '(p,q) prior-posterior', text: 'knowing others to within q percent, one could be known to within p' },
    request: { name: 'request', text: 'someone who asked for protection holds a large share' },
    zeros: { name: 'zeros', text: 'a zero to which someone contributed' },
  },
  ruleKeys: { n: 'n', k: 'k', p: 'p', q: 'q', counts: 'counted are', range: 'level, % of value', coalition: 'in coalition', percent: 'share, %', minimum: 'least contributors', level: 'level' },
  sections: {
    levels: { name: 'Levels', text: 'how much must stay open' }, attackers: { name: 'Attackers', text: 'who is thought of' }, weights: { name: 'Weights', text: 'what withholding a cell costs' },
    bounds: { name: 'Bounds', text: 'what everyone knows anyway' }, defaults: { name: 'Defaults', text: 'where a row says nothing' }, input: { name: 'Reading', text: 'how the file is written' },
  },
  keysOf: { respondents: 'contributors attack', singletons_know: 'a sole one knows it', waivers: 'waivers count', formula: 'formula', misfit: 'level beyond bounds', frequency_range: 'frequency, %', request_range: 'request, %', manual_range: 'by hand, %', sliding_only: 'sliding only', sliding_percent: 'sliding, %' },
  table: {
    grid: 'table', find: 'Find codes or a value', filter: 'kind of cells', found: 'found cells', previous: 'previous found cell (N)', next: 'next found cell (n)', published: 'as published',
    count: (/** @type {string} */ n) => `${n} ${n === '1' ? 'cell' : 'cells'}`, wide: (/** @type {string} */ w) => w + ' wide', loading: 'Fetching the table …', argusTable: 'table of the job', notReleased: 'not released', argusFirst: 'A τ-ARGUS job says itself what it does; run it under Protect, then its tables are here.',
  },
  filters: { sensitive: 'Sensitive cells', withheld: 'Withheld cells', changed: 'Not published as they are', widest: 'Widest intervals first', exposed: 'Exposed or undecided', differing: 'Differing between runs', published: 'Must be published', all: 'All cells' },
  legend: [
    { status: 'p', sign: '●', classes: 'p', text: 'sensitive' }, { state: 'w', sign: '×', classes: 'w', text: 'withheld' }, { state: 'i', sign: '[ ]', classes: 'i', text: 'interval' },
    { state: 'r', sign: '≈', classes: 'r', text: 'rounded' }, { state: 'a', sign: '~', classes: 'a', text: 'altered' }, { status: 'z', sign: '✓', classes: 's-z', text: 'must be published' },
    { status: 'k', sign: '=', classes: 's-k', text: 'known to everyone' }, { status: 'w', sign: '⊘', classes: 's-w', text: 'withheld already' }, { bad: true, sign: '!', classes: 'exposed', text: 'exposed' },
  ],
  statuses: { free: 'not sensitive', sensitive: 'sensitive', withheld: 'withheld already', published: 'must be published', known: 'known to everyone' },
  states: { exact: 'published as it is', withheld: 'withheld', interval: 'interval', rounded: 'rounded', altered: 'altered', adjusted: 'altered' },
  verdicts: { protected: 'protected', exposed: 'exposed', undecided: 'undecided' },
  verdictTitles: { protected: 'Protected: safe to publish', exposed: 'Exposed: not safe', undecided: 'Undecided: not proven' },
  verdictTexts: { protected: 'Every requirement was confirmed in exact arithmetic.', exposed: 'A reader can compute more than is allowed of at least one cell.', undecided: 'Not every requirement could be confirmed; without a proof nothing is called safe.' },
  pane: {
    title: 'the chosen cell', tabs: { cell: 'Cell', decide: 'Decide' }, none: 'Choose a cell: click it, or move with the arrow keys.', cell: (/** @type {number} */ c) => `cell ${c}`,
    published: 'published', why: 'because', contributors: 'contributors', records: 'records', cost: 'cost of withholding', known: 'known to everyone', between: (/** @type {string} */ a, /** @type {string} */ b) => a && b ? `${a} to ${b}` : a ? `at least ${a}` : b ? `at most ${b}` : 'nothing',
    shares: 'Contributors, by share', largest: (/** @type {number} */ k) => ['largest', '2nd', '3rd'][k - 1] || k + 'th', others: 'all others', levels: 'Levels', levelHeads: ['attacker', 'below', 'above', 'sliding'],
    outsider: 'outsider', findings: 'What readers can infer', infer: (/** @type {string} */ a, /** @type {string} */ b, /** @type {boolean} */ exact) => `can infer [${a}, ${b}]${exact ? '' : ' or more'}`,
    need: (/** @type {string} */ a, /** @type {string} */ b, /** @type {string} */ w) => `, must leave open [${a}, ${b}]${w ? `, ${w} wide` : ''}`, outside: (/** @type {string} */ a, /** @type {string} */ b) => `must be shown outside (${a}, ${b})`,
    possible: (/** @type {string[]} */ values) => `possible: ${values.join(', ')}`,
    barLabel: (/** @type {any} */ f, /** @type {string} */ value) => `${f.attacker} can infer ${f.low} to ${f.high}` + (f.need_low !== null && f.need_low !== undefined ? `, must leave open ${f.need_low} to ${f.need_high}` : '') + `; the value is ${value}`,
    equations: (/** @type {number} */ k) => k === 1 ? 'Its sum' : `Its ${k} sums`, neededBy: 'Withheld so that these stay protected', alsoProtects: 'It also protects', more: (/** @type {number} */ k) => `and ${k} more`,
  },
  decide: {
    title: 'Decide by hand', status: 'status', keep: 'as it is', statuses: { safe: 'safe: not sensitive', unsafe: 'unsafe: sensitive', protected: 'protected: must be published', secondary: 'secondary: withhold' }, apply: 'Apply to the marked cells', reason: 'reason',
    fields: { cost: 'cost', lower: 'level below', upper: 'level above', sliding: 'sliding level', lower_bound: 'lower bound', upper_bound: 'upper bound' },
    marked: (/** @type {number} */ k) => k ? `${k} ${plural(k, 'cell is', 'cells are')} marked. Ctrl or Shift and click mark more.` : 'No cell is marked.', nothing: 'Say what is to change: a status, a cost, a level or a bound.',
    collapseTitle: 'Publish only down to a code', collapseText: 'What stands below the code is no longer part of the table.', dimension: 'dimension', code: 'code', collapse: 'Collapse',
    changes: 'Decided so far', none: 'Nothing yet.', undo: 'Undo', redo: 'Redo', save: 'Save as a-priori file', onInput: 'Decisions change the table as it came; runs made before stay what they are.',
  },
  methods: {
    suppress: { name: 'Withhold cells', text: 'The cheapest set of cells that hides the sensitive ones.' },
    interval: { name: 'Publish intervals', text: 'Ranges, as narrow as the levels allow.' },
    combined: { name: 'Few narrow intervals', text: 'As few ranges as possible, and narrow.' },
    round: { name: 'Round', text: 'Multiples of a base that still add up.' },
    perturb: { name: 'Perturb', text: 'Numbers within stated ranges that still add up.' },
    adjust: { name: 'Adjust', text: 'Sensitive cells move away, others hardly.' },
    mixed: { name: 'A method per group', text: 'Sensitive cells, totals and others, each in its own way.' },
    'small-counts': { name: 'Round small counts', text: 'Counts below a base become 0 or the base.' },
    cellkey: { name: 'Cell keys', text: 'Noise that is the same wherever a number is shown.' },
  },
  options: { file: 'File …', default: (/** @type {any} */ d) => d === null || d === undefined || d === '' ? 'default' : `default: ${d}`, advanced: (/** @type {number} */ k) => `${k} more options` },
  protect: {
    title: 'Protect', method: 'method', start: 'Start', runs: 'Runs', none: 'No run yet. Choose a method and start it; several may run side by side.', stop: 'Stop with the best so far', cancel: 'Cancel', forget: (/** @type {number} */ id) => `forget run ${id}`, show: 'Show in the table', toRelease: 'Release …', compare: 'compare',
    compareGo: (/** @type {number} */ k) => `Compare ${k} runs`, compareHint: 'Tick two or more runs to compare them.', progress: 'progress', left: (/** @type {string} */ t) => `about ${t} left`, notes: (/** @type {number} */ k) => `${k} ${plural(k, 'note', 'notes')}`, argus: 'A batch job of τ-ARGUS says itself what is to be done; it is run and every result audited.',
  },
  runStates: { queued: 'waiting', running: 'running', stopping: 'stopping', done: 'done', refused: 'refused: no safe release', failed: 'failed', cancelled: 'cancelled' },
  figures: { cost: 'cost', bound: 'proven bound', gap: 'gap', time: 'time', withheld: 'withheld', intervals: 'intervals', changed: 'not as they are', verdict: 'verdict' },
  measures: { requirements: 'requirements', unbounded: 'of them without an end', tight: 'of them just met', mean_deviation_percent: 'mean deviation, %', largest_deviation_percent: 'largest deviation, %', cells: 'cells not published as they are', value: 'their value', width: 'width of what can be inferred', width_exact: 'width is exact', contributions: 'contributions behind them', guess_near: 'sensitive, guessed nearly', guess_exact: 'sensitive, guessed exactly', guess_at_end: 'truth at an end', mean_percent: 'mean deviation, %', max_percent: 'largest deviation, %', least_ratio: 'room left / required, least', mean_ratio: 'room left / required, mean' },
  plot: { none: 'no figures yet', cost: 'cost', bound: 'proven bound', label: (/** @type {string} */ cost, /** @type {string} */ bound) => `cost ${cost}, proven bound ${bound}, over time` },
  release: {
    title: 'Release', which: 'Run', pick: 'none', none: 'No run has come to an end yet. Start one under Protect, or audit a release from elsewhere.', counts: (/** @type {any} */ c) => `${c.protected} of ${c.protected + c.exposed + c.undecided} requirements confirmed, ${c.exposed} exposed, ${c.undecided} undecided.`,
    exposed: (/** @type {number} */ k) => `${k} ${plural(k, 'cell', 'cells')} given away`, readers: (/** @type {number} */ k) => ` and ${k} more ${plural(k, 'reader', 'readers')}`, exposedText: 'The steps show how a reader computes the value.',
    attack: 'Audit a release from elsewhere', attackDrop: 'Drop a release of this table', attackText: 'a protected CSV, a public file, a result JSON or a list of withheld cells', attackBare: 'Audit the table as it is', attackBareText: 'the sensitive cells withheld, and no others', auditing: 'The release is being audited …',
  },
  compare: { title: 'Runs compared', pick: 'Choose two or more runs.', differing: (/** @type {number} */ k) => k ? `${k} ${plural(k, 'cell differs', 'cells differ')}` : 'No cell differs', show: 'Highlight in the table', cell: 'cell' },
  export: {
    title: 'Export', public: 'For the public', publicText: 'What may be published and nothing else.', office: 'For the office only', officeText: 'Confidential: these hold true values, reasons or levels.',
    what: { public: { name: 'Published table', text: 'the released numbers' }, 'public-report': { name: 'Public report', text: 'a page to look at' }, office: { name: 'Result', text: 'all cells with flags and rules' }, report: { name: 'Report', text: 'table, audit, loss and risk on one page' }, certificate: { name: 'Certificate', text: 'the evidence, for lacuna verify' }, job: { name: 'Job', text: 'file and options of this run' }, apriori: { name: 'A-priori file', text: 'what was decided by hand' } },
    format: 'format', download: 'Download', or: 'or', file: 'file below the folder', save: 'Save in the folder', downloaded: (/** @type {string} */ name) => `${name} was downloaded.`, saved: (/** @type {string} */ name) => `${name} was written.`, exists: (/** @type {string} */ name) => `${name} is there already. Replace it?`, command: 'The same on the command line',
  },
  keys: {
    title: 'Keyboard shortcuts', close: 'Close',
    groups: [
      { name: 'Everywhere', keys: [['1 … 5', 'Open, Rules, Table, Protect, Release (Alt+1 … 5 also while writing)'], ['?', 'this list'], ['/', 'find a cell'], ['Ctrl+Z', 'undo a decision'], ['Ctrl+Y', 'redo it']] },
      { name: 'In the table', keys: [['g', 'go to the grid'], ['↑ ↓ ← →', 'move; with Shift mark cells'], ['PgUp PgDn', 'a screen up or down'], ['Home End', 'first or last column; with Ctrl also row'], ['Enter', 'choose the cell'], ['Space', 'mark it or not'], ['+ −', 'open or close the row'], ['> <', 'open or close the column'], ['n N', 'next or previous found cell'], ['v', 'as published, or with true values'], ['d', 'decide about the marked cells']] },
    ],
  },
};
