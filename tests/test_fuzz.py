"""Every reader either reads what it is given or refuses it in a sentence, whatever it is.

What is read is made from something sound, changed at random, from seeds: the same every time.
"""

from __future__ import annotations

import json
import sqlite3
import struct
import zlib
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

from taquin.errors import TaquinError
from taquin.lab.run.database import Store
from taquin.lab.study.reading import shipped_studies, study_of_toml
from taquin.system.arrays import over, uint8
from taquin.tables import store as table_files
from taquin.tables.store import PAYLOAD, Header, TableStore
from tests.lab.made_records import made

VALUES: list[Any] = [
    *(None, True, -1, 0, 1, 2**63, 2**64, -(2**70), 10**400),
    *(1e308, float("inf"), float("nan"), 0.5),
    *("", "x", "\0", "\ud800", "\x1b[31m", "9" * 5000, [], {}, [[]], {"": None}, [1, "a", None]),
]
"""What no reader expects."""
PIECES = ["", "\0", '"', "[", "]" * 50, "[" * 3000, "{", "}", "=", "\n", "#", "9" * 5000, "1e999"]
PIECES += ["nan", "-", "é", "\ufffd", "true", "null", "'''", "inf", "_", ".", ","]
"""What no text of ours has, or not there."""


def changed(chance: Random, value: Any) -> Any:
    """Return a JSON value with one of its parts replaced, dropped or added."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        rest = {name: each for name, each in value.items() if name != key}
        match chance.randrange(6):
            case 0:
                return rest
            case 1:
                return {**value, chance.choice(["", "x", "event"]): chance.choice(VALUES)}
            case _:
                return {**rest, key: changed(chance, value[key])}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        return [*value[:at], changed(chance, value[at]), *value[at + 1 :]]
    return chance.choice(VALUES)


def damaged(chance: Random, text: str) -> str:
    """Return a text with a few characters taken out, doubled or replaced."""
    for _ in range(chance.randint(1, 3)):
        first = chance.randrange(len(text) + 1)
        last = min(len(text), first + chance.choice([0, 1, 5, 40]))
        put = chance.choice([*PIECES, text[first:last] * 2])
        text = text[:first] + put + text[last:]
    return text


def test_table_headers_are_read_or_faulty(tmp_path: Path) -> None:
    chance = Random("headers")
    store = TableStore(tmp_path)
    path = store.path_of("table")
    table = over(bytes(range(250)) * 20, uint8)
    facts = {"kind": "test", "rows": 2, "tiles": [1, 2]}
    table_files.write(path, Header(facts, table.nbytes, 0.5), table)
    body = path.read_bytes()[PAYLOAD:]
    sound = {"facts": facts, "nbytes": table.nbytes, "seconds": 0.5}
    for turn in range(300):
        text = json.dumps(changed(chance, sound))
        content = (damaged(chance, text) if turn % 2 else text).encode(errors="surrogatepass")
        head = table_files.MAGIC + struct.pack("<II", zlib.crc32(content), len(content)) + content
        path.write_bytes(head.ljust(PAYLOAD, b"\0")[:PAYLOAD] + body)
        (entry,) = store.tables()
        fault = store.verify("table")
        assert entry.fault is None or fault is not None
        assert fault is None or 0 < len(fault) < 200


def test_study_files_are_read_or_refused() -> None:
    chance = Random("studies")
    package = files("taquin.lab")
    texts = [
        (package / "studies" / f"{name}.toml").read_text(encoding="utf-8")
        for name in shipped_studies()
    ]
    said = []
    for _ in range(150):
        try:
            study_of_toml(damaged(chance, chance.choice(texts)))
        except TaquinError as error:
            said.append(str(error))
    assert len(said) > 75
    assert all(0 < len(sentence) < 2000 for sentence in said)


def test_records_are_read_or_left_out_with_their_fault(tmp_path: Path) -> None:
    chance = Random("records")
    path = tmp_path / "a.sqlite"
    with Store(path, write=True) as store:
        store.add(made(f"board {number}", columns={"size": 3}) for number in range(4))
    connection = sqlite3.connect(path)
    columns = [f'"{row[1]}"' for row in connection.execute("PRAGMA table_info(records)")]
    cells = [
        *(None, -1, 0, 2**63 - 1, 1e308, float("inf"), "", "x", "\0", b"\xff", "9" * 5000),
        *("[]", "{", '{"a": [', '{"a": {}}', "\x1b[31m", "[" * 9000),
    ]
    refused = 0
    for _ in range(300):
        column, value = chance.choice(columns), chance.choice(cells)
        before = connection.execute("SELECT * FROM records WHERE rowid = 1").fetchone()
        try:
            with connection:
                connection.execute(f"UPDATE records SET {column} = ? WHERE rowid = 1", [value])
        except sqlite3.IntegrityError:
            continue
        with Store(path) as store:
            found = store.all_records()
        assert len(found) + len(found.faults) == 4
        assert all(len(fault) < 500 for fault in found.faults)
        refused += len(found.faults)
        marks = ", ".join("?" * len(columns))
        with connection:
            connection.execute("DELETE FROM records WHERE rowid = 1")
            connection.execute(
                f"INSERT INTO records (rowid, {', '.join(columns)}) VALUES (1, {marks})", before
            )
    connection.close()
    assert refused > 50
