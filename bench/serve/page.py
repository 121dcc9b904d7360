#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast the page of `lacuna serve` opens and scrolls large tables, in Chromium without a screen.

  bench/serve/page.py LACUNA [CELLS...]      (default: 100000 1000000)

Per size a flat table is generated, opened on the page and scrolled for two seconds, down and to the right. Written:
seconds from the click on the file until the grid is drawn; frames per second while scrolling, and the longest frame;
what browser and server hold; and, since other work on the machine tells in all of these, processor time: of the
server and of the page's thread for opening, and of the page's thread per frame. The aim for 100,000 cells: open within 3
seconds, 30 frames per second (docs/serve.md). Exit code 1 if that is missed."""
import os
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
      done({count: gaps.length, frames: 1000 * gaps.length / (times[times.length - 1] - times[0]), longest: Math.max(...gaps)}); }
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


def server_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class PageClock:
    """Processor time of the page's main thread."""

    def __init__(self, tab):
        self.session = tab.context.new_cdp_session(tab.page)
        self.session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def seconds(self):
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == "TaskDuration")


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
            clock = PageClock(tab)
            begin, page, server_begin = time.monotonic(), clock.seconds(), server_seconds(server.process)
            tab.click("file:large.json")
            shown = tab.grid()
            opened = time.monotonic() - begin
            page, server_work = clock.seconds() - page, server_seconds(server.process) - server_begin
            tab.page.click("#expand")
            tab.page.evaluate(SCROLL)  # once to warm up
            scrolling = clock.seconds()
            seen = tab.page.evaluate(SCROLL)
            per_frame = 1000 * (clock.seconds() - scrolling) / max(1, seen["count"])
            complaints = tab.complaints()
            assert not complaints, complaints
            print(f"{shown} cells: open {opened:.2f} s (processor: server {server_work:.2f} s, page {page:.2f} s), "
                  f"{seen['frames']:.0f} frames/s, longest {seen['longest']:.0f} ms (processor: {per_frame:.1f} ms per "
                  f"frame), server {resident(server.process)} MB; load {os.getloadavg()[0]:.1f}", flush=True)
            tab.close()
            return shown > AIM_CELLS or (opened <= AIM_SECONDS and seen["frames"] >= AIM_FRAMES)


def main():
    lacuna = sys.argv[1]
    with driven.browser() as running:
        met = [measure(lacuna, running, int(cells)) for cells in sys.argv[2:] or ("100000", "1000000")]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
