// SPDX-License-Identifier: Apache-2.0
// The list of found cells and the pane of the chosen one stand beside the grid, where one wants
// them: closed, on the other side, below; their width is dragged, or moved by the arrow keys.
import { h, select } from './dom.js';
import { T } from './texts.js';

const LEAST = 160,
  MOST = 720,
  STEP = 16;

/** @typedef {{ list: string, pane: string, listWidth: number, paneWidth: number }} Layout */

/** @param {{ frame: HTMLElement, kept: () => Partial<Layout>|undefined, keep: (layout: Layout) => void, onChange: () => void }} how */
export function makePanes({ frame, kept, keep, onChange }) {
  const narrow = window.matchMedia('(max-width: 60rem)');
  const usual = () => ({ list: narrow.matches ? 'closed' : 'left', pane: narrow.matches ? 'below' : 'right' });
  /** @type {Layout} */
  const layout = { ...usual(), listWidth: 0, paneWidth: 0, ...kept() };
  narrow.addEventListener('change', () => {
    if (kept()) return; // somebody has chosen
    Object.assign(layout, usual());
    apply();
  });
  function apply() {
    frame.dataset.list = layout.list;
    frame.dataset.pane = layout.pane;
    frame.style.setProperty('--list-width', layout.listWidth ? layout.listWidth + 'px' : '');
    frame.style.setProperty('--pane-width', layout.paneWidth ? layout.paneWidth + 'px' : '');
    lists.value = layout.list;
    panes.value = layout.pane;
    onChange();
  }
  const choose = (/** @type {'list'|'pane'} */ key, /** @type {any} */ list) => {
    layout[key] = list.value;
    apply();
    keep(layout);
  };
  const lists = select({ 'data-test': 'list-place', 'aria-label': T.panes.list, onchange: () => choose('list', lists) }, Object.entries(T.panes.listPlaces), layout.list);
  const panes = select({ 'data-test': 'pane-place', 'aria-label': T.panes.pane, onchange: () => choose('pane', panes) }, Object.entries(T.panes.panePlaces), layout.pane);

  /** The edge between two panes. @param {'listWidth'|'paneWidth'} key @param {string} name @param {() => Element|null} of */
  function edge(key, name, of) {
    const bar = h('div', { class: 'edge ' + key, role: 'separator', tabIndex: 0, 'aria-orientation': 'vertical', 'aria-valuemin': LEAST, 'aria-valuemax': MOST, 'aria-valuenow': layout[key] || 240, 'aria-label': name, 'data-test': 'edge-' + key });
    const widthNow = () => Math.round(of()?.getBoundingClientRect().width || 0);
    const set = (/** @type {number} */ width) => {
      layout[key] = Math.max(LEAST, Math.min(MOST, Math.min(width, frame.clientWidth * 0.7)));
      bar.setAttribute('aria-valuenow', String(Math.round(layout[key])));
      apply();
    };
    // The pane is on the right of its edge unless it has been moved.
    const sign = () => (key === 'listWidth' ? 1 : layout.pane === 'left' ? 1 : -1) * (key === 'listWidth' && layout.list === 'right' ? -1 : 1);
    bar.onpointerdown = (/** @type {PointerEvent} */ down) => {
      const begun = widthNow();
      bar.setPointerCapture(down.pointerId);
      bar.onpointermove = (/** @type {PointerEvent} */ e) => set(begun + sign() * (e.clientX - down.clientX));
      bar.onpointerup = () => {
        bar.onpointermove = null;
        keep(layout);
      };
    };
    bar.onkeydown = (/** @type {KeyboardEvent} */ e) => {
      const by = /** @type {any} */ ({ ArrowLeft: -STEP, ArrowRight: STEP })[e.key];
      if (!by) return;
      e.preventDefault();
      set(widthNow() + sign() * by);
      keep(layout);
    };
    return bar;
  }
  const element = h('span', { class: 'row tight-gap' }, h('label', { class: 'switch soft' }, T.panes.list, lists), h('label', { class: 'switch soft' }, T.panes.pane, panes));
  return {
    element,
    edge,
    apply,
    /** @param {'list'|'pane'} which */
    open: which => {
      if (layout[which] !== 'closed') return;
      layout[which] = which === 'list' ? 'left' : narrow.matches ? 'below' : 'right';
      apply();
      keep(layout);
    },
  };
}
