#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast the page of `lacuna serve` opens and scrolls large tables, in Chromium without a screen.

  bench/serve/page.py LACUNA [CELLS...]      (default: 100000 1000000)

Per size a flat table is generated, opened on the page and scrolled for two seconds, down and to the right. Written:
seconds from the click on the file until the grid is drawn, and of that what the server takes to answer; frames per
second while scrolling, and the longest frame; what browser and server hold. The aim for 100,000 cells: open within 3
seconds, 30 frames per second (docs/serve.md). Exit code 1 if that is missed."""
import pathlib
import re
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "browser"))
import driven  # noqa: E402  pylint: disable=wrong-import-position

driven.need_a_browser()
import served  # noqa: E402  pylint: disable=wrong-import-position

AIM_CELLS, AIM_SECONDS, AIM_FRAMES = 101_000, 3, 30
SCROLL = """() => new Promise(done => {
  const g = document.getElementById('grid'), times = [], begin = performance.now();
  const step = now => {
    times.push(now);
    g.scrollTop += 90; g.scrollLeft += 25;
    if (g.scrollTop + g.clientHeight >= g.scrollHeight - 2) g.scrollTop = 0;
    if (g.scrollLeft + g.clientWidth >= g.scrollWidth - 2) g.scrollLeft = 0;
    if (now - begin < 2000) requestAnimationFrame(step);
    else { const gaps = times.slice(1).map((t, k) => t - times[k]);
      done({frames: 1000 * gaps.length / (times[times.length - 1] - times[0]), longest: Math.max(...gaps)}); }
  };
  requestAnimationFrame(step);
})"""


def sizes_of(cells):
    """Rows and columns of a table of about so many cells, totals included."""
    columns = max(2, int((cells / 1.6) ** 0.5))
    return max(2, cells // (columns + 1)), columns


def resident(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) // 1024


def measure(lacuna, running, cells):
    with tempfile.TemporaryDirectory() as folder:
        rows, columns = sizes_of(cells)
        served.command(lacuna, folder, "generate", "-o", "large.json", "--sizes", rows, columns,
                       "--sensitive-percent", "1")
        with served.Server(lacuna, folder) as server:
            tab = driven.Tab(running, server)
            tab.page.set_default_timeout(300_000)
            tab.click("place-open")
            tab.see("file:large.json")
            begin = time.monotonic()
            tab.click("file:large.json")
            shown = tab.grid()
            opened = time.monotonic() - begin
            begin = time.monotonic()
            server.open("large.json")
            answered = time.monotonic() - begin
            tab.page.click("#expand")
            tab.page.evaluate(SCROLL)  # once to warm up
            seen = tab.page.evaluate(SCROLL)
            heap = tab.page.evaluate("() => performance.memory ? performance.memory.usedJSHeapSize / 1048576 : 0")
            complaints = tab.complaints()
            assert not complaints, complaints
            print(f"{shown} cells: open {opened:.2f} s (server's reading {answered:.2f} s), "
                  f"{seen['frames']:.0f} frames/s, longest {seen['longest']:.0f} ms, "
                  f"browser {heap:.0f} MB, server {resident(server.process)} MB", flush=True)
            tab.close()
            return shown > AIM_CELLS or (opened <= AIM_SECONDS and seen["frames"] >= AIM_FRAMES)


def main():
    lacuna = sys.argv[1]
    with driven.browser() as running:
        met = [measure(lacuna, running, int(cells)) for cells in sys.argv[2:] or ("100000", "1000000")]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
