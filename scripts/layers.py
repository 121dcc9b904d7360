# SPDX-License-Identifier: Apache-2.0
"""Reads src/layers.txt, the table of folders and of what each may include, and says what is wrong
with it: by itself, and against the folders and headers of the tree. Its own head says what its keys
mean; scripts/check_layers.py compares it with every #include line."""

import dataclasses
import pathlib
import re

TABLE = pathlib.Path("src/layers.txt")
TREE = pathlib.Path(__file__).resolve().parent.parent
# What stands in for parts of HiGHS in the R package: below a folder of the table, and of no row.
STAND_IN = pathlib.Path("r/src/core")
SUFFIXES = {".h", ".cpp"}
KEYS = ("holds", "namespace", "includes", "headers", "only", "never", "libraries")

# Headers of other projects, which only the folders that name the library may include; None: all may.
LIBRARIES = {
    "gmp": None,
    "fmt": None,
    "threads": None,
    "dl": None,
    # What a system has of its own: everyone else asks src/core/platform.
    "system": re.compile(
        r"^(unistd|fcntl|spawn|poll|pthread|signal|dlfcn|termios|io|conio|share|windows|bcrypt|shellapi)\.h$"
        r"|^(sys|mach-o)/"
    ),
    "highs": re.compile(r"^(Highs|highs/|lp_data/|interfaces/highs)"),
    "clp": re.compile(r"^(Clp|Coin|Osi|coin/)"),
    "eigen": re.compile(r"^(Eigen/|unsupported/Eigen/)"),
    "json": re.compile(r"^nlohmann/"),
    "toml": re.compile(r"^toml"),
    "zlib": re.compile(r"^zlib\.h"),
    "lzma": re.compile(r"^lzma"),
    "pugixml": re.compile(r"^pugi"),
    "readstat": re.compile(r"^readstat\.h"),
    "boost": re.compile(r"^boost/"),
    "cli11": re.compile(r"^CLI/"),
    "nanobind": re.compile(r"^(nanobind/|Python\.h)"),
    "r": re.compile(r"^(cpp11(\.hpp|/)|R\.h|Rinternals\.h|Rmath\.h|R_ext/)"),
}


@dataclasses.dataclass
class Row:
    """A folder of the table. `lines`: the line of the file on which each word stands."""

    folder: str
    line: int
    floor: str = ""
    holds: str = ""
    namespace: str | None = None  # None: the folder has none
    public: bool = False  # every public header of what stands above
    includes: list = dataclasses.field(default_factory=list)
    headers: list = dataclasses.field(default_factory=list)
    only: list = dataclasses.field(default_factory=list)
    never: list = dataclasses.field(default_factory=list)
    libraries: list = dataclasses.field(default_factory=list)
    lines: dict = dataclasses.field(default_factory=dict)

    @property
    def name(self):
        """A room of src/ is known by the last part of its path; anything else by all of it."""
        return self.folder.rpartition("/")[2] if self.folder.startswith("src/") else self.folder


