// SPDX-License-Identifier: Apache-2.0
// How numbers look in the grid: decimals, separators, a shade that grows with the number, and the
// course of each row as a line. What is released is not touched by it.
import { h, select } from './dom.js';
import { numberStyle } from './shared/data.js';
import { T } from './texts.js';

export const SHADES = 8;

/** A sign and what it is called: who hears a list hears no comma. @param {string} sign */
export function signName(sign) {
  const name = T.look.marks[sign] || T.look.separators[sign.trim() ? sign : ' '];
  return sign.trim() ? sign + ' ' + name : name;
}

/** Separators as the language of the page has them. @param {string} language */
export function styleOf(language) {
  const parts = new Intl.NumberFormat(language, { useGrouping: true }).formatToParts(1234567.8);
  const part = (/** @type {string} */ type) => (parts.find(p => p.type === type) || { value: '' }).value;
  return { thousands: part('group'), mark: part('decimal') };
}

/** The shade of each cell, by its rank among the cells of the table: totals are no match for their parts otherwise.
 * @param {any} data @returns {Uint8Array} */
export function shadesOf(data) {
  const values = Array.from({ length: data.cells }, (_, c) => Math.abs(Number(data.value(c))) || 0),
    sorted = Float64Array.from(values).sort(),
    shades = new Uint8Array(data.cells);
  values.forEach((value, c) => {
    let low = 0,
      high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] < value) low = middle + 1;
      else high = middle;
    }
    shades[c] = Math.min(SHADES - 1, Math.floor((SHADES * low) / Math.max(1, sorted.length)));
  });
  return shades;
}

/** @param {{ kept: () => any, keep: (look: any) => void, onChange: () => void }} how */
export function makeLookTools({ kept, keep, onChange }) {
  const look = { decimals: 'table', thousands: 'language', heat: false, spark: false, ...kept() };
  const own = styleOf(T.language);
  let inTable = -1;
  function apply() {
    numberStyle.thousands = look.thousands === 'language' ? own.thousands : look.thousands === 'none' ? '' : look.thousands;
    numberStyle.mark = own.mark;
    numberStyle.decimals = look.decimals === 'table' ? inTable : look.decimals === 'own' ? -1 : Number(look.decimals);
  }
  const change = (/** @type {string} */ key, /** @type {any} */ value) => {
    /** @type {any} */ (look)[key] = value;
    apply();
    keep(look);
    onChange();
  };
  const decimals = select(
    { 'data-test': 'decimals', onchange: () => change('decimals', decimals.value) },
    [['table', T.look_tools.table], ['own', T.look_tools.own], ...Array.from({ length: 7 }, (_, k) => /** @type {[string, string]} */ ([String(k), String(k)]))],
    look.decimals,
  );
  const thousands = select(
    { 'data-test': 'thousands', onchange: () => change('thousands', thousands.value) },
    [['language', T.look_tools.language(own.thousands)], ['none', T.look_tools.none], ...[',', '.', '\u202f', "'"].map(sign => /** @type {[string, string]} */ ([sign, signName(sign)]))],
    look.thousands,
  );
  const heat = h('input', { type: 'checkbox', 'data-test': 'heat', checked: look.heat, onchange: () => change('heat', heat.checked) });
  const spark = h('input', { type: 'checkbox', 'data-test': 'spark', checked: look.spark, onchange: () => change('spark', spark.checked) });
  apply();
  return {
    element: h(
      'span',
      { class: 'row wrap' },
      h('label', { class: 'switch soft' }, T.look_tools.decimals, decimals),
      h('label', { class: 'switch soft' }, T.look_tools.thousands, thousands),
      h('label', { class: 'switch' }, heat, T.look_tools.heat),
      h('label', { class: 'switch' }, spark, T.look_tools.sparks),
    ),
    heat: () => look.heat,
    spark: () => look.spark,
    /** As many decimals as the numbers of this table have. @param {number} count */
    setTable: count => {
      inTable = count;
      apply();
    },
  };
}
