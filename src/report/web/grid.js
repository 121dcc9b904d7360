// SPDX-License-Identifier: Apache-2.0
// The grid: rows are the tree of one dimension, columns that of another, the rest is chosen by
// selectors; where there are several tables one of them is chosen by name. A table without codes is
// a list of cells. Only what is in view is drawn, so the size of a table does not matter.
//   makeGrid({ data, box, tools, onChoose }): box shows, tools holds the selectors, onChoose(cell)
//   hears of clicks. Returns { show(table), choose(cell), redraw(all) }.
function makeGrid({ data, box, tools, onChoose }) {
  const { dims, nd, cells, tables } = data;
  const ROW = 28, LEAST = 64, MOST = 320, PAD = 20, MEASURED = 150000;
  const digit = (() => { const pen = document.createElement('canvas').getContext('2d');
    pen.font = getComputedStyle(box).font || '15px sans-serif';
    return Math.max(7, pen.measureText('0').width); })();
  const space = make('div', 'space');
  box.append(space);

  // ---- trees: a code may be split in several ways, and may stand below several codes
  const children = dims.map(m => { const of = m.codes.map(() => []);
    m.relations.forEach(r => { for (let k = 1; k < r.length; ++k) of[r[0]].push(r[k]); }); return of; });
  // Codes that neither a cell nor a code below them has are left out.
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
  function expandTo(d, most) {
    for (let changed = true; changed;) {
      changed = false;
      const now = visible(d), add = now.filter(n => n.kids && !n.open);
      const depth = Math.min(...add.map(n => n.depth));
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
  // What stands directly below the total is always shown, more of it as long as it is not much.
  const start = (d, most) => { if (!open[d].size) { open[d].add('/' + dims[d].total); expandTo(d, most); } };

  // ---- what is on the axes
  let table = 0, rowDim = -1, colDim = -1, selected = -1;
  let rows = [], columns = [], offsets = [0], label = 0;
  const chosen = dims.map(m => m.total), codes = dims.map(m => m.total);
  const own = () => tables.length ? tables[table].dimensions : dims.map((_, d) => d);
  function show(which) {
    table = which;
    dims.forEach((m, d) => { chosen[d] = m.total; });
    const has = own();
    rowDim = has.length ? has[0] : -1;
    colDim = has.length > 1 ? has[1] : -1;
    if (rowDim >= 0) start(rowDim, 40);
    if (colDim >= 0) start(colDim, 14);
    selectors(); layout();
  }
  function cellOf(row, column) {
    if (!nd) return row.code;
    for (let d = 0; d < nd; ++d)
      codes[d] = d === rowDim ? row.code : d === colDim ? column.code : chosen[d];
    return data.find(codes);
  }

  // ---- what a cell says
  const SIGN = { w: '×', i: '', r: '≈', a: '~', e: '' };
  const sensitive = c => data.office && data.raw.status[c] === 'p';
  // The range beside a rounded or altered number is told when the cell is chosen.
  const shownText = c => isNumber(data.state(c)) ? data.text[c].split(' [')[0] : data.text[c];
  const isNumber = s => s === 'r' || s === 'a';
  function cellText(c) {
    const s = data.state(c);
    const said = s === 'w' ? (data.office ? '× ' + data.value(c) : '×')
      : (SIGN[s] ? SIGN[s] + ' ' : '') + shownText(c);
    return grouped(said) + (sensitive(c) ? ' ●' : '');
  }
  function header(node, d) {
    const th = make('th', node.depth || d < 0 ? '' : 'top');
    if (d >= 0 && node.kids) {
      const b = make('button', '', node.open ? '−' : '+');
      b.setAttribute('aria-expanded', node.open);
      b.setAttribute('aria-label', (node.open ? 'collapse ' : 'expand ') + dims[d].codes[node.code]);
      b.onclick = () => { node.open ? open[d].delete(node.key) : open[d].add(node.key); layout(); };
      th.append(b);
    }
    const name = d < 0 ? (nd ? 'value' : 'published') : dims[d].codes[node.code];
    th.append(name); th.title = name;
    return th;
  }
  function cellTd(c) {
    if (c < 0) return make('td', 'none', '·');
    const td = make('td', data.state(c), cellText(c));
    if (sensitive(c)) td.classList.add('p');
    td.title = isNumber(data.state(c)) ? grouped(data.text[c]) : td.textContent; td.dataset.cell = c;
    if (c === selected) td.setAttribute('aria-selected', 'true');
    return td;
  }

  // ---- places: every column as wide as what stands in it
  const pixels = length => Math.round(Math.min(MOST, Math.max(LEAST, length * digit + PAD)));
  function measure() {
    const step = Math.max(1, Math.floor(rows.length * columns.length / MEASURED));
    offsets = [0];
    for (const column of columns) {
      let most = colDim < 0 ? 9 : dims[colDim].codes[column.code].length + (column.kids ? 2 : 0);
      for (let r = 0; r < rows.length; r += step) {
        const c = cellOf(rows[r], column);
        if (c >= 0) most = Math.max(most, (data.state(c) === 'w' && data.office ? data.value(c) : shownText(c)).length * 1.3 +
          (sensitive(c) ? 2 : 0) + (data.state(c) === 'e' ? 0 : 2));
      }
      offsets.push(offsets[offsets.length - 1] + pixels(most));
    }
    let widest = 12;
    for (const row of rows)
      widest = Math.max(widest, (nd ? dims[rowDim].codes[row.code].length : 10) + 1.6 * row.depth + 2);
    label = Math.min(420, Math.max(150, widest * digit + PAD));
  }
  function layout() {
    rows = nd ? visible(rowDim) : Array.from({ length: cells }, (_, c) => ({ code: c, depth: 0, kids: 0 }));
    columns = colDim < 0 ? [{ code: -1, depth: 0, kids: 0 }] : visible(colDim);
    measure();
    space.style.width = label + offsets[columns.length] + 'px';
    space.style.height = (rows.length + 1) * ROW + 'px';
    const wide = label + offsets[columns.length], high = (rows.length + 1) * ROW, room = box.parentElement.clientWidth;
    box.style.width = Math.min(wide + (high > window.innerHeight * .72 ? 18 : 3), room) + 'px';
    box.style.height = Math.min(high + (wide + 3 > room ? 18 : 3), Math.round(window.innerHeight * .72)) + 'px';
    draw();
  }
  function within(all) {
    if (all) return { r0: 0, r1: rows.length, c0: 0, c1: columns.length };
    const r0 = Math.max(0, Math.min(Math.floor(box.scrollTop / ROW), rows.length - 1));
    let c0 = 0, c1 = 0;
    while (c0 + 1 < columns.length && offsets[c0 + 1] <= box.scrollLeft) ++c0;
    for (c1 = c0; c1 < columns.length && offsets[c1] - offsets[c0] < box.clientWidth - label;) ++c1;
    return { r0, r1: r0 + Math.ceil(box.clientHeight / ROW) + 1, c0, c1: Math.min(columns.length, c1 + 1) };
  }
  function draw(all) {
    const { r0, r1, c0, c1 } = within(all), shown = columns.slice(c0, c1);
    const sheet = make('table'), head = make('tr'), thead = make('thead'), body = make('tbody');
    sheet.setAttribute('aria-rowcount', rows.length + 1);
    sheet.setAttribute('aria-colcount', columns.length + 1);
    const corner = make('th', '', nd ? dims[rowDim].name + (colDim < 0 ? '' : ' \\ ' + dims[colDim].name) : 'cell');
    corner.style.width = label + 'px'; head.append(corner);
    shown.forEach((column, k) => { const th = header(column, colDim); th.scope = 'col';
      th.style.width = offsets[c0 + k + 1] - offsets[c0 + k] + 'px'; head.append(th); });
    thead.append(head);
    rows.slice(r0, r1).forEach((row, k) => {
      const tr = make('tr'), th = header(row, nd ? rowDim : -1); th.scope = 'row';
      tr.setAttribute('aria-rowindex', r0 + k + 2);
      if (!nd) th.textContent = 'cell ' + row.code;
      th.style.paddingLeft = .55 + row.depth * 1.1 + (row.kids || !nd ? 0 : 1.3) + 'em'; tr.append(th);
      for (const column of shown) tr.append(cellTd(cellOf(row, column)));
      body.append(tr);
    });
    sheet.append(thead, body);
    sheet.style.width = label + offsets[c1] - offsets[c0] + 'px';
    replace(sheet);
  }
  function replace(sheet) {  // keeps the focus on the button that was pressed
    const old = box.querySelector('table');
    const focus = document.activeElement && document.activeElement.getAttribute('aria-label');
    if (old) old.replaceWith(sheet); else box.prepend(sheet);
    if (!focus) return;
    const swapped = focus.replace(/^(expand|collapse) /, m => m === 'expand ' ? 'collapse ' : 'expand ');
    for (const b of sheet.querySelectorAll('button'))
      if (b.getAttribute('aria-label') === swapped) { b.focus(); break; }
  }

  // ---- selectors
  function option(select, name, value) { const o = make('option', '', name); o.value = value; select.append(o); }
  function selector(name, fill, value, change) {
    const l = make('label', '', name + ' '), s = make('select');
    fill(s); s.value = value; s.onchange = () => change(Number(s.value)); l.append(s); tools.append(l);
    return s;
  }
  function selectors() {
    tools.textContent = '';
    if (!nd) return;
    if (tables.length > 1)
      selector('Table', s => tables.forEach((t, k) => option(s, t.name, k)), table, show).id = 'table';
    const has = own(), all = s => has.forEach(d => option(s, dims[d].name, d));
    selector('Rows', all, rowDim, d => { if (d === colDim) colDim = rowDim; rowDim = d; start(d, 40); selectors(); layout(); });
    if (has.length > 1)
      selector('Columns', s => { option(s, '(none)', -1); all(s); }, colDim, d => {
        if (d === rowDim) rowDim = colDim < 0 ? has.find(other => other !== d) : colDim;
        colDim = d; if (d >= 0) start(d, 14); start(rowDim, 40); selectors(); layout(); });
    for (const d of has) {
      if (d === rowDim || d === colDim) continue;
      selector(dims[d].name, s => (function walk(code, depth) {
        option(s, '  '.repeat(depth) + dims[d].codes[code], code);
        children[d][code].forEach(k => walk(k, depth + 1)); })(dims[d].total, 0),
      chosen[d], code => { chosen[d] = code; layout(); }).dataset.dimension = d;
    }
    const b = make('button', '', 'Expand all rows'), f = make('button', '', 'Collapse rows');
    b.id = 'expand'; b.onclick = () => { expandTo(rowDim, Infinity); layout(); };
    f.onclick = () => { open[rowDim].clear(); layout(); }; tools.append(b, f);
  }

  // Brings a cell into view, in a table that has it.
  function choose(c) {
    selected = c;
    if (nd) {
      const t = data.tableOf(c);
      if (t >= 0 && tables.length > 1 && t !== table) show(t);
      dims.forEach((m, d) => { if (d !== rowDim && d !== colDim) chosen[d] = data.code(c, d); });
      for (const d of [rowDim, colDim]) if (d >= 0) openTo(d, data.code(c, d));
      selectors(); layout();
      const r = rows.findIndex(row => row.code === data.code(c, rowDim));
      const k = colDim < 0 ? 0 : columns.findIndex(column => column.code === data.code(c, colDim));
      box.scrollTop = Math.max(0, (r - 3) * ROW); box.scrollLeft = Math.max(0, offsets[Math.max(0, k - 1)]);
    } else box.scrollTop = Math.max(0, (c - 3) * ROW);
    draw(); onChoose(c);
  }

  box.addEventListener('scroll', () => requestAnimationFrame(() => draw()));
  box.addEventListener('click', event => { const td = event.target.closest('td[data-cell]');
    if (!td) return; selected = Number(td.dataset.cell); draw(); onChoose(selected); });
  window.addEventListener('resize', layout);
  window.addEventListener('beforeprint', () => { if (rows.length * columns.length <= 6000) draw(true); });
  window.addEventListener('afterprint', () => draw());
  show(0);
  return { show, choose, redraw: draw };
}
