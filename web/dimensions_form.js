// SPDX-License-Identifier: Apache-2.0
// Dimensions of a job: where the hierarchy comes from, the total, and the tree itself, which can be
// rewritten as indented lines.
import { h } from './dom.js';
import { field } from './form_fields.js';
import { dimensionsOf, readTree, setTree, treeText } from './job.js';
import { setKey } from './toml.js';
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

/** Nested lists that open and close. @param {Map<string, string[]>} children @param {string} total */
function treeView(children, total) {
  let left = MOST;
  /** @param {string} code @param {number} depth @returns {any} */
  function branch(code, depth) {
    if (--left < 0) return [];
    const kids = children.get(code) || [];
    if (!kids.length) return h('li', { class: 'leaf' }, code);
    return h(
      'li',
      null,
      h(
        'details',
        { open: depth < 1 },
        h('summary', null, code, h('span', { class: 'soft' }, ' ' + kids.length)),
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

/** @param {{ sections: any[], text: string, onText: (text: string) => void, bad: (line: number) => string, dims: any[], state: any, redraw: () => void }} how */
export function dimensionsForm({ sections, text, onText, bad, dims, state, redraw }) {
  return dimensionsOf(sections).map(d => {
    const m = dims.find(each => each.name === d.name);
    const children = m ? childrenOf(m) : new Map(),
      total = m ? m.codes[m.total] : '';
    const key = (/** @type {string} */ name, /** @type {string} */ kind, /** @type {string} */ label) =>
      field({
        name: `dimension.${d.name}.${name}`,
        kind,
        label,
        value: d.section.keys.get(name)?.value,
        bad: d.section.keys.has(name) ? bad(d.section.keys.get(name)?.line || 0) : '',
        onSet: value => onText(setKey(text, 'dimension', name, value, d.which)),
      });
    const editing = state.tree === d.name;
    const area = h('textarea', {
      class: 'tree-text',
      'data-test': 'tree-text:' + d.name,
      'aria-label': T.form.treeOf(d.name),
      spellcheck: 'false',
    });
    area.value = children.size ? treeText(children, total) : total;
    const done = () => {
      try {
        state.tree = '';
        onText(setTree(text, d.which, readTree(area.value, T.form.twoTotals)));
      } catch (error) {
        state.tree = d.name;
        state.treeError = /** @type {Error} */ (error).message;
        redraw();
      }
    };
    const tree = h(
      'div',
      { 'data-test': 'tree:' + d.name },
      !m
        ? h('p', { class: 'soft' }, T.form.noTree)
        : editing
          ? [
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
                h(
                  'button',
                  {
                    type: 'button',
                    onclick: () => {
                      state.tree = '';
                      redraw();
                    },
                  },
                  T.form.cancel,
                ),
              ),
            ]
          : [
              treeView(children, total),
              h(
                'button',
                {
                  type: 'button',
                  class: 'small',
                  'data-test': 'edit-tree:' + d.name,
                  onclick: () => {
                    state.tree = d.name;
                    state.treeError = '';
                    redraw();
                  },
                },
                T.form.editTree,
              ),
            ],
    );
    return h(
      'details',
      { class: 'dimension', open: true, 'data-test': 'dimension:' + d.name },
      h(
        'summary',
        null,
        h('b', null, d.name),
        h('span', { class: 'soft' }, ' · ' + T.form.sources[d.source] + (m ? T.form.codes(m.codes.length) : '')),
      ),
      bad(d.line) ? h('p', { class: 'bad' }, bad(d.line)) : [],
      h(
        'div',
        { class: 'fields' },
        d.source === 'tree' ? [] : key('total', 'text', T.form.total),
        ['hierarchy', 'parents', 'correspondence'].includes(d.source)
          ? key(d.source, 'text', T.form.sources[d.source])
          : d.source === 'flat'
            ? key('hierarchy', 'text', T.form.sources.hierarchy)
            : [],
        d.source === 'digits' || d.source === 'flat' ? key('digits', 'list', T.form.digits) : [],
      ),
      tree,
    );
  });
}
