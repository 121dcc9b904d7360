// SPDX-License-Identifier: Apache-2.0
// Dimensions of a job: where the hierarchy comes from, the total, and the tree itself, which can be
// rewritten as indented lines.
import { h } from './dom.js';
import { field } from './form_fields.js';
import { dimensionsOf, keysOf, readTree, treeText, withKey, withTree } from './job.js';
import { treeEditor } from './tree_editor.js';
import { T } from './texts.js';

const MOST = 400;

/** Parent and children by name, from the data of the page. @param {any} m */
function childrenOf(m) {
  /** @type {Map<string, string[]>} */
  const out = new Map();
  for (const r of m.relations) {
    const parent = m.codes[r[0]];
    out.set(parent, [...(out.get(parent) || []), ...r.slice(1).map((/** @type {number} */ k) => m.codes[k])]);
  }
  return out;
}

/** The tree as the table has it, as the job says it, or as the codes of the file below the total: it can be edited
 * whether the sums hold or not. @param {any} d @param {any} m @param {any[]} columns
 * @returns {{ children: Map<string, string[]>, total: string, loose: string[] }|null} */
function treeOf(d, m, columns) {
  const column = columns.find(c => c.name === d.columns[0]),
    codes = /** @type {string[]} */ ((column && column.codes) || []);
  if (d.said.tree) {
    const children = new Map(/** @type {[string, string[]][]} */ (Array.isArray(d.said.tree) ? d.said.tree : Object.entries(d.said.tree))),
      below = new Set([...children.values()].flat());
    const total = [...children.keys()].find(code => !below.has(code)) || '';
    return { children, total, loose: codes.filter(code => code !== total && !below.has(code)) };
  }
  if (m) return { children: childrenOf(m), total: m.codes[m.total], loose: [] };
  if (!codes.length) return null;
  const total = String(d.said.total || codes.find(code => /^(t|_t|total|all|insgesamt|ensemble|totale?)$/i.test(code)) || codes[0]);
  return { children: new Map([[total, codes.filter(code => code !== total)]]), total, loose: [] };
}

/** Nested lists that open and close. @param {Map<string, string[]>} children @param {string} total */
function treeView(children, total) {
  let left = MOST;
  /** @param {string} code @param {number} depth @returns {any} */
  function branch(code, depth) {
    if (--left < 0) return [];
    const kids = children.get(code) || [];
    if (!kids.length) return h('li', { class: 'leaf' }, h('bdi', null, code));
    return h(
      'li',
      null,
      h(
        'details',
        { open: depth < 1 },
        h('summary', null, h('bdi', null, code), h('span', { class: 'soft' }, ' ' + kids.length)),
        h(
          'ul',
          null,
          kids.map(kid => branch(kid, depth + 1)),
        ),
      ),
    );
  }
  const list = h('ul', { class: 'tree' }, branch(total, 0));
  return left < 0 ? [list, h('p', { class: 'soft' }, T.form.moreCodes)] : list;
}

/**
 * @typedef {{ spec: any, keys: any[], edit: (change: (spec: any) => any) => void, bad: (path: string) => string,
 *   dims: any[], columns: any[], state: any, redraw: () => void, onTotal?: (name: string, total: any) => void,
 *   onTree?: (name: string, tree: any) => void }} How
 */

/** The tree as indented lines that can be rewritten. @param {How} how @param {any} d @param {string} lines */
function textEditor({ edit, state, redraw, onTree }, d, lines) {
  const area = h('textarea', {
    class: 'tree-text',
    'data-test': 'tree-text:' + d.name,
    'aria-label': T.form.treeOf(d.name),
    spellcheck: 'false',
  });
  area.value = lines;
  const stop = (/** @type {string} */ name, /** @type {string} */ why) => {
    state.tree = name;
    state.treeError = why;
    redraw();
  };
  const done = () => {
    try {
      const children = readTree(area.value, T.form.twoTotals);
      state.tree = '';
      onTree?.(d.name, [...children]);
      edit(spec => withTree(spec, d.which, children));
    } catch (error) {
      stop(d.name, /** @type {Error} */ (error).message);
    }
  };
  return [
    h('p', { class: 'soft' }, T.form.treeHelp),
    state.treeError ? h('p', { class: 'bad' }, state.treeError) : [],
    area,
    h(
      'div',
      { class: 'row' },
      h(
        'button',
        { type: 'button', class: 'main', 'data-test': 'tree-done:' + d.name, onclick: done },
        T.form.treeDone,
      ),
      h('button', { type: 'button', onclick: () => stop('', '') }, T.form.cancel),
    ),
  ];
}

