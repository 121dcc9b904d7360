// SPDX-License-Identifier: Apache-2.0
// What a page knows of its table: cells by their codes, what is published of each, and for the
// office what is true of it. `raw` is what src/app/report/page_data.h writes.
import { words } from './words.js';

// Cells by the product of their codes: an array where most products are cells, else a map.
function makeIndex(dims, codes, cells) {
  const nd = dims.length, factor = [];
  let product = 1;
  for (let d = nd - 1; d >= 0; --d) { factor[d] = product; product *= dims[d].codes.length; }
  const dense = product <= 8 * cells + 1000, array = dense ? new Int32Array(product).fill(-1) : null;
  const at = new Map();
  for (let c = 0; nd && c < cells; ++c) {
    let key = 0;
    for (let d = 0; d < nd; ++d) key += codes[c * nd + d] * factor[d];
    if (array) array[key] = c; else at.set(key, c);
  }
  return wanted => {
    let key = 0;
    for (let d = 0; d < nd; ++d) key += wanted[d] * factor[d];
    const c = array ? array[key] : at.get(key);
    return c === undefined ? -1 : c;
  };
}

export function makeData(raw) {
  const text = raw.text.split('|'), office = raw.value !== undefined;
  const own = office ? raw.value.split('|') : null;
  const frequency = office ? raw.frequency.split('|') : null;
  const dims = raw.dimensions, nd = dims.length, cells = raw.state.length;
  const data = { raw, text, office, frequency, dims, nd, cells, tables: raw.tables || [],
    find: makeIndex(dims, raw.codes, cells) };
  data.value = c => own[c] === '' ? text[c] : own[c];
  // What is published beside the cell: derived columns and other variables.
  data.columns = (raw.columns || []).map(column => ({ name: column.name, text: column.text.split('|') }));
  data.beside = c => data.columns.filter(column => column.text[c]).map(column => column.text[c]).join('; ');
  data.state = c => office && raw.adjusted && text[c] !== data.value(c) ? 'a' : raw.state[c];
  data.code = (c, d) => raw.codes[c * nd + d];
  // What tells the cell from the grand total; with the names of the dimensions, all of it.
  data.label = (c, full) => {
    if (!nd) return words.cell + ' ' + c;
    const parts = [];
    for (let d = 0; d < nd; ++d)
      if (full) parts.push(dims[d].name + ' = ' + dims[d].codes[data.code(c, d)]);
      else if (data.code(c, d) !== dims[d].total) parts.push(dims[d].codes[data.code(c, d)]);
    return parts.join(' · ') || words.grandTotal;
  };
  // The first of the page's tables that has the cell.
  data.tableOf = c => {
    for (let t = 0; t < data.tables.length; ++t) {
      let inside = true;
      for (let d = 0; d < nd; ++d)
        inside = inside && (data.tables[t].dimensions.includes(d) || data.code(c, d) === dims[d].total);
      if (inside) return t;
    }
    return -1;
  };
  return data;
}

// How numbers are written: a page may choose other signs, and as many decimals for all (-1: as they are).
export const numberStyle = { thousands: ',', mark: '.', decimals: -1 };

// 18278031.5 as 18,278,031.5, wherever numbers stand in the text.
export function grouped(text) {
  const { thousands, mark } = numberStyle;
  return text.replace(/(\d+)(\.\d+)?/g, (all, whole, rest) =>
    whole.replace(/\B(?=(\d{3})+$)/g, thousands) + (rest ? mark + rest.slice(1) : ''));
}

// The numbers of a text with as many decimals as all have, rounded half away from zero.
export function aligned(text) {
  const d = numberStyle.decimals;
  return d < 0 ? text : text.replace(/(\d+)(?:\.(\d+))?/g, (all, whole, rest = '') => {
    if (rest.length <= d) return d ? whole + '.' + rest.padEnd(d, '0') : whole;
    const digits = String(BigInt(whole + rest.slice(0, d)) + (rest[d] >= '5' ? 1n : 0n)).padStart(d + 1, '0');
    return d ? digits.slice(0, -d) + '.' + digits.slice(-d) : digits;
  });
}

export function make(tag, cls, content) {
  const element = document.createElement(tag);
  if (cls) element.className = cls;
  if (content !== undefined) element.textContent = content;
  return element;
}
