// SPDX-License-Identifier: Apache-2.0
// Quotients of whole numbers, exactly, and the two infinities (a denominator of zero).

/** @typedef {{n: bigint, d: bigint}} Quotient */

/** @param {bigint} n @param {bigint} [d] @returns {Quotient} */
export const quotient = (n, d = 1n) => ({ n, d });
export const INFINITE = quotient(1n, 0n);

/** @param {Quotient} a */
export const isInfinite = a => a.d === 0n;

/** Negative, zero or positive, as a - b. @param {Quotient} a @param {Quotient} b */
export function compare(a, b) {
  const left = a.d === 0n && b.d === 0n ? a.n : a.n * b.d;
  const right = a.d === 0n && b.d === 0n ? b.n : b.n * a.d;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Of two that are not opposite infinities. @param {Quotient} a @param {Quotient} b @returns {Quotient} */
export function add(a, b) {
  if (isInfinite(a)) return a;
  return isInfinite(b) ? b : quotient(a.n * b.d + b.n * a.d, a.d * b.d);
}

/** @param {bigint} n @param {bigint} d not zero */
export function floorOf(n, d) {
  const whole = n / d;
  return n % d !== 0n && n < 0n !== d < 0n ? whole - 1n : whole;
}

/** A number as it is written, exactly: "-12.50" or "1e3". @param {string} text @returns {Quotient} */
export function parseQuotient(text) {
  const match = /^([-+]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]{1,3}))?$/.exec(text.trim());
  if (!match || (match[2] || '') + (match[3] || '') === '') throw new SyntaxError(`'${text}' is no number`);
  const digits = BigInt(match[2] + (match[3] || '')) * (match[1] === '-' ? -1n : 1n);
  const places = (match[3] || '').length - Number(match[4] || 0);
  return places > 0 ? quotient(digits, 10n ** BigInt(places)) : quotient(digits * 10n ** BigInt(-places));
}
