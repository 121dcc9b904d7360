// SPDX-License-Identifier: Apache-2.0
// A tree that is put together by hand: codes are dragged onto each other or moved by keys and
// buttons, or two columns of codes and their parents are pasted. Whether any sum holds does not
// matter here. A tree is a list of codes with their depth; the first is the total.
import { h, refill } from './dom.js';
import { T } from './texts.js';

/** @typedef {{ code: string, depth: number }} Line */

/** The rows after the one at `at` that hang below it. @param {Line[]} lines @param {number} at */
export function endOf(lines, at) {
  let end = at + 1;
  while (end < lines.length && lines[end].depth > lines[at].depth) ++end;
  return end;
}
/** A branch as the last child of another code; itself, its parts and the total stay where they are.
 * @param {Line[]} lines @param {number} at @param {number} under @returns {Line[]} */
export function movedUnder(lines, at, under) {
  const end = endOf(lines, at);
  if (at === 0 || (under >= at && under < end)) return lines;
  const branch = lines.slice(at, end),
    rest = [...lines.slice(0, at), ...lines.slice(end)],
    parent = rest.indexOf(lines[under]),
    by = lines[under].depth + 1 - branch[0].depth;
  rest.splice(endOf(rest, parent), 0, ...branch.map(line => ({ ...line, depth: line.depth + by })));
  return rest;
}
/** One step deeper (below the code before it) or higher. @param {Line[]} lines @param {number} at @param {number} by @returns {Line[]} */
export function indented(lines, at, by) {
  const end = endOf(lines, at),
    depth = lines[at].depth + by;
  if (at === 0 || depth < 1 || depth > lines[at - 1].depth + 1) return lines;
  return lines.map((line, k) => (k >= at && k < end ? { ...line, depth: line.depth + by } : line));
}
/** Before the branch above it, or behind the one below. @param {Line[]} lines @param {number} at @param {number} by @returns {Line[]} */
export function shifted(lines, at, by) {
  const end = endOf(lines, at);
  if (at === 0) return lines;
  if (by > 0) {
    if (end >= lines.length || lines[end].depth < lines[at].depth) return lines;
    const next = endOf(lines, end);
    return [...lines.slice(0, at), ...lines.slice(end, next), ...lines.slice(at, end), ...lines.slice(next)];
  }
  let before = at - 1;
  while (before > 0 && lines[before].depth > lines[at].depth) --before;
  if (before === 0 || lines[before].depth < lines[at].depth) return lines;
  return [...lines.slice(0, before), ...lines.slice(at, end), ...lines.slice(before, at), ...lines.slice(end)];
}
/** Two columns, codes and parents, whichever comes first: parents repeat. Roots go below the total.
 * @param {string} text @param {string} total @returns {Line[]} */
export function linesOfPairs(text, total) {
  const pairs = text
    .split('\n')
    .map(line => line.trim().split(/\t|;|,\s*|\s{2,}|\s+(?=\S+$)/).map(part => part.trim()))
    .filter(pair => pair.length === 2 && pair[0] && pair[1]);
  const distinct = (/** @type {number} */ k) => new Set(pairs.map(pair => pair[k])).size;
  const parentFirst = distinct(0) < distinct(1);
  /** @type {Map<string, string[]>} */
  const children = new Map();
  const below = new Set();
  for (const pair of pairs) {
    const [parent, child] = parentFirst ? pair : [pair[1], pair[0]];
    if (parent === child || below.has(child)) continue;
    children.set(parent, [...(children.get(parent) || []), child]);
    below.add(child);
  }
  const roots = [...children.keys()].filter(code => !below.has(code));
  const top = roots.length === 1 ? roots[0] : total;
  /** @type {Line[]} */
  const lines = [];
  const seen = new Set();
  (function walk(/** @type {string} */ code, /** @type {number} */ depth) {
    if (seen.has(code)) return; // a circle
    seen.add(code);
    lines.push({ code, depth });
    for (const kid of code === top && roots.length > 1 ? roots.filter(r => r !== top) : children.get(code) || []) walk(kid, depth + 1);
  })(top, 0);
  return lines;
}

