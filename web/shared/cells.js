// SPDX-License-Identifier: Apache-2.0
// Cells in words, and the list of sensitive ones: a line per cell, its attackers folded below it.
// Findings come by cell: [cell, attackers in all, verdict, lines], a line being
// [attacker, verdict, exact, low, high] and, where they are not those of the line before, what is
// required: low, high, width, and a reason.
import { grouped, make } from './data.js';

export function makeFindings(raw) {
  const VERDICT = { p: 'protected', e: 'exposed', u: 'undecided', w: 'waived', n: 'unasked' };
  const list = (raw.findings || []).map(([cell, count, verdict, lines]) => {
    let need = [];
    return { cell, count, verdict: VERDICT[verdict], lines: lines.map(l => {
      if (l.length > 5) need = l.slice(5, 8);
      return { attacker: raw.attackers[l[0]], verdict: VERDICT[l[1]], exact: l[2] === 1, low: l[3], high: l[4],
        needLow: need[0], needHigh: need[1], width: need[2], reason: l[8] || '' };
    }) };
  });
  return { list, of: new Map(list.map(f => [f.cell, f])) };
}
export const rangeText = (low, high) => '[' + grouped(low) + ', ' + grouped(high) + ']';
export const neededText = l => rangeText(l.needLow, l.needHigh) + (l.width === '0' ? '' : ', ' + grouped(l.width) + ' wide');
export const foundText = l => rangeText(l.low, l.high) + (l.exact ? '' : ' or more');

export function makeTeller(data, findings) {
  const raw = data.raw;
  const STATE = { e: 'published as it is', w: 'withheld', i: 'published as an interval', r: 'published as a rounded number', a: 'published as an altered number' };
  const STATUS = { f: 'not sensitive', p: 'sensitive', w: 'withheld already', z: 'must be published', k: 'known to everyone' };
  const ranges = new Map((raw.ranges || []).map(r => [r[0], r]));
  function equations(c, lines) {
    for (let e = 0, n = 0; e < raw.equations.length && n < 12; ++e) {
      const q = raw.equations[e], parts = [];
      let has = false;
      for (let k = 1; k < q.length; k += 2) has = has || q[k] === c;
      if (!has) continue;
      ++n;
      for (let k = 1; k < q.length && parts.length < 30; k += 2)
        parts.push((q[k + 1] < 0 ? '− ' : '+ ') + (Math.abs(q[k + 1]) === 1 ? '' : Math.abs(q[k + 1]) + ' ') + 'cell ' + q[k] +
          (data.text[q[k]] === '' ? ' (×)' : ' (' + grouped(data.text[q[k]]) + ')'));
      lines.push('equation ' + e + ': ' + parts.join(' ') + (q.length > 61 ? ' …' : '') + ' = ' + grouped(q[0]));
    }
  }
  return c => {
    const lines = [data.label(c, true) + ': ' + STATE[data.state(c)] + (data.text[c] === '' ? '' : ', ' + grouped(data.text[c]))];
    for (const column of data.columns)
      if (column.text[c]) lines.push(column.name + ': ' + grouped(column.text[c]));
    if (data.office) {
      lines.push('true value ' + grouped(data.value(c)) + ', ' + STATUS[raw.status[c]] +
        (data.frequency[c] ? ', ' + grouped(data.frequency[c]) + ' contributors' : ''));
      if (raw.reasons && raw.reasons[c]) lines.push('sensitive because: ' + raw.reasons[c]);
      const f = findings.of.get(c);
      for (const l of f ? f.lines : [])
        lines.push(l.attacker + (raw.adjusted ? ': must be shown outside (' + grouped(l.needLow) + ', ' + grouped(l.needHigh) + ')'
          : ': can infer ' + foundText(l) + ', must remain possible ' + neededText(l)) + ': ' + l.verdict + (l.reason ? ' (' + l.reason + ')' : ''));
      const r = ranges.get(c);
      if (r && !f) lines.push('outsider: can infer ' + rangeText(r[1], r[2]) + (r[3] ? '' : ' or more'));
    }
    if (raw.equations) equations(c, lines);
    return lines.join('\n');
  };
}

