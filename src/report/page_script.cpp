// SPDX-License-Identifier: Apache-2.0
// The grid: rows are the tree of one dimension, columns that of another, the rest is chosen by
// selectors. A table without codes is a list of cells, and a cell tells its equations.
#include "report/page_assets.h"

namespace lacuna::inline report {

const char kPageScript[] = R"js(
'use strict';
(function () {
const D = JSON.parse(document.getElementById('data').textContent);
const text = D.text.split('\n'), office = D.value !== undefined;
const value = office ? D.value.split('\n') : null;
const frequency = office ? D.frequency.split('\n') : null;
const dims = D.dimensions, nd = dims.length, cells = D.state.length;
const ROW = 26, COL = 110, LABEL = 230;
const $ = id => document.getElementById(id);
const make = (tag, cls, content) => { const e = document.createElement(tag);
  if (cls) e.className = cls; if (content !== undefined) e.textContent = content; return e; };

// ---- cells by their codes
const factor = []; let product = 1;
for (let d = nd - 1; d >= 0; --d) { factor[d] = product; product *= dims[d].codes.length; }
const at = new Map();
for (let c = 0; nd && c < cells; ++c) { let key = 0;
  for (let d = 0; d < nd; ++d) key += D.codes[c * nd + d] * factor[d]; at.set(key, c); }
const label = c => nd ? dims.map((m, d) => m.name + '=' + m.codes[D.codes[c * nd + d]]).join(' | ')
                      : 'cell ' + c;
const state = c => office && D.adjusted && text[c] !== value[c] ? 'a' : D.state[c];

// ---- findings by cell
const findings = new Map(), ranges = new Map();
if (office) {
  D.findings.forEach((f, i) => { if (!findings.has(f[0])) findings.set(f[0], []); findings.get(f[0]).push(i); });
  D.ranges.forEach(r => ranges.set(r[0], r));
}

// ---- trees: a code may be split in several ways, and may stand below several codes
const children = dims.map(m => { const of = m.codes.map(() => []);
  m.relations.forEach(r => { for (let k = 1; k < r.length; ++k) of[r[0]].push(r[k]); }); return of; });
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

// ---- what is on the axes
let rowDim = nd ? 0 : -1, colDim = nd > 1 ? 1 : -1;
const chosen = dims.map(m => m.total);
let rows = [], columns = [], selected = -1;
function cellOf(row, column) {
  if (!nd) return row.code;
  let key = 0;
  for (let d = 0; d < nd; ++d)
    key += (d === rowDim ? row.code : d === colDim ? column.code : chosen[d]) * factor[d];
  const c = at.get(key);
  return c === undefined ? -1 : c;
}
function layout() {
  rows = nd ? visible(rowDim) : Array.from({ length: cells }, (_, c) => ({ code: c, depth: 0, kids: 0 }));
  columns = colDim < 0 ? [{ code: -1, depth: 0, kids: 0 }] : visible(colDim);
  $('space').style.width = LABEL + columns.length * COL + 'px';
  $('space').style.height = (rows.length + 1) * ROW + 'px';
  $('grid').style.height = Math.min((rows.length + 1) * ROW + 20, Math.round(window.innerHeight * .72)) + 'px';
  draw();
}
const SIGN = { w: '×', i: '', r: '≈', a: '~', e: '' };
function cellText(c) {
  const s = state(c);
  if (s === 'w') return office ? '× ' + value[c] : '×';
  return (SIGN[s] ? SIGN[s] + ' ' : '') + text[c];
}
function header(node, d, cls) {
  const th = make('th', cls);
  if (d >= 0 && node.kids) {
    const b = make('button', '', node.open ? '−' : '+');
    b.setAttribute('aria-expanded', node.open);
    b.setAttribute('aria-label', (node.open ? 'collapse ' : 'expand ') + dims[d].codes[node.code]);
    b.onclick = () => { node.open ? open[d].delete(node.key) : open[d].add(node.key); layout(); };
    th.append(b);
  }
  const name = d < 0 ? (nd ? 'value' : 'cell ' + node.code) : dims[d].codes[node.code];
  th.append(name); th.title = name;
  return th;
}
function cellTd(c) {
  if (c < 0) return make('td', 'none', '·');
  const s = state(c), td = make('td', s, cellText(c));
  if (office && D.status[c] === 'p') { td.classList.add('p'); td.append(' ●'); }
  td.title = td.textContent; td.dataset.cell = c;
  if (c === selected) td.setAttribute('aria-selected', 'true');
  return td;
}
function draw(all) {
  const box = $('grid'), table = make('table');
  const fitR = all ? rows.length : Math.ceil(box.clientHeight / ROW) + 1;
  const fitC = all ? columns.length : Math.max(1, Math.ceil((box.clientWidth - LABEL) / COL) + 1);
  const r0 = all ? 0 : Math.max(0, Math.min(Math.floor(box.scrollTop / ROW), rows.length - 1));
  const c0 = all ? 0 : Math.max(0, Math.min(Math.floor(box.scrollLeft / COL), columns.length - 1));
  table.setAttribute('aria-rowcount', rows.length + 1);
  table.setAttribute('aria-colcount', columns.length + 1);
  const head = make('tr'), corner = make('th', '', nd ? dims[rowDim].name + (colDim < 0 ? '' : ' \\ ' + dims[colDim].name) : 'cell');
  corner.style.width = LABEL + 'px'; head.append(corner);
  const shown = columns.slice(c0, c0 + fitC);
  for (const column of shown) { const th = header(column, colDim, ''); th.scope = 'col';
    if (colDim < 0 && !nd) th.textContent = 'published'; th.style.width = COL + 'px'; head.append(th); }
  const thead = make('thead'), body = make('tbody'); thead.append(head);
  rows.slice(r0, r0 + fitR).forEach((row, k) => {
    const tr = make('tr'), th = header(row, nd ? rowDim : -1, ''); th.scope = 'row';
    tr.setAttribute('aria-rowindex', r0 + k + 2);
    if (!nd) th.textContent = 'cell ' + row.code;
    th.style.paddingLeft = .45 + row.depth * 1.1 + (row.kids || !nd ? 0 : 1.3) + 'em'; tr.append(th);
    for (const column of shown) tr.append(cellTd(cellOf(row, column)));
    body.append(tr);
  });
  table.append(thead, body);
  table.style.width = LABEL + shown.length * COL + 'px';
  const old = box.querySelector('table'), focus = document.activeElement && document.activeElement.getAttribute('aria-label');
  if (old) old.replaceWith(table); else box.prepend(table);
  if (focus) { const swapped = focus.replace(/^(expand|collapse) /, m => m === 'expand ' ? 'collapse ' : 'expand ');
    for (const b of table.querySelectorAll('button')) if (b.getAttribute('aria-label') === swapped) { b.focus(); break; } }
}

// ---- one cell in words
const STATE = { e: 'published as it is', w: 'withheld', i: 'an interval is published', r: 'a rounded number is published', a: 'an altered number is published' };
const STATUS = { f: 'not sensitive', p: 'sensitive', w: 'withheld already', z: 'must be published', k: 'known to everyone' };
function tell(c) {
  const lines = [label(c) + ': ' + STATE[state(c)] + (text[c] === '' ? '' : ', ' + text[c])];
  if (office) {
    lines.push('true value ' + value[c] + ', ' + STATUS[D.status[c]] + (frequency[c] ? ', ' + frequency[c] + ' contributors' : ''));
    if (D.reasons && D.reasons[c]) lines.push('sensitive because: ' + D.reasons[c]);
    for (const i of findings.get(c) || []) { const f = D.findings[i];
      lines.push(D.attackers[f[1]] + (D.adjusted ? ': must be shown outside (' + f[2] + ', ' + f[3] + ')'
        : ': can infer [' + f[5] + ', ' + f[6] + ']' + (f[7] ? '' : ' or more') + ', needs [' + f[2] + ', ' + f[3] + ']') +
        (f[4] === '0' ? '' : ', width ' + f[4]) + ': ' + f[8] + (f[9] ? ' (' + f[9] + ')' : '')); }
    const r = ranges.get(c);
    if (r) lines.push('outsider: can infer [' + r[1] + ', ' + r[2] + ']');
  }
  if (D.equations) for (let e = 0, n = 0; e < D.equations.length && n < 12; ++e) {
    const q = D.equations[e]; let has = false;
    for (let k = 1; k < q.length; k += 2) has = has || q[k] === c;
    if (!has) continue;
    ++n;
    const parts = [];
    for (let k = 1; k < q.length && parts.length < 30; k += 2)
      parts.push((q[k + 1] < 0 ? '− ' : '+ ') + (Math.abs(q[k + 1]) === 1 ? '' : Math.abs(q[k + 1]) + ' ') + 'cell ' + q[k] + (text[q[k]] === '' ? ' (×)' : ' (' + text[q[k]] + ')'));
    lines.push('equation ' + e + ': ' + parts.join(' ') + (q.length > 61 ? ' …' : '') + ' = ' + q[0]);
  }
  return lines.join('\n');
}

// ---- selectors
function option(select, name, at) { const o = make('option', '', name); o.value = at; select.append(o); }
function selectors() {
  const box = $('axes'); box.textContent = '';
  if (!nd) return;
  const axis = (name, get, set, none) => { const l = make('label', '', name + ' '), s = make('select');
    if (none) option(s, '(none)', -1);
    dims.forEach((m, d) => option(s, m.name, d)); s.value = get();
    s.onchange = () => { set(Number(s.value)); selectors(); layout(); }; l.append(s); box.append(l); };
  axis('Rows', () => rowDim, d => { if (d === colDim) colDim = rowDim; rowDim = d; start(d, 40); });
  if (nd > 1) axis('Columns', () => colDim, d => { if (d === rowDim) rowDim = colDim < 0 ? (d ? 0 : 1) : colDim; colDim = d; if (d >= 0) start(d, 12); }, true);
  dims.forEach((m, d) => { if (d === rowDim || d === colDim) return;
    const l = make('label', '', m.name + ' '), s = make('select'); s.dataset.dimension = d;
    (function walk(code, depth) { option(s, '  '.repeat(depth) + m.codes[code], code);
      children[d][code].forEach(k => walk(k, depth + 1)); })(m.total, 0);
    s.value = chosen[d]; s.onchange = () => { chosen[d] = Number(s.value); draw(); };
    l.append(s); box.append(l); });
  const b = make('button', '', 'Expand all rows'), f = make('button', '', 'Collapse rows');
  b.id = 'expand'; b.onclick = () => { expandTo(rowDim, Infinity); layout(); };
  f.onclick = () => { open[rowDim].clear(); layout(); }; box.append(b, f);
}
function start(d, most) { if (!open[d].size) expandTo(d, most); }

// ---- sensitive cells, page by page
const PAGE = 50; let page = 0;
function sensitive() {
  const box = $('sensitive'); if (!box) return;
  box.textContent = '';
  const pages = Math.max(1, Math.ceil(D.findings.length / PAGE)), table = make('table', 'list'), head = make('tr');
  for (const name of ['cell', 'value', 'attacker', 'must leave open', D.adjusted ? 'published' : 'can infer', 'verdict', 'sensitive because']) head.append(make('th', '', name));
  table.append(head);
  for (const f of D.findings.slice(page * PAGE, page * PAGE + PAGE)) {
    const tr = make('tr');
    for (const content of [label(f[0]), value[f[0]], D.attackers[f[1]], '[' + f[2] + ', ' + f[3] + ']' + (f[4] === '0' ? '' : ', width ' + f[4]),
      D.adjusted ? text[f[0]] : '[' + f[5] + ', ' + f[6] + ']' + (f[7] ? '' : ' or more')]) tr.append(make('td', '', content));
    tr.append(make('td', f[8], f[8] + (f[9] ? ': ' + f[9] : '')));
    tr.append(make('td', '', D.reasons ? D.reasons[f[0]] : 'so stated in the input'));
    table.append(tr);
  }
  box.append(table);
  if (pages > 1) { const tools = make('div', 'tools');
    const back = make('button', '', 'Previous'), next = make('button', '', 'Next');
    back.disabled = page === 0; next.disabled = page === pages - 1;
    back.onclick = () => { --page; sensitive(); }; next.onclick = () => { ++page; sensitive(); };
    tools.append(back, make('span', '', 'page ' + (page + 1) + ' of ' + pages), next); box.append(tools); }
}

$('grid').addEventListener('scroll', () => requestAnimationFrame(() => draw()));
$('grid').addEventListener('click', event => { const td = event.target.closest('td[data-cell]');
  if (!td) return; selected = Number(td.dataset.cell); $('detail').textContent = tell(selected); draw(); });
window.addEventListener('resize', layout);
window.addEventListener('beforeprint', () => { if (rows.length * columns.length <= 6000) draw(true); });
window.addEventListener('afterprint', () => draw());
if (nd) { start(rowDim, 40); if (colDim >= 0) start(colDim, 12); }
selectors(); layout(); sensitive();
document.body.dataset.ready = String(cells);
})();
)js";

}  // namespace lacuna::inline report
