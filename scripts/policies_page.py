#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the part of docs/policies.md that is made from src/data/policies/*.toml: what stands between
the comments `<!-- made by scripts/policies_page.py -->` and `<!-- end -->`.

  scripts/policies_page.py           write it anew
  scripts/policies_page.py --check   exit 1 if the page is not as it would be written, or if a file
                                     lacks a field
  scripts/policies_page.py --self-test
"""

import datetime
import pathlib
import re
import sys
import tomllib

TREE = pathlib.Path(__file__).resolve().parent.parent
FOLDER = TREE / "src/data/policies"
PAGE = TREE / "docs/policies.md"
MADE = re.compile(r"(<!-- made by scripts/policies_page\.py -->\n).*?(<!-- end -->\n)", re.S)
FIELDS = "title agency source address date read licence says readers without".split()
SECTIONS = {"rule", "levels", "counts", "attackers", "options"}


def faults_of(name, text):
    """What is wrong with the text of a policy, a sentence each."""
    if not text.startswith("# SPDX-License-Identifier: Apache-2.0\n"):
        yield f"{name}: the first line must name the licence of the file"
    policy = tomllib.loads(text)
    source = policy.get("policy", {})
    for field in FIELDS:
        if not isinstance(source.get(field), str) or not source[field].strip():
            yield f"{name}: [policy] lacks {field}"
    for key in sorted(set(source) - set(FIELDS)):
        yield f"{name}: [policy] has {key}, which no policy has"
    for section in sorted(set(policy) - SECTIONS - {"policy"}):
        yield f"{name}: no policy has {section}"
    if not {"rule", "counts"} & set(policy):
        yield f"{name}: there is neither [[rule]] nor [counts]"
    if not re.match(r"https?://\S+$", source.get("address", "")):
        yield f"{name}: address is no address"
    try:
        datetime.date.fromisoformat(source.get("read", ""))
    except ValueError:
        yield f"{name}: read is no date such as 2026-11-19"
    if re.search(r"[^\x20-\x7e\n]", text):
        yield f"{name}: a sign that is not ASCII, for terminals that show no other"


def rule_text(rule):
    keys = ", ".join(f"{key} = {value}" for key, value in rule.items() if key != "type")
    return f"{rule['type']} ({keys})"


def settings_text(section):
    def shown(value):
        return ", ".join(value) if isinstance(value, list) else str(value)

    return ", ".join(f"{key} = {shown(value)}" for key, value in section.items())


def sentence(text):
    return text if text.endswith((".", "!", "?")) else text + "."


def entry(name, policy):
    source = policy["policy"]
    yield f"### {name}"
    yield ""
    yield f"**{source['title']}** ({source['agency']}). {sentence(source['says'])}"
    yield ""
    if "counts" in policy:
        yield f"- Counts: {settings_text(policy['counts'])}."
    if "rule" in policy:
        yield f"- Amounts: {'; '.join(rule_text(rule) for rule in policy['rule'])}."
    if "options" in policy:
        yield f"- Options of `protect`: {settings_text(policy['options'])}."
    yield f"- Readers: {sentence(source['readers'])}"
    yield f"- Not applied: {sentence(source['without'])}"
    yield (
        f"- Source: {source['source']}, <{source['address']}>. Date: {source['date']}; "
        f"read on {source['read']}. Licence of the text: {sentence(source['licence'])}"
    )
    yield ""


def made(policies):
    lines = [
        "",
        "| Name | Agency | Counts below | Contributors at least | Others |",
        "|---|---|---|---|---|",
    ]
    for name, policy in policies.items():
        rules = policy.get("rule", [])
        frequency = [str(rule["n"]) for rule in rules if rule["type"] == "frequency"]
        others = [rule_text(rule) for rule in rules if rule["type"] != "frequency"]
        if "options" in policy:
            others.append(settings_text(policy["options"]))
        threshold = policy.get("counts", {}).get("threshold", "")
        zeros = policy.get("counts", {}).get("zeros") == "sensitive"
        lines.append(
            f"| [`{name}`](#{name}) | {policy['policy']['agency']} | "
            f"{threshold}{', and zeros' if zeros else ''} | {', '.join(frequency)} | "
            f"{'; '.join(others)} |"
        )
    lines.append("")
    for name, policy in policies.items():
        lines += entry(name, policy)
    return "\n".join(lines)


def written(page, policies):
    if not MADE.search(page):
        raise SystemExit(f"policies_page: {PAGE.name} has no place for what is made")
    return MADE.sub(lambda found: found.group(1) + made(policies) + found.group(2), page)


def self_test():
    good = next(iter(sorted(FOLDER.glob("*.toml")))).read_text("utf-8")
    assert list(faults_of("good", good)) == []
    for old, new, word in (
        ("# SPDX", "# SPD", "licence"),
        ("readers = ", "reader = ", "lacks readers"),
        ("[counts]", "[count]", "no policy has count"),
        ("address = \"http", "address = \"htt", "address"),
        ("read = \"2026", "read = \"in 2026", "date"),
    ):
        assert old in good, old
        assert any(word in fault for fault in faults_of("bad", good.replace(old, new, 1))), word
    print("policies_page: says no")


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if arguments not in ([], ["--check"]):
        raise SystemExit(__doc__)
    files = sorted(FOLDER.glob("*.toml"))
    faults = [fault for file in files for fault in faults_of(file.name, file.read_text("utf-8"))]
    for fault in faults:
        print(f"policies_page: {fault}")
    if faults or not files:
        sys.exit(1)
    policies = {file.stem: tomllib.loads(file.read_text("utf-8")) for file in files}
    before = PAGE.read_text("utf-8")
    after = written(before, policies)
    if arguments == ["--check"] and before != after:
        print("policies_page: docs/policies.md is not what scripts/policies_page.py writes")
        sys.exit(1)
    if not arguments:
        PAGE.write_text(after, "utf-8")
    print(f"policies_page: {len(files)} policies")
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