class Layers:
    """The rows from the ground up, and what is wrong with them as (line, reason)."""

    def __init__(self, text):
        self.rows, self.faults, self.keys = [], [], {}
        self.floors = {}  # name: what it holds
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip() and not line.lstrip().startswith("#"):
                self._read(number, line)
        self.by_name = {row.name: row for row in self.rows}
        self.by_folder = {row.folder: row for row in self.rows}
        self.place = {row.name: at for at, row in enumerate(self.rows)}
        self.owner = {header: row for row in self.rows for header in row.headers}
        self._check()

    def fault(self, line, reason):
        self.faults.append((line, reason))

    # ---- reading

    def _read(self, number, line):
        words = line.split()
        if words[0] == "floor" and not line[0].isspace():
            self._open_floor(number, words)
        elif not line[0].isspace():
            self._open_row(number, words)
        elif not self.rows:
            self.fault(number, f"the line '{line.strip()}' stands before the first folder")
        elif words[0] not in KEYS:
            self.fault(number, f"'{words[0]}' is no key; the keys are {', '.join(KEYS)}")
        elif len(words) == 1:
            self.fault(number, f"nothing stands after '{words[0]}'")
        else:
            self._read_key(self.rows[-1], number, words[0], words[1:])

    def _open_floor(self, number, words):
        if len(words) < 3:
            self.fault(number, "a floor has a name and a sentence that says what it holds")
        elif words[1] in self.floors:
            self.fault(number, f"there are two floors {words[1]}")
        else:
            self.floors[words[1]] = " ".join(words[2:])

    def _open_row(self, number, words):
        if len(words) > 1:
            self.fault(number, f"a row begins with a folder and nothing else, not '{' '.join(words)}'")
        if words[0] in self.keys:
            self.fault(number, f"{words[0]} has two rows")
        self.keys[words[0]] = set()
        floor = list(self.floors)[-1] if self.floors else ""
        path = words[0].split("/")
        if path[0] == "src" and path[1:-1] != ([floor] if floor else []):
            self.fault(number, f"{words[0]} stands on the floor {floor or '(none)'}, which is not in its path")
        self.rows.append(Row(words[0], number, floor))
        if any(other.name == self.rows[-1].name and other.folder != words[0] for other in self.rows[:-1]):
            self.fault(number, f"two rooms have the name {self.rows[-1].name}")

    def _read_key(self, row, number, key, words):
        if key in ("holds", "namespace"):
            if key in self.keys[row.folder]:
                self.fault(number, f"{row.folder} has two lines '{key}'")
        self.keys[row.folder].add(key)
        if key == "holds":
            row.holds = " ".join(words)
        elif key == "namespace":
            row.namespace = None if words == ["-"] else words[0]
            if len(words) > 1:
                self.fault(number, "a namespace is a name or -")
        else:
            for word in words:
                self._add_word(row, number, key, word)

    def _add_word(self, row, number, key, word):
        if (key, word) in row.lines:
            self.fault(number, f"{row.folder} names {word} twice")
        row.lines[key, word] = number
        if key == "includes" and word == "public":
            row.public = True
        else:
            getattr(row, key).append(word)

    # ---- the table by itself

    def _check(self):
        for row in self.rows:
            for key in ("holds", "namespace"):
                if key not in self.keys[row.folder]:
                    self.fault(row.line, f"{row.folder} has no line '{key}'")
            for name in row.includes:
                self._check_include(row, name)
            for word in row.libraries:
                if word not in LIBRARIES:
                    self.fault(row.lines["libraries", word], f"scripts/layers.py knows no library '{word}'")
            for header in row.headers:
                if self.owner[header] is not row:
                    reason = f"{header} belongs to {self.owner[header].name}, too"
                    self.fault(row.lines["headers", header], reason)
            for header in row.only:
                owner = self.row_of_include(header)
                if owner is None or owner.name not in row.includes:
                    reason = f"{header} is of no folder that {row.name} includes"
                    self.fault(row.lines["only", header], reason)

    def _check_include(self, row, name):
        line = row.lines["includes", name]
        if name == row.name:
            self.fault(line, f"{name} may include itself without a word")
        elif name not in self.by_name:
            self.fault(line, f"{row.name} includes {name}, which has no row")
        elif self.place[name] > self.place[row.name]:
            way = self.way(name, row.name)
            if way:
                self.fault(line, f"a circle: {' includes '.join([row.name, *way])}")
            else:
                self.fault(line, f"{row.name} includes {name}, whose row must then stand above")

    def way(self, start, end):
        """The folders from start to end, each of which includes the next; empty if there is no way."""
        came_from, waiting = {start: None}, [start]
        while waiting and end not in came_from:
            at = waiting.pop()
            for name in self.by_name[at].includes:
                if name in self.by_name and name not in came_from:
                    came_from[name] = at
                    waiting.append(name)
        path, at = [], end
        while at is not None and at in came_from:
            path.insert(0, at)
            at = came_from[at]
        return path

    # ---- the tree

    def row_of(self, file):
        """The row of a file of the tree, given from the root, or None."""
        if file.parts[:2] == ("include", "lacuna"):
            return self.owner.get("/".join(file.parts[2:]))
        for folder in () if file.is_relative_to(STAND_IN) else file.parents:
            if folder.as_posix() in self.by_folder:
                return self.by_folder[folder.as_posix()]
        return None

    def row_of_include(self, name):
        """The row of the header that is included by this name, or None."""
        return self.row_of(include_path(name))

    def tree_faults(self, root):
        """Rows without a folder and headers that are named and not there, as (line, reason). What is
        there and has no row is a fault of that file."""
        for row in self.rows:
            if not any(path.suffix in SUFFIXES for path in (root / row.folder).rglob("*")):
                yield row.line, f"a row for {row.folder}, where no source file is"
            for key in ("headers", "only", "never"):
                for name in getattr(row, key):
                    header = include_path(f"lacuna/{name}" if key == "headers" else name)
                    if not (root / header).is_file():
                        yield row.lines[key, name], f"{header} does not exist"

    def src_rooms(self):
        """The folders of src/, from the ground up, as `core/base`."""
        return [row.folder.removeprefix("src/") for row in self.rows if row.folder.startswith("src/")]


def include_path(name):
    """Where the header that is included by this name lies."""
    return pathlib.Path("include" if name.startswith("lacuna/") else "src", name)


def read_layers(root=TREE):
    return Layers((root / TABLE).read_text("utf-8"))
