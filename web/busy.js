// SPDX-License-Identifier: Apache-2.0
// How much is under way: requests, and what waits for a pause in writing. `data-busy` of the body says
// it, so that whoever drives the page knows when it has come to rest.
let count = 0;

/** @param {number} by */
function change(by) {
  count += by;
  if (typeof document !== 'undefined') document.body.dataset.busy = String(count);
}

/** Counts until what is promised is there, or has failed. @template T @param {() => Promise<T>} f @returns {Promise<T>} */
export async function counted(f) {
  change(1);
  try {
    return await f();
  } finally {
    change(-1);
  }
}

/** Something begins; the answer is called once when it is over. */
export function begun() {
  let open = true;
  change(1);
  return () => {
    if (open) change(-1);
    open = false;
  };
}
change(0);
