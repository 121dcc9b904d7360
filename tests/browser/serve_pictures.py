#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures of docs/serve.md and the README anew.

  serve_pictures.py LACUNA EXAMPLES_FOLDER OUT_FOLDER [sheets]"""
import base64
import pathlib
import sys
import tempfile

import driven

driven.need_a_browser()
import served  # noqa: E402  pylint: disable=wrong-import-position

SIZE = {"width": 1280, "height": 760}
WINDOWS = {"wide": (1400, 900), "tablet": (820, 1100), "phone": (390, 844)}
PLACES = ("open", "rules", "table", "protect", "release", "infer", "check")
SHEET = 340  # pixels in width of a place on a sheet


def foreign_release(examples):
    """The sales table as someone might publish it: the sensitive cells crossed out, and nothing else."""
    cells = [line.split(";") for line in (examples / "sales.csv").read_text(encoding="utf-8").splitlines()]
    return "\n".join(";".join([c[0], c[1], "x" if c[4] == "u" else c[2]]) for c in cells) + "\n"


def main():
    lacuna, examples, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    with tempfile.TemporaryDirectory() as name, driven.browser() as running:
        folder = pathlib.Path(name) / "survey"
        folder.mkdir()
        served.copy_examples(examples, folder)
        (folder / "foreign.csv").write_text(foreign_release(examples), encoding="utf-8")
        served.command(lacuna, folder, "generate", "-o", "hierarchical.json", "--kind", "hierarchical", "--depths", "3",
                       "3", "--fan-least", "4", "--fan-most", "4", "--sensitive-percent", "20", "--weight", "value")
        with served.Server(lacuna, folder) as server:
            for scheme in ("light", "dark"):
                if "sheets" in sys.argv:
                    for window in WINDOWS:
                        sheet(running, server, out, scheme, window)
                    continue
                tab = driven.Tab(running, server, viewport=SIZE, color_scheme=scheme)
                pictures(tab, out, scheme)
                tab.close()
                for window in WINDOWS:
                    sheet(running, server, out, scheme, window)


def sheet(running, server, out, scheme, window):
    """Every place in a window of this size, side by side on one small picture."""
    width, height = WINDOWS[window]
    tab = driven.Tab(running, server, viewport={"width": width, "height": height}, color_scheme=scheme)
    tab.open_example("business.toml")
    tab.click(f"show:{tab.protect('suppress')}")
    tab.grid()
    tab.page.locator("#grid td.w").first.click()
    images = []
    for place in PLACES:
        tab.click("place-" + place)
        tab.rest()
        data = base64.b64encode(tab.page.screenshot(type="jpeg", quality=80)).decode()
        images.append(f'<img width="{SHEET}" src="data:image/jpeg;base64,{data}">')
    tab.close()
    context = running.new_context(viewport={"width": 4 * (SHEET + 8) + 8, "height": 400})
    page = context.new_page()
    page.set_content('<body style="margin:4px;background:#888;display:flex;flex-wrap:wrap;gap:8px">' + "".join(images))
    page.wait_for_function("() => [...document.images].every(i => i.complete)")
    page.screenshot(path=out / f"places-{window}-{scheme}.jpg", type="jpeg", quality=60, full_page=True)
    context.close()


def pictures(tab, out, scheme):
    def save(what):
        tab.page.mouse.move(640, 5)
        tab.rest()
        tab.page.screenshot(path=out / f"serve-{what}.png")

    if scheme == "dark":
        tab.open_example("linked.toml")
        tab.click(f"show:{tab.protect('suppress')}")
        tab.grid()
        tab.page.locator("#grid td.s-p").first.click()
        save("dark")
        return
    tab.open_example("sales.toml")
    tab.click("place-rules")
    save("rules")
    tab.click("place-table")
    tab.choose("A2", "East")
    save("table")
    run = tab.protect("suppress")
    other = tab.protect("round", base=10)
    tab.click("place-open")
    tab.click("file:hierarchical.json")
    tab.grid()
    long_run = tab.start("suppress", effort="best")
    tab.page.wait_for_timeout(6000)
    save("protect")
    tab.click(f"stop:{long_run}")
    tab.page.wait_for_selector(f'[data-test="run:{long_run}"][data-state=done]')
    tab.page.locator("[data-test=document]").select_option(index=0)
    tab.click("place-protect")
    tab.click(f"show:{run}")
    tab.grid()
    tab.choose("A2", "East")
    save("released")
    tab.click("place-release")
    tab.at("audit-file").set_input_files(pathlib.Path(tab.server.folder) / "foreign.csv")
    tab.page.wait_for_selector('[data-test^="exposed:"]')
    save("attack")
    tab.click("place-protect")
    for each in (run, other):
        tab.at(f"compare:{each}").check()
    tab.click(f"release:{run}")
    tab.see("compare-table")
    save("release")
    tab.click("place-open")
    tab.click("example:published.csv")
    tab.page.wait_for_selector("[data-test=infer-result][data-state=done]")
    save("published")


if __name__ == "__main__":
    main()
