#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages of the manual and completions for shells say what --help says: every command, every option,
every word that a value may be. The pages pass groff without a warning, and the shells that are here
complete as they should.

  shell_test.py <lacuna>
"""

import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile

failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))[:300]}\n{done.stdout}{done.stderr}")
    return done.stdout


def commands_of(lacuna):
    """The commands as --help lists them, those of two words included."""
    listed = re.search(r"^(?:SUBCOMMANDS|Subcommands):\n(.*)", run(lacuna, "--help"), re.M | re.S)[1]
    for name, help_text in re.findall(r"^  ([a-z]+) +(.*)", listed, re.M):
        if help_text.startswith("commands of its own"):
            inner = run(lacuna, name, "--help").split("ubcommands:\n")[-1].split("UBCOMMANDS:\n")[-1]
            yield from (f"{name} {word}" for word in re.findall(r"^  ([a-z]+) ", inner, re.M))
        elif name != "bench":  # whose options are those of another program, lacuna-bench
            yield name


def options_of(lacuna, command):
    """The options of a command as its --help lists them, with the words of those that have a choice."""
    options = {}
    for line in run(lacuna, *command.split(), "--help").splitlines():
        listed = re.match(r"  (?:[A-Z]+ ?,?)?((?:-\w|--[a-z][\w-]*)(?:,(?:-\w|--[a-z][\w-]*))*)(?: (\S+))?", line)
        if not listed:
            continue
        words = listed[2] or ""
        for name in listed[1].split(","):
            options[name] = words.split("|") if re.fullmatch(r"[\w-]+(\|[\w-]+)+", words) else []
    return options


def plain(page):
    """What of the page is read."""
    text = re.sub(r"\\f[BIR]|\\&|\\:", "", page)
    return text.replace("\\-", "-").replace("\\(aq", "'")


def tags_of(page):
    """The options that have an entry of their own."""
    entries = re.findall(r"^\.TP\n(.*)", page, re.M)
    return {name for tag in entries for name in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", plain(tag))}


def differing(options, page):
    """Options that are in one of the two and not in the other."""
    return set(options) ^ tags_of(page)


def check_pages(lacuna, commands, folder):
    (folder / "lacuna.1").write_text(run(lacuna, "--man"))
    first = plain((folder / "lacuna.1").read_text())
    for name in commands:
        expect(f"\nlacuna {name}\n" in first, f"lacuna(1) does not list {name}")
        page = run(lacuna, "--man", *name.split())
        expect(page == run(lacuna, "--man", name.replace(" ", "-")), f"--man {name}: two pages")
        expect(f"lacuna-{name.replace(' ', '-')} - " in plain(page), f"--man {name}: NAME is missing")
        options = options_of(lacuna, name)
        wrong = differing(options, page)
        expect(not wrong, f"--help and --man of {name} differ in {sorted(wrong)}")
        for words in options.values():
            expect(all(word in plain(page) for word in words), f"--man {name} lacks one of {words}")
        (folder / f"lacuna-{name.replace(' ', '-')}.1").write_text(page)
    expect(not differing(options_of(lacuna, ""), (folder / "lacuna.1").read_text()), "--help and --man differ")
    # A page without one of its entries must be found.
    page = run(lacuna, "--man", "audit")
    expect(differing(options_of(lacuna, "audit"), page.replace("\\-\\-certificate", "\\-\\-x")), "nothing is missed")


def check_roff(folder):
    if not shutil.which("groff"):
        print("no groff here: the pages were not formatted")
        return
    for page in sorted(folder.glob("*.1")):
        done = subprocess.run(
            ["groff", "-ww", "-man", "-Tutf8", "-Kutf8", "-z", page], capture_output=True, text=True
        )
        expect(done.returncode == 0 and not done.stderr, f"groff of {page.name}: {done.stderr[:300]}")
    if shutil.which("man"):
        done = subprocess.run(
            ["man", "--warnings", "-E", "UTF-8", "-l", folder / "lacuna-protect.1"], capture_output=True, text=True
        )
        expect(not done.stderr and "--certificate" in done.stdout, f"man of lacuna-protect: {done.stderr[:300]}")


# Words before the cursor, the last one being completed: what must be offered, and what must not.
CASES = [
    (["pro"], ["protect"], ["audit", "ptable"]),
    (["pt"], ["ptable"], ["protect"]),
    (["ptable", ""], ["make", "check", "convert"], ["protect"]),
    (["ptable", "make", "--va"], ["--variance"], ["--method"]),
    (["protect", "--met"], ["--method"], ["--midpoint"]),
    (["protect", "--method", "ro"], ["round"], ["suppress"]),
    (["protect", "x.csv", "--effort", ""], ["fast", "default", "best"], ["round"]),
    (["protect", "--public", "fi"], ["file.csv"], ["fish"]),
    (["protect", "fi"], ["file.csv"], ["fish"]),
    (["convert", "--spl"], [], ["--split"]),  # of ptable convert alone, if of any
    (["--comp"], ["--completion"], ["--method"]),
    (["--completion", "z"], ["zsh"], ["bash"]),
]


def bash_offers(script, words, folder):
    quoted = " ".join(f"'{word}'" for word in ["lacuna", *words])
    code = f"source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words)}; _lacuna; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return run("bash", "--norc", "-euc", code, cwd=folder).split()


def fish_offers(script, words, folder):
    line = " ".join(["lacuna", *words])
    code = f"source {script}; complete -C '{line}'"
    lines = run("fish", "--no-config", "-c", code, cwd=folder, env={"HOME": str(folder), "PATH": "/usr/bin:/bin"})
    return [line.split("\t")[0] for line in lines.splitlines()]


def check_shell(lacuna, shell, offers, commands, folder):
    script = folder / f"lacuna.{shell}"
    script.write_text(run(lacuna, "--completion", shell))
    if not shutil.which(shell):
        print(f"no {shell} here: its completion was only read")
        return
    for words, wanted, unwanted in CASES:
        found = offers(script, words, folder)
        expect(set(wanted) <= set(found), f"{shell}: {words} offers {found}, not {wanted}")
        expect(not set(unwanted) & set(found), f"{shell}: {words} offers one of {unwanted}")
    for name in commands:  # all options of all commands, and the words of their values
        options = options_of(lacuna, name)
        found = set(offers(script, [*name.split(), "--"], folder))
        wanted = {option for option in options if option.startswith("--")}
        expect(wanted <= found, f"{shell}: lacuna {name} -- does not offer {sorted(wanted - found)}")
        if shell == "bash":
            expect(wanted | {"-h"} | {o for o in options if len(o) == 2} >= found, f"{shell}: {name}: more than there is")


def check_bash_equals(lacuna, folder):
    """bash takes --method=ro apart."""
    found = bash_offers(folder / "lacuna.bash", ["protect", "--method", "=", "ro"], folder)
    expect(found == ["round"], f"bash: --method=ro offers {found}")
    found = bash_offers(folder / "lacuna.bash", ["protect", "--method", "="], folder)
    expect("suppress" in found, f"bash: --method= offers {found}")


def check_zsh(lacuna, commands, folder):
    text = run(lacuna, "--completion", "zsh")
    script = folder / "_lacuna"
    script.write_text(text)
    for name in commands:
        part = text[text.index(f"\n    '{name}')") :].split(";;")[0]
        for option, words in options_of(lacuna, name).items():
            expect(re.search(rf"'\*{option}=?\[", part), f"zsh: {name} lacks {option}")
            expect(not words or f"({' '.join(words)})" in part, f"zsh: {name} lacks the words of {option}")
    if not shutil.which("zsh"):
        print("no zsh here: its completion was only read")
        return
    run("zsh", "-f", "-n", script)
    for typed, wanted in (("pro", "protect"), ("protect --method ro", "round"), ("ptable ma", "make"),
                          ("protect --max-w", "--max-withheld="), ("protect fil", "file.csv")):  # fmt: skip
        line = zsh_line(folder, typed)
        expect(line.split()[-1] == wanted, f"zsh: {typed!r} becomes {line!r}, not {wanted}")


def zsh_line(folder, typed):
    """What a line becomes when the Tab key is pressed; another key shows it and ends the shell."""
    (folder / ".zshrc").write_text(
        f"PS1='ready> '; fpath=({folder} $fpath); autoload -U compinit; compinit -u -D\n"
        f"show() {{ print -r -- \"$BUFFER\" >{folder}/line; exit }}; zle -N show; bindkey '^T' show\n"
    )
    shell, terminal = pty.fork()
    if shell == 0:
        os.chdir(folder)
        os.environ.update(ZDOTDIR=str(folder), TERM="vt100")
        os.execvp("zsh", ["zsh", "-d", "-i"])
    out, asked = b"", False
    try:
        while part := os.read(terminal, 4096):
            out += part
            if not asked and b"ready> " in out:
                os.write(terminal, f"lacuna {typed}\t\x14".encode())
                asked = True
    except OSError:  # the shell has ended
        pass
    os.waitpid(shell, 0)
    os.close(terminal)
    return (folder / "line").read_text()


def main():
    lacuna = pathlib.Path(sys.argv[1]).resolve()
    commands = list(commands_of(lacuna))
    expect({"protect", "audit", "ptable make"} <= set(commands), f"commands: {commands}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "file.csv").write_text("")
        (folder / "fish.d").mkdir()
        check_pages(lacuna, commands, folder)
        check_roff(folder)
        check_shell(lacuna, "bash", bash_offers, commands, folder)
        check_bash_equals(lacuna, folder)
        check_shell(lacuna, "fish", fish_offers, commands, folder)
        check_zsh(lacuna, commands, folder)
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(commands)} commands, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
