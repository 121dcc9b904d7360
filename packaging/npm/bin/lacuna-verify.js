#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// lacuna-verify PROBLEM.json CERTIFICATE.json [--zero-levels stated]: what `lacuna verify` does, by JavaScript alone.
// lacuna-verify --public INFERENCE.json PUBLIC.csv...: the certificate of `lacuna infer` against the published files.
// lacuna-verify --batch LIST: many; a line of LIST is a problem, a certificate and 'raised' or 'stated', with tabs between.
// Exit code 0: protected, or all that is claimed is shown; 2, 3, 5, 6: as scripts/verify_certificate.py says; 1: bad input.
import { readFileSync } from 'node:fs';

import { verify, verifyInference } from '../index.js';

const WORST_FIRST = [1, 2, 6, 5, 0];

/** @param {string} path */
const load = path => new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));

/** @param {import('../index.js').Tally} tally @param {string} what */
function tallyText(tally, what) {
  const more = ['waived', 'unasked'].filter(word => tally[word] > 0).map(word => `, ${word} ${tally[word]}`);
  const { asked, exposed, undecided } = tally;
  const counts = `confirmed protected ${tally.protected}, confirmed exposed ${exposed}, undecided ${undecided}`;
  return `${asked} ${what}, ${counts}${more.join('')}`;
}

/** @param {string} problem @param {string} certificate @param {string | undefined} zeroLevels */
function judge(problem, certificate, zeroLevels) {
  if (zeroLevels !== undefined && zeroLevels !== 'stated' && zeroLevels !== 'raised')
    throw new Error('zero levels are stated or raised');
  const found = verify(load(problem), load(certificate), { zeroLevels });
  const counts = found.questions.asked ? '; ' + tallyText(found.questions, 'questions about counts') : '';
  console.log(`${found.verdict}: ${tallyText(found.requirements, 'requirements')}${counts}`);
  if (found.hasBound) console.log('the log of the bound is not checked here: lacuna verify does it');
  return found.code;
}

/** @param {string} inference @param {string[]} paths */
function judgePublic(inference, paths) {
  const text = load(inference);
  const { files } = verifyInference(text);
  if (files.length !== paths.length) throw new Error(`the certificate is about ${files.length} files: ${files.join(', ')}`);
  const found = verifyInference(text, Object.fromEntries(files.map((name, i) => [name, load(paths[i])])));
  const ends = `${found.missing} ends not shown`;
  console.log(`${found.intervals} intervals, ${found.compared} published numbers and blanks compared, ${ends}`);
  if (found.corrections)
    console.log(`${found.corrections} published numbers are corrected: the intervals hold for these numbers`);
  if (found.notCompared) console.log(`${found.notCompared} numbers and blanks were not compared`);
  return found.code;
}

/** @param {string} path */
function batch(path) {
  const codes = load(path)
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [problem, certificate, zeros] = line.split('\t');
      try {
        return judge(problem, certificate, zeros);
      } catch (error) {
        console.log('bad input: ' + /** @type {Error} */ (error).message.replaceAll('\n', ' '));
        return 1;
      }
    });
  return WORST_FIRST.find(code => codes.includes(code)) ?? 0;
}

/** @param {string[]} words */
function main(words) {
  if (words.length === 2 && words[0] === '--batch') return batch(words[1]);
  if (words.length > 2 && words[0] === '--public') return judgePublic(words[1], words.slice(2));
  const isPair = words.length === 2 || (words.length === 4 && words[2] === '--zero-levels');
  if (!isPair) throw new Error('this is called as: lacuna-verify PROBLEM CERTIFICATE [--zero-levels stated|raised]');
  return judge(words[0], words[1], words[3]);
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  console.error('lacuna-verify: ' + /** @type {Error} */ (error).message);
  process.exitCode = 1;
}
