// SPDX-License-Identifier: Apache-2.0
// The grid: rows are the tree of one dimension, columns that of another, the rest is chosen by
// selectors; where there are several tables one of them is chosen by name. A table without codes is
// a list of cells. Only what is in view is drawn, so the size of a table does not matter.
//   makeGrid({ data, box, tools, onChoose, onSelect, look, fill }): box shows, tools holds the
//   selectors, onChoose(cell) hears of the cell that is chosen, onSelect(cells) of all that are
//   marked (Ctrl, Shift). look(cell) may add classes and a sign: { classes, sign }. With `fill`
//   the size of the box is its place's, else it is that of the table. `aside` draws something of
//   each row beside its head: { name, width, on(), draw(cells, published) }.
import { aligned, grouped, make } from './data.js';
import { makeAxes } from './axes.js';
import { words } from './words.js';

/** @param {{ data: any, box: any, tools: any, onChoose: (cell: number) => void, onSelect?: (cells: number[]) => any, look?: null|((cell: number) => { classes: string, sign: string }), fill?: boolean, aside?: null|{ name: string, width: number, on: () => boolean, draw: (cells: number[], published: boolean) => Node|null } }} how */
export function makeGrid({ data, box, tools, onChoose, onSelect = cells => cells, look = null, fill = false, aside = null }) {
  const { dims, nd, cells, tables } = data;
  const ROW = 28, LEAST = 64, MOST = 320, PAD = 20, MEASURED = 60000;
  const axes = makeAxes(data), ended = new AbortController(), { signal } = ended;
  const digit = (() => { const pen = document.createElement('canvas').getContext('2d');
    pen.font = getComputedStyle(box).font || '15px sans-serif';
    return Math.max(7, pen.measureText('0').width); })();
  const space = make('div', 'space');
  box.replaceChildren(space);
  box.setAttribute('role', 'grid'); box.setAttribute('aria-multiselectable', 'true');
  box.setAttribute('aria-description', words.keys);

  // ---- what is on the axes
  let table = 0, rowDim = -1, colDim = -1, published = !data.office;
  let rows = [], columns = [], offsets = [0], label = 0;
  let drawn = { r0: 0, r1: 0, c0: 0, c1: 0 };
  let selected = -1, at = { row: 0, column: 0 }, anchor = { row: 0, column: 0 }, marked = new Set();
  const chosen = dims.map(m => m.total), codes = dims.map(m => m.total);
  const hasAside = () => !!aside && colDim >= 0 && aside.on();
  const lead = () => label + (hasAside() ? aside.width : 0), firsts = () => hasAside() ? 2 : 1;
  const own = () => tables.length ? tables[table].dimensions : dims.map((_, d) => d);
  function show(which) {
    table = which;
    dims.forEach((m, d) => { chosen[d] = m.total; });
    const has = own();
    rowDim = has.length ? has[0] : -1;
    colDim = has.length > 1 ? has[1] : -1;
    begin();
  }
  function begin() {
    if (rowDim >= 0) axes.start(rowDim, 40);
    if (colDim >= 0) axes.start(colDim, 14);
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
  const sensitive = c => !published && data.raw.status[c] === 'p';
  const stateOf = c => published && data.raw.adjusted ? 'e' : data.state(c);
  // The range beside a rounded or altered number is told when the cell is chosen.
  const isNumber = s => s === 'r' || s === 'a';
  const shownText = c => isNumber(data.state(c)) ? data.text[c].split(' [')[0] : data.text[c];
  const numberText = c => stateOf(c) === 'w' ? (published ? '' : data.value(c)) : shownText(c);
  // Derived numbers stand in brackets behind the number, as in n (%), with the decimals that they are
  // published to.
  const bareText = c => aligned(numberText(c)) + (data.beside(c) ? ' (' + data.beside(c) + ')' : '');
  // Asked once per cell that is drawn: thousands are, in every frame of scrolling.
  const lookOf = c => published || !look ? null : look(c);
  const suffix = (c, mark = lookOf(c)) => published ? '' : mark ? mark.sign : sensitive(c) ? words.signs.p : '';
  function cellText(c, mark) {
    const sign = SIGN[stateOf(c)], end = suffix(c, mark);
    return grouped((sign ? sign + ' ' : '') + bareText(c)).trim() + (end ? ' ' + end : '');
  }
  // Signs in words, for those who hear the table.
  function spoken(c) {
    const parts = [words.states[stateOf(c)], published ? '' : words.statuses[data.raw.status[c]]].filter(Boolean);
    return parts.length ? [grouped(bareText(c)), ...parts].filter(Boolean).join(', ') : '';
  }
  function header(node, d) {
    const th = make('th', node.depth || d < 0 ? '' : 'top');
    if (d >= 0 && node.kids) {
      const b = make('button', '', node.open ? '−' : '+');
      b.tabIndex = -1;
      b.setAttribute('aria-expanded', String(node.open));
      b.setAttribute('aria-label', (node.open ? words.collapse : words.expand) + ' ' + dims[d].codes[node.code]);
      b.onclick = () => { axes.toggle(d, node); layout(); };
      th.append(b);
      th.setAttribute('aria-expanded', String(node.open));
    }
    const name = d < 0 ? (nd || fill ? words.value : words.published) : dims[d].codes[node.code];
    th.append(name); th.title = name;
    return th;
  }
  function cellTd(r, k) {
    const c = cellOf(rows[r], columns[k]);
    const mark = c < 0 ? null : lookOf(c), text = c < 0 ? '·' : cellText(c, mark), td = make('td', c < 0 ? 'none' : stateOf(c), text);
    td.id = 'at-' + r + '-' + k;
    td.setAttribute('role', 'gridcell'); td.setAttribute('aria-colindex', String(k + 2));
    if (r === at.row && k === at.column) td.classList.add('at');
    if (c < 0) return td;
    if (sensitive(c)) td.classList.add('p');
    if (mark && mark.classes) td.className += ' ' + mark.classes;
    td.title = isNumber(data.state(c)) ? grouped(data.text[c]) : text; td.dataset.cell = String(c);
    const said = spoken(c);
    if (said) td.setAttribute('aria-label', said);
    if (c === selected || marked.has(c)) td.setAttribute('aria-selected', 'true');
    if (marked.size > 1 && marked.has(c)) td.classList.add('marked');
    return td;
  }

  // ---- places: every column as wide as what stands in it
  const pixels = digits => Math.round(Math.min(MOST, Math.max(LEAST, digits * digit * 1.06 + PAD)));
  // About as many digits wide as the text is, with the commas that it will get.
  function extent(text) {
    let sum = 0;
    for (let k = 0; k < text.length; ++k) {
      const c = text.charCodeAt(k);
      sum += c >= 48 && c <= 57 ? 1.17 : c < 47 ? .6 : 1.1;
    }
    return sum;
  }
  const SIGNED = 2;  // digits that a sign takes, with its blank
  function measure() {
    const step = Math.max(1, Math.floor(rows.length * columns.length / MEASURED));
    offsets = [0];
    for (const column of columns) {
      let most = colDim < 0 ? 9 : extent(dims[colDim].codes[column.code]) + (column.kids ? 2.5 : 0);
      for (let r = 0; r < rows.length; r += step) {
        const c = cellOf(rows[r], column);
        if (c >= 0) most = Math.max(most, extent(bareText(c)) * (sensitive(c) ? 1.08 : 1) +
          suffix(c).length * SIGNED + (SIGN[stateOf(c)] ? SIGNED : 0));
      }
      offsets.push(offsets[offsets.length - 1] + pixels(most));
    }
    let widest = nd ? dims[rowDim].name.length + (colDim < 0 ? 0 : dims[colDim].name.length + 1) : 12;
    for (const row of rows)
      widest = Math.max(widest, (nd ? dims[rowDim].codes[row.code].length : 10) + 1.6 * row.depth + 2);
    label = Math.min(fill ? 300 : 420, Math.max(fill ? 120 : 150, widest * digit + PAD));
  }
  function layout() {
    rows = nd ? axes.visible(rowDim) : Array.from({ length: cells }, (_, c) => ({ code: c, depth: 0, kids: 0 }));
    columns = colDim < 0 ? [{ code: -1, depth: 0, kids: 0 }] : axes.visible(colDim);
    measure();
    at = { row: Math.min(at.row, rows.length - 1), column: Math.min(at.column, columns.length - 1) };
    box.setAttribute('aria-rowcount', String(rows.length + 1));
    box.setAttribute('aria-colcount', String(columns.length + 1));
    const wide = lead() + offsets[columns.length], high = (rows.length + 1) * ROW;
    if (!fill) {
      const room = box.parentElement.clientWidth;
      box.style.width = Math.min(wide + (high > window.innerHeight * .72 ? 18 : 3), room) + 'px';
      box.style.height = Math.min(high + (wide + 3 > room ? 18 : 3), Math.round(window.innerHeight * .72)) + 'px';
    }
    makeRoom(); draw();
  }
  // Rows and columns are always shown from their beginning: one more fits at the end of the way.
  function makeRoom() {
    const wide = lead() + offsets[columns.length], high = (rows.length + 1) * ROW;
    let widest = 0;
    for (let k = 0; k < columns.length; ++k) widest = Math.max(widest, offsets[k + 1] - offsets[k]);
    space.style.width = wide + (wide > box.clientWidth ? widest : 0) + 'px';
    space.style.height = high + (high > box.clientHeight ? ROW : 0) + 'px';
  }
  function within(all) {
    if (all) return { r0: 0, r1: rows.length, c0: 0, c1: columns.length };
    const r0 = Math.max(0, Math.min(Math.floor(box.scrollTop / ROW), rows.length - 1));
    let c0 = 0, c1 = 0;
    while (c0 + 1 < columns.length && offsets[c0 + 1] <= box.scrollLeft) ++c0;
    for (c1 = c0; c1 < columns.length && offsets[c1] - offsets[c0] < box.clientWidth - lead();) ++c1;
    return { r0, r1: Math.min(rows.length, r0 + Math.ceil(box.clientHeight / ROW) + 1),
      c0, c1: Math.min(columns.length, c1 + 1) };
  }
  function headRow(c0, c1) {
    const head = make('tr'), thead = make('thead');
    const corner = make('th', '', nd ? dims[rowDim].name + (colDim < 0 ? '' : ' \\ ' + dims[colDim].name) : words.cell);
    thead.setAttribute('role', 'rowgroup'); head.setAttribute('role', 'row'); head.setAttribute('aria-rowindex', '1');
    corner.setAttribute('role', 'columnheader'); corner.setAttribute('aria-colindex', '1');
    corner.style.width = label + 'px'; head.append(corner);
    if (hasAside()) { const th = make('th', 'aside', aside.name); th.style.width = aside.width + 'px'; th.setAttribute('aria-hidden', 'true'); head.append(th); }
    for (let k = c0; k < c1; ++k) head.append(columnHead(k));
    thead.append(head);
    return thead;
  }
  function columnHead(k) {
    const th = header(columns[k], colDim);
    th.scope = 'col'; th.setAttribute('role', 'columnheader'); th.setAttribute('aria-colindex', String(k + 2));
    th.style.width = offsets[k + 1] - offsets[k] + 'px';
    return th;
  }
  function bodyRow(r, c0, c1) {
    const row = rows[r], tr = make('tr'), th = header(row, nd ? rowDim : -1);
    th.scope = 'row'; th.setAttribute('role', 'rowheader'); th.setAttribute('aria-colindex', '1');
    tr.setAttribute('role', 'row'); tr.setAttribute('aria-rowindex', String(r + 2));
    if (!nd) th.textContent = words.cell + ' ' + row.code;
    th.style.paddingLeft = .55 + row.depth * 1.1 + (row.kids || !nd ? 0 : 1.3) + 'em'; tr.append(th);
    if (hasAside()) tr.append(asideTd(row));
    for (let k = c0; k < c1; ++k) tr.append(cellTd(r, k));
    return tr;
  }
  // Of the columns that have no open parts: sums do not stand among what they add up. Who hears the table has the numbers.
  function asideTd(row) {
    const td = make('td', 'aside'), drawn = aside.draw(columns.filter(k => !k.kids || !k.open).map(k => cellOf(row, k)), published);
    td.setAttribute('aria-hidden', 'true'); td.setAttribute('role', 'presentation');
    if (drawn) td.append(drawn);
    return td;
  }
  function draw(all = false) {
    const { r0, r1, c0, c1 } = within(all);
    const sheet = make('table'), body = make('tbody');
    sheet.setAttribute('role', 'presentation'); body.setAttribute('role', 'rowgroup');
    for (let r = r0; r < r1; ++r) body.append(bodyRow(r, c0, c1));
    sheet.append(headRow(c0, c1), body);
    sheet.style.width = lead() + offsets[c1] - offsets[c0] + 'px';
    drawn = { r0, r1, c0, c1 };
    const old = box.querySelector('table'), button = document.activeElement && box.contains(document.activeElement) &&
      document.activeElement !== box;
    if (old) old.replaceWith(sheet); else box.prepend(sheet);
    if (button) box.focus({ preventScroll: true });  // the button that was pressed is gone
    box.setAttribute('aria-activedescendant', 'at-' + at.row + '-' + at.column);
  }
  // Scrolling keeps what stays in view: rows and columns leave at one side and come at the other.
  function scrolled() {
    const now = within(false), was = drawn, sheet = box.querySelector('table');
    if (now.r0 === was.r0 && now.r1 === was.r1 && now.c0 === was.c0 && now.c1 === was.c1) return;
    const apart = now.r0 >= was.r1 || now.r1 <= was.r0 || now.c0 >= was.c1 || now.c1 <= was.c0;
    if (apart || !sheet) { draw(); return; }
    const head = sheet.tHead.rows[0], body = sheet.tBodies[0];
    if (now.c0 !== was.c0 || now.c1 !== was.c1) {
      shift(head, firsts(), was.c0, was.c1, now.c0, now.c1, columnHead);
      for (let r = was.r0; r < was.r1; ++r) shift(body.rows[r - was.r0], firsts(), was.c0, was.c1, now.c0, now.c1, k => cellTd(r, k));
      sheet.style.width = lead() + offsets[now.c1] - offsets[now.c0] + 'px';
    }
    shift(body, 0, was.r0, was.r1, now.r0, now.r1, r => bodyRow(r, now.c0, now.c1));
    drawn = now;
  }
  // The children from `first` on stand for from … to; afterwards for newFrom … newTo, which overlap.
  function shift(parent, first, from, to, newFrom, newTo, maker) {
    for (let k = from; k < newFrom; ++k) parent.children[first].remove();
    for (let k = newTo; k < to; ++k) parent.lastElementChild.remove();
    for (let k = from - 1; k >= newFrom; --k) parent.insertBefore(maker(k), parent.children[first] || null);
    for (let k = to; k < newTo; ++k) parent.append(maker(k));
  }

  // ---- selectors
  function option(select, name, value) { const o = make('option', '', name); o.value = value; select.append(o); }
  function selector(name, fill, value, change) {
    const l = make('label', '', name + ' '), s = make('select');
    fill(s); s.value = value; s.onchange = () => change(Number(s.value)); l.append(s); tools.append(l);
    return s;
  }
  function rowsAre(d) { if (d === colDim) colDim = rowDim; rowDim = d; begin(); }
  function columnsAre(d) {
    if (d === rowDim) rowDim = colDim < 0 ? own().find(other => other !== d) : colDim;
    colDim = d; begin();
  }
  function selectors() {
    tools.textContent = '';
    if (!nd) return;
    if (tables.length > 1)
      selector(words.table, s => tables.forEach((t, k) => option(s, t.name, k)), table, show).id = 'table';
    const has = own(), all = s => has.forEach(d => option(s, dims[d].name, d));
    selector(words.rows, all, rowDim, rowsAre).id = 'rows';
    if (has.length > 1)
      selector(words.columns, s => { option(s, words.none, -1); all(s); }, colDim, columnsAre).id = 'columns';
    for (const d of has) {
      if (d === rowDim || d === colDim) continue;
      selector(dims[d].name, s => (function walk(code, depth) {
        option(s, '  '.repeat(depth) + dims[d].codes[code], code);
        axes.children[d][code].forEach(k => walk(k, depth + 1)); })(dims[d].total, 0),
      chosen[d], code => { chosen[d] = code; layout(); }).dataset.dimension = String(d);
    }
    const b = make('button', '', words.expandRows), f = make('button', '', words.collapseRows);
    b.id = 'expand'; b.onclick = () => { axes.expandTo(rowDim, Infinity); layout(); };
    f.id = 'collapse'; f.onclick = () => { axes.close(rowDim); layout(); }; tools.append(b, f);
  }

  // ---- choosing and marking
  const cellAt = place => rows.length ? cellOf(rows[place.row], columns[place.column]) : -1;
  function mark(place, extend, toggle) {
    const c = cellAt(place);
    at = place;
    if (extend) {
      marked = new Set();
      for (let r = Math.min(anchor.row, at.row); r <= Math.max(anchor.row, at.row); ++r)
        for (let k = Math.min(anchor.column, at.column); k <= Math.max(anchor.column, at.column); ++k) {
          const each = cellAt({ row: r, column: k });
          if (each >= 0) marked.add(each);
        }
    } else {
      anchor = place;
      if (!toggle) marked = new Set();
      if (c >= 0 && !(toggle && marked.delete(c))) marked.add(c);
    }
    if (c >= 0) selected = c;
    reveal(); draw();
    onSelect([...marked]);
    if (c >= 0) onChoose(c);
  }
  function reveal() {
    const { r0, c0 } = within(false), full = Math.max(1, Math.floor(box.clientHeight / ROW) - 1);
    if (at.row < r0) box.scrollTop = at.row * ROW;
    if (at.row >= r0 + full) box.scrollTop = (at.row - full + 1) * ROW;
    const right = offsets[at.column + 1], room = box.clientWidth - lead();
    if (at.column < c0) box.scrollLeft = offsets[at.column];
    if (right - offsets[c0] <= room) return;
    let first = at.column;
    while (first > 0 && right - offsets[first - 1] <= room) --first;
    box.scrollLeft = offsets[first];
  }
  function select(list) { marked = new Set(list); draw(); onSelect(list); }
  function placeOf(c) {
    if (!nd) return { row: c, column: 0 };
    const row = rows.findIndex(each => each.code === data.code(c, rowDim));
    const column = colDim < 0 ? 0 : columns.findIndex(each => each.code === data.code(c, colDim));
    return { row: Math.max(0, row), column: Math.max(0, column) };
  }
  function isInView(place) {
    const { r0, c0 } = within(false);
    return place.row >= r0 && place.row < r0 + Math.floor(box.clientHeight / ROW) - 1 && place.column >= c0 &&
      offsets[place.column + 1] - offsets[c0] <= box.clientWidth - lead();
  }
  // Brings a cell into view, in a table that has it.
  function choose(c, quiet = false) {
    selected = c; marked = new Set([c]);
    if (nd) {
      const t = data.tableOf(c);
      if (t >= 0 && tables.length > 1 && t !== table) show(t);
      dims.forEach((m, d) => { if (d !== rowDim && d !== colDim) chosen[d] = data.code(c, d); });
      for (const d of [rowDim, colDim]) if (d >= 0) axes.openTo(d, data.code(c, d));
      selectors(); layout();
    }
    at = anchor = placeOf(c);
    if (!isInView(at)) { box.scrollTop = Math.max(0, (at.row - 3) * ROW); box.scrollLeft = offsets[Math.max(0, at.column - 1)]; }
    draw(); onSelect([c]);
    if (!quiet) onChoose(c);
  }

  // ---- keys
  function moved(key, jump) {
    const page = Math.max(1, Math.floor(box.clientHeight / ROW) - 2), { row, column } = at;
    const to = { ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1], PageUp: [row - page, column], PageDown: [row + page, column],
      Home: [jump ? 0 : row, 0], End: [jump ? rows.length - 1 : row, columns.length - 1] }[key];
    return to && { row: Math.max(0, Math.min(rows.length - 1, to[0])), column: Math.max(0, Math.min(columns.length - 1, to[1])) };
  }
  function fold(d, node, wanted) {
    if (d >= 0 && node.kids && node.open !== wanted) { axes.toggle(d, node); layout(); }
  }
  const FOLDS = { '+': ['row', true], '-': ['row', false], '>': ['column', true], '<': ['column', false] };
  box.addEventListener('keydown', event => {
    if (event.target !== box || event.altKey) return;
    const to = moved(event.key, event.ctrlKey || event.metaKey), branch = FOLDS[event.key];
    if (to) mark(to, event.shiftKey, false);
    else if (event.ctrlKey || event.metaKey) return;
    else if (branch) fold(branch[0] === 'row' ? rowDim : colDim, branch[0] === 'row' ? rows[at.row] : columns[at.column], branch[1]);
    else if (event.key === 'Enter') mark(at, false, false);
    else if (event.key === ' ') mark(at, false, true);
    else return;
    event.preventDefault();
  }, { signal });

  let waiting = false;
  box.addEventListener('scroll', () => { if (waiting) return; waiting = true;
    requestAnimationFrame(() => { waiting = false; scrolled(); }); }, { signal });
  box.addEventListener('click', event => { const td = event.target.closest('td[data-cell]');
    if (!td) return;
    const [row, column] = td.id.split('-').slice(1).map(Number);
    mark({ row, column }, event.shiftKey, event.ctrlKey || event.metaKey); }, { signal });
  if (fill) { const watch = new ResizeObserver(() => { makeRoom(); scrolled(); }); watch.observe(box); signal.onabort = () => watch.disconnect(); }
  else window.addEventListener('resize', layout, { signal });
  window.addEventListener('beforeprint', () => { if (rows.length * columns.length <= 6000) draw(true); }, { signal });
  window.addEventListener('afterprint', () => draw(), { signal });

  // ---- the view may be kept while the numbers change
  const view = () => ({ table, rowDim, colDim, chosen: [...chosen], open: axes.saved(), selected, top: box.scrollTop, left: box.scrollLeft });
  function restore(from) {
    ({ table, rowDim, colDim, selected } = from);
    from.chosen.forEach((code, d) => { chosen[d] = code; });
    axes.restore(from.open); begin();
    if (selected >= 0 && selected < cells) { at = anchor = placeOf(selected); marked = new Set([selected]); }
    box.scrollTop = from.top; box.scrollLeft = from.left; draw();
  }
  show(0);
  return { show, choose, select, redraw: draw, layout, view, restore, marked: () => [...marked],
    asPublished: on => { published = on || !data.office; layout(); }, destroy: () => ended.abort() };
}