//   makeCellList({ data, findings, box, onChoose }): cells that do not hold first, then the tightest.
export function makeCellList({ data, findings, box, onChoose }) {
  const PAGE = 25, raw = data.raw;
  let page = 0, wanted = '';
  const opened = new Set();
  const order = findings.list.slice().sort((a, b) => Number(a.verdict === 'protected') - Number(b.verdict === 'protected'));
  const names = order.map(f => data.label(f.cell, true).toLowerCase() + ' ' + (raw.reasons ? raw.reasons[f.cell].toLowerCase() : ''));
  const tools = make('div', 'tools'), hold = make('div', 'scroll'), find = make('input');
  find.type = 'search'; find.placeholder = 'Find a cell…'; find.setAttribute('aria-label', 'find a sensitive cell');
  find.oninput = () => { wanted = find.value.toLowerCase(); page = 0; draw(); };
  const back = make('button', '', 'Previous'), next = make('button', '', 'Next'), where = make('span', 'soft');
  back.onclick = () => { --page; draw(); }; next.onclick = () => { ++page; draw(); };
  if (order.length > 1) tools.append(find, back, where, next);
  box.append(tools, hold);

  function inner(f, width) {
    const tr = make('tr', 'inner'), td = make('td'), table = make('table', 'list'), head = make('tr');
    for (const name of ['reader', 'must remain possible', raw.adjusted ? 'published' : 'can infer', 'verdict']) head.append(make('th', '', name));
    table.append(head);
    for (const l of f.lines) {
      const line = make('tr');
      for (const content of [l.attacker, neededText(l), raw.adjusted ? grouped(data.text[f.cell]) : foundText(l)]) line.append(make('td', '', content));
      line.append(make('td', l.verdict, l.verdict + (l.reason ? ': ' + l.reason : ''))); table.append(line);
    }
    td.colSpan = width; td.append(table);
    if (f.count > f.lines.length)
      td.append(make('p', 'soft', 'and ' + grouped(String(f.count - f.lines.length)) + ' more readers, who learn no more than these and were all confirmed'));
    tr.append(td);
    return tr;
  }
  function row(f, width) {
    const tr = make('tr'), first = make('td', 'name'), fold = make('button', 'link fold', opened.has(f.cell) ? '▾' : '▸'), go = make('button', 'link', data.label(f.cell));
    fold.setAttribute('aria-expanded', opened.has(f.cell)); fold.setAttribute('aria-label', 'readers of ' + data.label(f.cell));
    fold.onclick = () => { opened.has(f.cell) ? opened.delete(f.cell) : opened.add(f.cell); draw(); };
    go.title = data.label(f.cell, true) + ': show in the table'; go.onclick = () => onChoose(f.cell);
    first.append(fold, go); tr.append(first, make('td', 'number', grouped(data.value(f.cell))));
    tr.append(make('td', '', raw.reasons && raw.reasons[f.cell] ? raw.reasons[f.cell] : 'so stated in the input'));
    const l = f.lines[0];
    tr.append(make('td', 'number', neededText(l)), make('td', 'number', raw.adjusted ? grouped(data.text[f.cell]) : foundText(l)));
    tr.append(make('td', 'number', grouped(String(f.count))), make('td', f.verdict, f.verdict));
    return opened.has(f.cell) ? [tr, inner(f, width)] : [tr];
  }
  function draw() {
    const found = order.filter((_, i) => !wanted || names[i].includes(wanted));
    const pages = Math.max(1, Math.ceil(found.length / PAGE)), table = make('table', 'list'), head = make('tr');
    page = Math.min(page, pages - 1);
    const columns = [['cell', ''], ['true value', 'number'], ['sensitive because', ''], ['must remain possible', 'number'],
      [raw.adjusted ? 'published' : 'can be inferred', 'number'], ['readers', 'number'], ['verdict', '']];
    columns.forEach(([name, cls]) => head.append(make('th', cls, name)));
    const body = make('tbody'), top = make('thead'); top.append(head); table.append(top, body);
    for (const f of found.slice(page * PAGE, page * PAGE + PAGE)) body.append(...row(f, columns.length));
    hold.replaceChildren(table);
    where.textContent = 'page ' + (page + 1) + ' of ' + pages + ', ' + grouped(String(found.length)) + ' cells';
    back.disabled = page === 0; next.disabled = page === pages - 1;
    back.hidden = next.hidden = pages === 1;
  }
  draw();
}
