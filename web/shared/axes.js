// SPDX-License-Identifier: Apache-2.0
// The trees of a table's dimensions and which of their branches are open. A code may be split in
// several ways and may stand below several codes: a branch is named by the way down to it, '/0/3'.
// Codes that neither a cell nor a code below them has are left out.
export function makeAxes(data) {
  const { dims, nd, cells } = data;
  const children = dims.map(m => { const of = m.codes.map(() => []);
    m.relations.forEach(r => { for (let k = 1; k < r.length; ++k) of[r[0]].push(r[k]); }); return of; });
  const used = dims.map(m => new Uint8Array(m.codes.length));
  for (let c = 0; c < cells; ++c) for (let d = 0; d < nd; ++d) used[d][data.code(c, d)] = 1;
  children.forEach((of, d) => of.forEach((kids, code) => {
    of[code] = kids.filter(kid => used[d][kid] || of[kid].length); }));
  const open = dims.map(() => new Set());

  function visible(d) {
    const out = [];
    (function walk(code, depth, path) {
      const kids = children[d][code], key = path + '/' + code;
      out.push({ code, depth, key, kids: kids.length, open: open[d].has(key) });
      if (open[d].has(key)) for (const kid of kids) walk(kid, depth + 1, key);
    })(dims[d].total, 0, '');
    return out;
  }
  // Level by level, as long as no more than `most` codes are seen.
  function expandTo(d, most) {
    for (let changed = true; changed;) {
      changed = false;
      const now = visible(d), add = now.filter(n => n.kids && !n.open);
      const depth = add.reduce((least, n) => Math.min(least, n.depth), Infinity);
      const next = add.filter(n => n.depth === depth);
      if (next.length && now.length + next.reduce((s, n) => s + n.kids, 0) <= most) {
        next.forEach(n => open[d].add(n.key)); changed = true;
      }
    }
  }
  function openTo(d, code) {  // all the ways down to a code
    (function walk(here, path) {
      const key = path + '/' + here;
      let inside = here === code;
      for (const kid of children[d][here]) if (walk(kid, key)) { open[d].add(key); inside = true; }
      return inside;
    })(dims[d].total, '');
  }
  const toggle = (d, node) => { if (node.open) open[d].delete(node.key); else open[d].add(node.key); };
  const close = d => open[d].clear();
  // What stands directly below the total is always shown, more of it as long as it is not much.
  const start = (d, most) => { if (!open[d].size) { open[d].add('/' + dims[d].total); expandTo(d, most); } };
  const saved = () => open.map(set => [...set]);
  const restore = from => from.forEach((keys, d) => { if (open[d]) open[d] = new Set(keys); });
  return { children, visible, expandTo, openTo, toggle, close, start, saved, restore };
}
