# SPDX-License-Identifier: Apache-2.0
"""The reference pages of the site: Python from the docstrings of python/lacuna_sdc, by reading the files
(nothing is imported), R from r/man/*.Rd (Writing R Extensions, chapter 2: the macros that our pages use;
any other is an error). Part of site.py."""

import ast
import re

# ---- Python


def definitions(folder):
    """Name -> node of every class and function at the top of a module of the package."""
    found = {}
    for path in sorted(folder.glob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                found.setdefault(node.name, node)
    return found


def exported(folder):
    """The names of __all__."""
    for node in ast.parse((folder / "__init__.py").read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return [name for name in ast.literal_eval(node.value) if not name.startswith("__")]
    raise ValueError("the package has no __all__")


def signature(node, name):
    """As it would be called, in lines of at most about a hundred columns."""
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^(self|cls)(, )?", "", arguments)
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{name}({arguments}){result}"
    if len(line) <= 100:
        return line
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(arguments):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append(arguments[start:at].strip())
            start = at + 1
    parts.append(arguments[start:].strip())
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){result}"


def prose(text):
    """A docstring as Markdown: paragraphs, and examples that are indented stay as they are."""
    return (text or "").strip().replace("\n", "\n")


def options_of(node):
    """The command whose options the keywords of a function may be."""
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "with_options":
            return ast.literal_eval(decorator.args[0])
    return None


def function_text(node, name, level):
    lines = [f"{'#' * level} {name}", "", "```python", signature(node, name), "```", ""]
    lines += [prose(ast.get_docstring(node)), ""]
    command = options_of(node)
    if command:
        lines += [f"Further keywords are the options of `lacuna {command}` with underscores "
                  f"([options](../options.md)).", ""]
    return lines


def class_text(node):
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    lines = [f"### {node.name}", "", f"`class {node.name}{f'({bases})' if bases else ''}`", ""]
    lines += [prose(ast.get_docstring(node)), ""]
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and not part.name.startswith("_") and ast.get_docstring(part):
            marks = [ast.unparse(decorator) for decorator in part.decorator_list]
            if "property" in marks or "cached_property" in marks:
                kind = f": {ast.unparse(part.returns)}" if part.returns else ""
                lines += [f"**`.{part.name}`**`{kind}`" if kind else f"**`.{part.name}`**", ""]
                lines += [prose(ast.get_docstring(part)), ""]
            else:
                lines += ["```python", signature(part, f".{part.name}"), "```", "", prose(ast.get_docstring(part)), ""]
    return lines


def python_page(tree):
    folder = tree / "python" / "lacuna_sdc"
    known = definitions(folder)
    lines = ["# Python reference", "", "The package `lacuna_sdc`, made from its docstrings. "
             "[python.md](../python.md) shows how it is used.", ""]
    names = exported(folder)
    functions = [name for name in names if isinstance(known.get(name), ast.FunctionDef)]
    classes = [name for name in names if isinstance(known.get(name), ast.ClassDef)]
    lines += ["## Functions", ""]
    for name in functions:
        lines += function_text(known[name], name, 3)
    lines += ["## Classes", ""]
    for name in classes:
        lines += class_text(known[name])
    others = [name for name in names if name not in functions and name not in classes]
    if others:
        lines += ["## Other names", "", ", ".join(f"`{name}`" for name in others), ""]
    return "\n".join(lines)


# ---- R

TEXT = {"code": "`{}`", "link": "{}", "file": "`{}`", "pkg": "*{}*", "strong": "**{}**", "emph": "*{}*", "bold": "**{}**"}
SECTIONS = ["description", "usage", "arguments", "details", "format", "value", "section", "seealso", "examples"]
HEADS = {"usage": "Usage", "arguments": "Arguments", "details": "Details", "format": "Format", "value": "Value",
         "seealso": "See also", "examples": "Examples"}
SILENT = {"name", "alias", "keyword", "docType", "title"}


def group(text, at):
    """The text between the brace at `at` and its partner, and where it goes on."""
    if text[at] != "{":
        raise ValueError(f"a brace is wanted at: {text[at:at + 40]!r}")
    depth, place = 0, at
    while place < len(text):
        if text[place] == "\\":
            place += 2
            continue
        depth += (text[place] == "{") - (text[place] == "}")
        if depth == 0:
            return text[at + 1:place], place + 1
        place += 1
    raise ValueError(f"a brace is never closed: {text[at:at + 40]!r}")


def macros(text):
    """The macros of the top of a page: name, its arguments."""
    text, at = re.sub(r"(?<!\\)%.*", "", text), 0
    for match in re.finditer(r"\\(\w+)(?=\{)", text):
        if match.start() < at:
            continue
        first, at = group(text, match.end())
        arguments = [first]
        if match[1] == "section":
            second, at = group(text, at)
            arguments.append(second)
        yield match[1], arguments


def plain(text):
    """Escapes of Rd away."""
    return text.replace("\\{", "{").replace("\\}", "}").replace("\\%", "%").replace("\\dots", "...").replace("\\\\", "\\")


def inline(text):
    """Text of Rd as Markdown; lists in it become lists."""
    out, at = [], 0
    while at < len(text):
        match = re.match(r"\\(\w+)(\[[^\]]*\])?(?=\{)", text[at:])
        if match:
            inner, after = group(text, at + match.end())
            if match[1] == "describe":
                out.append("\n\n" + items(inner) + "\n\n")
            elif match[1] == "method":
                _, after = group(text, after)
                out.append(inner)
            elif match[1] in TEXT:
                inner = inline(inner)
                out.append(TEXT[match[1]].format(inner.replace("`", "") if match[1] in ("code", "file") else inner))
            else:
                raise ValueError(f"\\{match[1]} is no macro that is known here")
            at = after
        elif text[at] == "\\" and text[at + 1:at + 2] in ("{", "}", "%", "\\"):
            out.append(text[at + 1])
            at += 2
        else:
            out.append(text[at])
            at += 1
    return "".join(out).replace("\\dots", "...")


def next_item(text, at):
    """Where the next \\item outside all braces begins, or -1."""
    while at < len(text):
        if text[at] == "{":
            _, at = group(text, at)
        elif re.match(r"\\item\s*\{", text[at:]):
            return at
        else:
            at += 2 if text[at] == "\\" and text[at + 1:at + 2] in ("{", "}", "\\") else 1
    return -1


def items(text):
    """The list of \\item{}{} of arguments, values and descriptions, with what stands around it."""
    lines, at = [], 0
    while (found := next_item(text, at)) >= 0:
        if text[at:found].strip():
            lines += [inline(text[at:found].strip()), ""]
        name, after = group(text, text.index("{", found))
        what, at = group(text, text.index("{", after))
        name = name if name.startswith("\\") else f"\\code{{{name}}}"
        lines.append(f"- {inline(name)}: {' '.join(inline(what).split())}")
    return "\n".join(lines + (["", inline(text[at:].strip())] if text[at:].strip() else []))


def r_text(text):
    """One page of r/man as Markdown."""
    found = list(macros(text))
    names = [arguments[0] for name, arguments in found if name == "name"]
    titles = [arguments[0] for name, arguments in found if name == "title"]
    lines = [f"## {names[0]}", "", f"**{inline(titles[0])}**", ""]
    for name, arguments in found:
        if name in SILENT:
            continue
        if name not in SECTIONS:
            raise ValueError(f"{names[0]}: \\{name} is no section that is known here")
        if name in HEADS:
            lines += [f"### {HEADS[name]} {{: #{names[0]}-{name} }}", ""]
        if name in ("usage", "examples"):
            code = re.sub(r"\\method\{(\w[\w.]*)\}\{(\w+)\}", r"\1", arguments[0])
            code = re.sub(r"\\dontrun\{(.*?)\n\}", r"\1", code, flags=re.DOTALL)
            lines += ["```r", plain(code).strip(), "```", ""]
        elif name == "section":
            lines += [f"### {inline(arguments[0])}", "", inline(arguments[1]).strip(), ""]
        else:
            lines += [items(arguments[0]).strip(), ""]
    return "\n".join(lines)


def r_page(tree):
    lines = ["# R reference", "", "The package `lacuna`, made from its help pages. [r.md](../r.md) shows how it is used.", ""]
    for path in sorted((tree / "r" / "man").glob("*.Rd")):
        lines += [r_text(path.read_text("utf-8")), ""]
    return "\n".join(lines)


def self_test():
    """Texts that come out in another way than they should."""
    page = ("\\name{f}\\title{A}\n\\usage{\nf(x, \\dots)\n}\n\\arguments{\n\\item{x}{a \\code{\\link{g}} of 5\\%.}\n}\n"
            "\\value{b % not this\n}\n")
    made = r_text(page)
    failed = [want for want in ("## f", "f(x, ...)", "- `x`: a `g` of 5%.", "b") if want not in made]
    failed += ["a comment of Rd"] if "not this" in made else []
    for wrong in ("\\name{f}\\title{A}\\description{\\unknown{a}}", "\\name{f}\\title{A}\\value{a", "\\name{f}\\title{A}\\what{a}"):
        try:
            r_text(wrong)
            failed.append(wrong)
        except ValueError:
            pass
    node = ast.parse("def f(self, a: int, *, b: str = 'x') -> None:\n  'Says.'").body[0]
    if signature(node, "f") != "f(a: int, *, b: str='x') -> None":
        failed.append(signature(node, "f"))
    return failed
