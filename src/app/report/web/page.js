// SPDX-License-Identifier: Apache-2.0
// Puts the components into the places that src/app/report/page.cpp has left for them.
(function () {
  const byId = id => document.getElementById(id);
  const data = makeData(JSON.parse(byId('data').textContent));
  const findings = makeFindings(data.raw), tell = makeTeller(data, findings);
  const grid = makeGrid({ data, box: byId('grid'), tools: byId('axes'),
    onChoose: c => { byId('detail').textContent = tell(c); } });
  if (byId('sensitive') && findings.list.length)
    makeCellList({ data, findings, box: byId('sensitive'),
      onChoose: c => { grid.choose(c); byId('grid').scrollIntoView({ block: 'center' }); } });
  for (const button of document.querySelectorAll('[data-table]'))
    button.onclick = () => { grid.show(Number(button.dataset.table)); byId('grid').scrollIntoView({ block: 'center' }); };
  // Paper shows what is folded.
  const folded = () => document.querySelectorAll('details.fold:not([open])');
  let shut = [];
  window.addEventListener('beforeprint', () => { shut = [...folded()]; shut.forEach(d => { d.open = true; }); });
  window.addEventListener('afterprint', () => shut.forEach(d => { d.open = false; }));
  document.body.dataset.ready = String(data.cells);
})();