/** @param {{ name: string, lines: Line[], loose: string[], onDone: (lines: Line[]) => void, onCancel: () => void }} how */
export function treeEditor({ name, lines: begun, loose: left, onDone, onCancel }) {
  let lines = begun,
    loose = left,
    at = 0;
  let dragged = -1;
  const list = h('ul', { class: 'tree-edit', role: 'tree', 'aria-label': T.form.treeOf(name), 'data-test': 'tree-edit:' + name }),
    rest = h('div', { class: 'loose' });
  const keys = h('p', { class: 'soft' }, T.tree.help);
  /** @param {Line[]} next @param {Line} keep */
  function set(next, keep) {
    lines = next;
    at = Math.max(0, lines.findIndex(line => line.code === keep.code));
    draw(true);
  }
  const move = (/** @type {(lines: Line[], at: number, by: number) => Line[]} */ f, /** @type {number} */ by) =>
    set(f(lines, at, by), lines[at]);
  function takeOut() {
    if (at === 0) return;
    const end = endOf(lines, at);
    loose = [...loose, ...lines.slice(at, end).map(line => line.code)];
    set([...lines.slice(0, at), ...lines.slice(end)], lines[at - 1]);
  }
  /** @param {string[]} codes */
  function putIn(codes) {
    loose = loose.filter(code => !codes.includes(code));
    const added = codes.map(code => ({ code, depth: lines[at].depth + 1 })),
      end = endOf(lines, at);
    set([...lines.slice(0, end), ...added, ...lines.slice(end)], lines[at]);
  }
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    /** @type {Record<string, () => void>} */
    const plain = {
        ArrowDown: () => set(lines, lines[Math.min(lines.length - 1, at + 1)]),
        ArrowUp: () => set(lines, lines[Math.max(0, at - 1)]),
        Home: () => set(lines, lines[0]),
        End: () => set(lines, lines[lines.length - 1]),
        Delete: takeOut,
      },
      withAlt = {
        ArrowRight: () => move(indented, 1),
        ArrowLeft: () => move(indented, -1),
        ArrowDown: () => move(shifted, 1),
        ArrowUp: () => move(shifted, -1),
      };
    const f = /** @type {any} */ (event.altKey ? withAlt : plain)[event.key];
    if (!f) return;
    event.preventDefault();
    event.stopPropagation();
    f();
  }
  /** @param {Line} line @param {number} k */
  function row(line, k) {
    const item = h(
      'li',
      {
        role: 'treeitem',
        'aria-level': line.depth + 1,
        'aria-selected': k === at,
        tabIndex: k === at ? 0 : -1,
        draggable: k > 0 ? 'true' : 'false',
        'data-test': 'tree-code:' + line.code,
        onclick: () => set(lines, line),
        onkeydown: onKey,
        ondragstart: (/** @type {DragEvent} */ e) => {
          dragged = k;
          e.dataTransfer?.setData('text/plain', line.code);
        },
        ondragover: (/** @type {DragEvent} */ e) => {
          e.preventDefault();
          e.stopPropagation();
          item.classList.add('over');
        },
        ondragleave: () => item.classList.remove('over'),
        ondrop: (/** @type {DragEvent} */ e) => {
          e.preventDefault();
          e.stopPropagation();
          const code = e.dataTransfer?.getData('text/plain') || '';
          if (dragged >= 0) set(movedUnder(lines, dragged, k), lines[dragged]);
          else if (loose.includes(code)) {
            at = k;
            putIn([code]);
          }
          dragged = -1;
        },
      },
      h('bdi', null, line.code),
    );
    item.style.paddingInlineStart = 0.5 + line.depth * 1.2 + 'rem';
    return item;
  }
  function draw(focus = false) {
    refill(list, lines.map(row));
    refill(
      rest,
      loose.length
        ? [
            h('h3', null, T.tree.loose(loose.length)),
            h('button', { type: 'button', class: 'small', 'data-test': 'tree-put-all:' + name, onclick: () => putIn(loose) }, T.tree.putAll(lines[at].code)),
            h(
              'div',
              { class: 'chips' },
              loose.slice(0, 300).map(code =>
                h(
                  'button',
                  {
                    type: 'button',
                    class: 'small',
                    draggable: 'true',
                    'aria-label': T.tree.put(code, lines[at].code),
                    onclick: () => putIn([code]),
                    ondragstart: (/** @type {DragEvent} */ e) => {
                      dragged = -1;
                      e.dataTransfer?.setData('text/plain', code);
                    },
                  },
                  h('bdi', null, code),
                ),
              ),
            ),
          ]
        : [],
    );
    if (focus) /** @type {any} */ (list.children[at])?.focus();
  }
  const tool = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ f, /** @type {string} */ test) =>
    h('button', { type: 'button', class: 'small', title: label, 'aria-label': label, 'data-test': test + ':' + name, onclick: f }, sign);
  const pairs = h('textarea', { class: 'tree-text', 'aria-label': T.tree.pairs, 'data-test': 'tree-pairs:' + name, placeholder: T.tree.pairsHint });
  draw();
  return h(
    'div',
    { class: 'tree-editor' },
    keys,
    h(
      'div',
      { class: 'row wrap', role: 'toolbar', 'aria-label': T.tree.tools },
      tool('→', T.tree.deeper, () => move(indented, 1), 'tree-deeper'),
      tool('←', T.tree.higher, () => move(indented, -1), 'tree-higher'),
      tool('↑', T.tree.up, () => move(shifted, -1), 'tree-up'),
      tool('↓', T.tree.down, () => move(shifted, 1), 'tree-down'),
      tool('✕', T.tree.out, takeOut, 'tree-out'),
    ),
    list,
    rest,
    h(
      'details',
      null,
      h('summary', { 'data-test': 'tree-paste:' + name }, T.tree.pairs),
      pairs,
      h(
        'button',
        {
          type: 'button',
          'data-test': 'tree-pairs-use:' + name,
          onclick: () => {
            const all = [...lines.map(line => line.code), ...loose],
              next = linesOfPairs(pairs.value, lines[0].code);
            loose = all.filter(code => !next.some(line => line.code === code));
            set(next, next[0]);
          },
        },
        T.tree.usePairs,
      ),
    ),
    h(
      'div',
      { class: 'row' },
      h('button', { type: 'button', class: 'main', 'data-test': 'tree-done:' + name, onclick: () => onDone(lines) }, T.form.treeDone),
      h('button', { type: 'button', onclick: onCancel }, T.form.cancel),
    ),
  );
}
