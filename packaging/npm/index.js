// SPDX-License-Identifier: Apache-2.0
// Checks of certificates of Lacuna (docs/npm.md). Nothing is loaded, nothing is sent.
import { verifyParsed } from './lib/certificate.js';
import { parseExact, Refusal } from './lib/exact_json.js';
import { verifyInferenceParsed } from './lib/inference.js';

export { Refusal };

/** @type {typeof import('./index.d.ts').verify} */
export function verify(problem, certificate, options = {}) {
  return refusing(() => verifyParsed(parseExact(problem), parseExact(certificate), options));
}

/** @type {typeof import('./index.d.ts').verifyInference} */
export function verifyInference(inference, files = {}) {
  return refusing(() => verifyInferenceParsed(parseExact(inference), new Map(Object.entries(files))));
}

/** Whatever is wrong with the input, it proves nothing. @template T @param {() => T} check @returns {T} */
function refusing(check) {
  try {
    return check();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('this is not a certificate: ' + (error instanceof Error ? error.message : String(error)));
  }
}
