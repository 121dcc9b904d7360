// SPDX-License-Identifier: Apache-2.0
// Colours have a contrast of at least 4.5 to 1 against their ground, in both schemes; states are
// told by a sign and a border as well as by colour.
#include "report/page_assets.h"

namespace lacuna::inline report {

const char kPageStyle[] = R"css(
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1a1c1e; --soft: #55595e;
  --line: #c9cdd2; --head: #eef1f4; --mark-w: #f6d5cf; --mark-i: #fdeebc; --mark-r: #d6e8f7;
  --mark-p: #9c1f10; --good: #1c6b32; --bad: #a3180b; --link: #14508f; --s0: #1f5fa8;
  --s1: #b3451d; --s2: #2c7a3f; --s3: #7a3b9c; --s4: #7a6200; --s5: #0b7285; }
@media (prefers-color-scheme: dark) { :root { --ground: #16181b; --ink: #e8eaed; --soft: #b3b8be;
  --line: #464b52; --head: #24282d; --mark-w: #5c2018; --mark-i: #4d4112; --mark-r: #173c5c;
  --mark-p: #ffab9d; --good: #7fd497; --bad: #ff9d8f; --link: #9cc7f5; --s0: #7db5f0;
  --s1: #f0a076; --s2: #84d197; --s3: #d0a1ec; --s4: #dcc75a; --s5: #6fd3e3; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 84rem; padding: 1rem 1.5rem 3rem; background: var(--ground);
  color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: .4rem 0; }
h2 { font-size: 1.15rem; margin: 1.8rem 0 .5rem; }
p.note, .soft { color: var(--soft); }
.verdict { font-weight: bold; padding: .15rem .6rem; border: 2px solid; border-radius: .3rem; }
.verdict.protected { color: var(--good); } .verdict.exposed, .verdict.undecided { color: var(--bad); }
dl.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr));
  gap: .25rem 1.5rem; margin: 0; }
dl.facts div { display: flex; gap: .6rem; border-bottom: 1px solid var(--line); padding: .15rem 0; }
dl.facts dt { color: var(--soft); flex: 1; } dl.facts dd { margin: 0; text-align: right;
  overflow-wrap: anywhere; }
.tools { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .5rem 0; }
select, button, input { font: inherit; color: inherit; background: var(--head);
  border: 1px solid var(--line); border-radius: .25rem; padding: .1rem .5rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 1px; }
#grid { overflow: auto; border: 1px solid var(--line); position: relative; max-height: 72vh; }
#grid table { position: sticky; top: 0; left: 0; border-collapse: collapse; table-layout: fixed; }
#space { position: absolute; top: 0; left: 0; pointer-events: none; }
#grid th, #grid td { height: 26px; padding: 0 .45rem; border: 1px solid var(--line);
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis; font-weight: normal; }
#grid thead th, #grid tbody th { background: var(--head); text-align: left; }
#grid td { text-align: right; font-variant-numeric: tabular-nums; cursor: pointer;
  background: var(--ground); }
#grid th button { border: 0; background: none; padding: 0 .3rem 0 0; cursor: pointer; width: 1.3em; }
td.w { background: var(--mark-w) !important; } td.i { background: var(--mark-i) !important; }
td.r, td.a { background: var(--mark-r) !important; }
td.p { box-shadow: inset 0 0 0 2px var(--mark-p); }
td.none { color: var(--soft); }
td[aria-selected=true] { outline: 3px solid var(--link); outline-offset: -3px; }
.legend span { display: inline-block; margin-right: 1rem; }
.legend i { display: inline-block; min-width: 2.2em; padding: 0 .3em; text-align: center;
  font-style: normal; border: 1px solid var(--line); }
.legend i.w { background: var(--mark-w); } .legend i.i { background: var(--mark-i); }
.legend i.r { background: var(--mark-r); } .legend i.p { box-shadow: inset 0 0 0 2px var(--mark-p); }
#detail { border: 1px solid var(--line); background: var(--head); padding: .5rem .8rem;
  margin-top: .6rem; min-height: 2.8rem; white-space: pre-line; }
#sensitive { overflow-x: auto; }
table.list { border-collapse: collapse; width: 100%; }
table.list th, table.list td { border: 1px solid var(--line); padding: .15rem .5rem;
  text-align: left; }
table.list th { background: var(--head); }
.exposed, .undecided { color: var(--bad); font-weight: bold; } .protected { color: var(--good); }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 1rem; }
figure { margin: 0; } .plots svg { width: 100%; height: auto; }
@media print { :root { color-scheme: light; --ground: #fff; --ink: #000; --soft: #333;
  --head: #eee; --line: #888; --mark-w: #f6d5cf; --mark-i: #fdeebc; --mark-r: #d6e8f7;
  --mark-p: #9c1f10; --good: #1c6b32; --bad: #a3180b; --s0: #1f5fa8; }
  body { max-width: none; padding: 0; font-size: 11px; } .tools, #grid button { display: none; }
  #grid { max-height: none; height: auto !important; overflow: visible; border: 0; } #grid table { position: static; }
  #space { display: none; } h2 { break-after: avoid; } tr, svg { break-inside: avoid; } }
)css";

}  // namespace lacuna::inline report
