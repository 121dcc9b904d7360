// SPDX-License-Identifier: Apache-2.0
// The button of src/app/report/verifier_part.cpp. Before it, in the same function, stand the modules of
// packaging/npm/lib.
const byId = id => document.getElementById(id);
const textOf = id => byId(id).textContent;
const counted = (count, one, many) => count + ' ' + (count === 1 ? one : many);

// The numbers that the page shows are those of the certificate: true values, and which are published as they are.
function checkOfficePage(problem, certificate) {
  if (!byId('data')) return;
  const data = JSON.parse(textOf('data')), shown = data.text.split('|'), own = data.value.split('|');
  need(shown.length === problem.cells.length, 'the page shows other cells than the certificate');
  const unit = 10n ** (problem.decimals ?? 0n);
  const listed = new Set(certificate.release.map(entry => Number(entry.cell)));
  problem.cells.forEach((cell, i) => {
    const value = parseQuotient(own[i] || shown[i]);
    need(value.n * unit === cell.value * value.d, 'the page shows another number than the certificate for cell ' + i);
    const exact = data.adjusted ? true : (data.state[i] === 'e') === !listed.has(i);
    need(exact, 'the page says something else about the release than the certificate for cell ' + i);
  });
}

// Each interval that the page lists is one of the certificate.
function checkPublicPage(root) {
  const known = new Map();
  for (const item of root.intervals) {
    const key = String(item.cell);
    known.set(key, [...(known.get(key) || []), item]);
  }
  const isEnd = (end, text) => (end === null ? !/\d/.test(text) : end === text);
  for (const row of document.querySelectorAll('tr[data-cell]')) {
    const [, low, high] = [...row.cells].map(cell => cell.textContent);
    const found = (known.get(row.dataset.cell) || []).some(item => isEnd(item.lower, low) && isEnd(item.upper, high));
    need(found, 'the page lists an interval that the certificate does not have: ' + row.cells[0].textContent);
  }
}

function officeText() {
  const problem = parseExact(textOf('verifier-problem')), certificate = parseExact(textOf('verifier-certificate'));
  const found = verifyParsed(problem, certificate, JSON.parse(textOf('verifier-options')));
  checkOfficePage(problem, certificate);
  const tell = (tally, what) => (tally.asked ? what + ': ' + ['protected', 'exposed', 'undecided', 'waived', 'unasked']
    .filter(word => tally[word]).map(word => tally[word] + ' ' + word).join(', ') + '. ' : '');
  return 'Checked in this browser: ' + found.verdict + '. ' + tell(found.requirements, 'Requirements') +
    tell(found.questions, 'Questions about counts') + 'The numbers of this page are those of the certificate.' +
    (found.hasBound ? ' The log of the bound was not checked here.' : '');
}

async function publicText() {
  const root = parseExact(textOf('verifier-inference')), texts = new Map();
  for (const file of byId('published').files || []) {
    const name = root.files.find(each => each.split(/[\\/]/).pop() === file.name);
    need(name !== undefined, file.name + ' is not one of the published files: ' + root.files.join(', '));
    texts.set(name, await file.text());
  }
  const found = verifyInferenceParsed(root, texts);
  checkPublicPage(root);
  const ends = found.missing ? counted(found.missing, 'end is', 'ends are') + ' not shown by the proofs' : 'the proofs show all ends';
  const compared = found.compared ? counted(found.compared, 'published number or blank stands', 'published numbers and blanks stand') +
    ' in the files as the certificate says' : 'the published numbers were taken from the certificate';
  const rest = found.compared && found.notCompared ? ', and ' + found.notCompared + ' were not compared' : '';
  return `Checked in this browser: ${counted(found.intervals, 'interval', 'intervals')}, ${ends}; ${compared}${rest}.`;
}

async function check() {
  const out = byId('verified');
  out.className = '';
  out.textContent = 'Checking\u2026';
  await new Promise(done => setTimeout(done, 20)); // so that the word is seen
  try {
    out.textContent = byId('verifier-inference') ? await publicText() : officeText();
  } catch (error) {
    out.className = 'exposed';
    out.textContent = 'Refused: ' + error.message + '. The page proves nothing.';
  }
  document.body.dataset.verified = out.className === '' ? 'yes' : 'no';
}
byId('verify').onclick = check;
