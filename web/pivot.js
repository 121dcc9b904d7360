// SPDX-License-Identifier: Apache-2.0
// Dimensions that are dragged: the selectors above the grid say which dimension stands on the rows,
// which on the columns, and which are chosen; one that is dropped on another takes its place.

/** The dimension that a selector is about, and what it is for. @param {Element} label */
function roleOf(label) {
  const list = /** @type {any} */ (label.querySelector('select'));
  if (!list) return null;
  if (list.id === 'rows' || list.id === 'columns') return { place: list.id, dimension: Number(list.value), list };
  return list.dataset.dimension === undefined ? null : { place: 'chosen', dimension: Number(list.dataset.dimension), list };
}

/** @param {HTMLElement} tools */
export function makePivot(tools) {
  /** @type {any} */
  let dragged = null;
  const put = (/** @type {string} */ place, /** @type {number} */ dimension) => {
    const list = /** @type {any} */ (tools.querySelector('#' + place));
    if (!list || Number(list.value) === dimension) return;
    list.value = String(dimension);
    list.dispatchEvent(new Event('change', { bubbles: true }));
  };
  /** @param {Element} label */
  function mark(label) {
    if (label.tagName !== 'LABEL' || !roleOf(label)) return;
    const chip = /** @type {HTMLElement} */ (label);
    chip.draggable = true;
    chip.classList.add('chip');
    chip.ondragstart = event => {
      dragged = roleOf(chip);
      event.dataTransfer?.setData('text/plain', String(dragged?.dimension));
    };
    chip.ondragend = () => {
      dragged = null;
    };
    chip.ondragover = event => {
      event.preventDefault();
      chip.classList.add('over');
    };
    chip.ondragleave = () => chip.classList.remove('over');
    chip.ondrop = event => {
      event.preventDefault();
      chip.classList.remove('over');
      const target = roleOf(chip);
      if (!dragged || !target || dragged.list === target.list) return;
      if (target.place !== 'chosen') put(target.place, dragged.dimension);
      else if (dragged.place !== 'chosen') put(dragged.place, target.dimension);
    };
  }
  new MutationObserver(() => [...tools.children].forEach(mark)).observe(tools, { childList: true });
}