/** The tree by hand. @param {How} how @param {any} d @param {{ children: Map<string, string[]>, total: string, loose: string[] }} tree */
const treeByHand = (how, d, tree) =>
  treeEditor({
    name: d.name,
    loose: tree.loose,
    lines: treeText(tree.children, tree.total)
      .split('\n')
      .map(line => ({ code: line.trim(), depth: (line.length - line.trimStart().length) / 2 })),
    onCancel: () => {
      how.state.tree = '';
      how.redraw();
    },
    onDone: lines => {
      how.state.tree = '';
      const children = readTree(lines.map(line => '  '.repeat(line.depth) + line.code).join('\n'), T.form.twoTotals);
      how.onTree?.(d.name, [...children]);
      how.edit(spec => withTree(spec, d.which, children));
    },
  });

/** The tree as it was understood. @param {How} how @param {any} d @param {any} m */
function treePart(how, d, m) {
  const tree = treeOf(d, m, how.columns);
  if (!tree) return h('p', { class: 'soft' }, T.form.noTree);
  if (how.state.tree === d.name) return textEditor(how, d, treeText(tree.children, tree.total));
  if (how.state.tree === 'hand:' + d.name) return treeByHand(how, d, tree);
  const edit = (/** @type {string} */ what) => () => {
    how.state.tree = what;
    how.state.treeError = '';
    how.redraw();
  };
  return [
    treeView(tree.children, tree.total),
    tree.loose.length ? h('p', { class: 'soft' }, T.tree.loose(tree.loose.length)) : [],
    h(
      'div',
      { class: 'row wrap' },
      h('button', { type: 'button', class: 'small', 'data-test': 'hand-tree:' + d.name, onclick: edit('hand:' + d.name) }, T.form.handTree),
      h('button', { type: 'button', class: 'small', 'data-test': 'edit-tree:' + d.name, onclick: edit(d.name) }, T.form.editTree),
    ),
  ];
}

/** Total and source of the hierarchy. @param {How} how @param {any} d */
function dimensionFields({ keys, edit, bad, onTotal }, d) {
  const key = (/** @type {string} */ name, /** @type {string} */ label) => {
    const about = keysOf(keys, 'dimension').find(each => each.name === name);
    return field({
      name: `dimension.${d.name}.${name}`,
      kind: ['hierarchy', 'parents', 'correspondence'].includes(name) ? 'files' : about?.kind || 'text',
      help: about?.help,
      label,
      value: d.said[name],
      bad: bad(`dimension[${d.which}].${name}`) || (name === 'total' ? bad(`dimension.${d.name}.total`) : ''),
      onSet: value => {
        if (name === 'total') onTotal?.(d.name, value);
        edit(spec => withKey(spec, ['dimension', d.which, name], value));
      },
    });
  };
  const file =
    ['hierarchy', 'parents', 'correspondence'].find(name => name === d.source) ||
    (d.source === 'flat' ? 'hierarchy' : '');
  return h(
    'div',
    { class: 'fields' },
    d.source === 'tree' ? [] : key('total', T.form.total),
    file ? key(file, T.form.sources[file]) : [],
    ['digits', 'flat'].includes(d.source) ? key('digits', T.form.digits) : [],
  );
}

/** @param {How} how */
export function dimensionsForm(how) {
  return dimensionsOf(how.spec).map((/** @type {any} */ d) => {
    const m = how.dims.find(each => each.name === d.name),
      wrong = how.bad(`dimension[${d.which}]`);
    const about = ' · ' + T.form.sources[d.source] + (m ? T.form.codes(m.codes.length) : '');
    return h(
      'details',
      { class: 'dimension', open: true, 'data-test': 'dimension:' + d.name },
      h('summary', null, h('b', null, h('bdi', null, d.name)), h('span', { class: 'soft' }, about)),
      wrong ? h('p', { class: 'bad' }, wrong) : [],
      dimensionFields(how, d),
      h('div', { 'data-test': 'tree:' + d.name }, treePart(how, d, m)),
    );
  });
}
