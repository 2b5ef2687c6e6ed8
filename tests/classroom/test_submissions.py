"""Submissions as students hand them in: every format, every habit; no right answer gets nothing."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest

from taquin.classroom import submissions
from taquin.classroom.submissions import UnreadableError, read_submissions, text_of
from tests.cli.runs import run

BOARDS = "1 2 3 / 4 0 5 / 7 8 6\n1 2 3 / 4 5 6 / 0 7 8\n1 2 3 / 4 5 0 / 7 8 6\n"
"""Solved by LU, LL and U of the tiles."""


def docx(*paragraphs: str, rows: tuple[tuple[str, ...], ...] = ()) -> bytes:
    """Return a document of Word with paragraphs and a table."""
    w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    text = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in paragraphs)
    cells = (
        "".join(f"<w:tc><w:p><w:r><w:t>{cell}</w:t></w:r></w:p></w:tc>" for cell in row)
        for row in rows
    )
    table = "".join(f"<w:tr>{row}</w:tr>" for row in cells)
    body = f"{text}<w:tbl>{table}</w:tbl>" if rows else text
    return archive(
        {
            "[Content_Types].xml": "<Types/>",
            "word/document.xml": f'<w:document xmlns:w="{w}"><w:body>{body}</w:body></w:document>',
        }
    )


def archive(files: dict[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with ZipFile(stream, "w") as out:
        for name, content in files.items():
            out.writestr(name, content)
    return stream.getvalue()


def pdf(*lines: str) -> bytes:
    """Return a PDF of one page with lines of text."""
    shown = "".join(f"({line}) Tj T* " for line in lines)
    stream = f"BT /F1 12 Tf 14 TL 50 800 Td {shown}ET"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R"
        "/Resources<</Font<</F1 5 0 R>>>>>>",
        f"<</Length {len(stream)}>>stream\n{stream}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    text, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(text))
        text += f"{number} 0 obj{content}endobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"trailer<</Size 6/Root 1 0 R>>\nstartxref\n{len(text)}\n%%EOF"
    return f"{text}xref\n0 6\n0000000000 65535 f \n{table}{end}".encode()


FILES: dict[str, bytes] = {
    "letters.txt": b"LU\nLL\nU\n",
    "numbered.txt": b"1: LU\n2: LL\n3: U\n",
    "questions.txt": b"Q1: left up\nQ2: left left\nQ3: up\n",
    "lettered.txt": b"(a) LU\n(b) LL\n(c) U\n",
    "lettered2.txt": b"a) left, up\nb) left, left\nc) up\n",
    "sentences.txt": b"1: move 5 left, then move 6 up\n2: 7 left and 8 left\n3: slide tile 6 up\n",
    "one move a line.txt": b"Board 1:\nleft\nup\n\nBoard 2:\nleft\nleft\n\nBoard 3:\nup\n",
    "steps.txt": b"Board 1\n1. 5 left\n2. 6 up\nBoard 2\n1. 7 left\n2. 8 left\nBoard 3\n1. 6 up\n",
    "remarks.txt": b"1: LU (easy!)\n2: LL I think this is the shortest\n3: U done\n",
    "german.txt": b"Aufgabe 1: links, hoch\nAufgabe 2: links, links\nAufgabe 3: nach oben\n",
    "german2.txt": "1: Stein 5 nach links, dann 6 nach oben\n2: 7 links 8 links\n3: 6 hoch".encode(
        "cp1252"
    ),
    "french.txt": b"1: gauche, haut\n2: gauche puis gauche\n3: vers le haut\n",
    "spanish.txt": b"1: izquierda, arriba\n2: izquierda y luego izquierda\n3: arriba\n",
    "utf16.txt": "1: LU\n2: LL\n3: U\n".encode("utf-16"),
    "utf16 without mark.txt": "1: LU\n2: LL\n3: U\n".encode("utf-16-le"),
    "arrows.txt": "1: ⬅️⬆️\n2: ⇦⇦\n3: ⇑\n".encode(),
    "dashes.txt": "1 – L–U\n2 — L—L\n3 – U\n".encode(),
    "markdown.md": b"# Homework\n\n**Board 1:** `LU`\n\n**Board 2:** `LL`\n\n**Board 3:** `U`\n",
    "list.md": b"- Board 1: LU\n- Board 2: LL\n- Board 3: U\n",
    "page.html": b"<html><head><title>x</title></head><body><p>1: LU<p>2: LL<br>3: U</body></html>",
    "word.docx": docx("Board 1: LU", "Board 2: LL", "Board 3: U"),
    "table.docx": docx(rows=(("Board 1:", "LU"), ("Board 2:", "LL"), ("Board 3:", "U"))),
    "text.pdf": pdf("Board 1: LU", "Board 2: LL", "Board 3: U"),
    "answers.txt": b"Solution 1: ['L', 'U']\nSolution 2: ['L', 'L']\nAnswer to question 3 = up.\n",
    "short.txt": b"A1: LU\nA2: LL\nA3: U\n",
    "hashes.txt": b"#1 l u\n#2 l2\n#3 u\n",
    "counts.txt": b"Board 1:\n- left\n- up\nBoard 2:\n- left (2x)\nBoard 3:\n- up\n",
    "reversed.txt": b"Problem #3: U\nProblem #2: LL\nProblem #1: LU\n",
    "prose.txt": b"1. First I move 5 left, then 6 up. Done in 2 moves.\n2. 7 left, 8 left\n3. 6 up",
    "tile steps.txt": b"Puzzle 1\nStep 1: Move tile 5 to the left.\nStep 2: Move tile 6 up.\n"
    b"Puzzle 2\nStep 1: Tile 7 left.\nStep 2: Tile 8 left.\nPuzzle 3\nStep 1: Tile 6 up.\n",
    "spanish2.txt": b"1: mover 5 a la izquierda, mover 6 hacia arriba\n2: LL\n3: arriba\n",
    "invisible.html": b"<p>1. L&#8203;U</p><p>2. L&shy;L</p><p>3. U</p>",
    "cells.html": b"<table><tr><th>Board<th>Moves<tr><td>1<td>LU<tr><td>2<td>LL<tr><td>3<td>U",
    "pipes.md": b"| Board | Moves |\n|---|---|\n| 1 | LU |\n| 2 | LL |\n| 3 | U |\n",
    "rows.docx": docx(rows=(("Board", "Answer"), ("1", "5 6"), ("2", "LL"), ("3", "U"))),
    "own.zip": archive(
        {"hw/a.txt": "LU\nLL\nU", "__MACOSX/hw/._a.txt": b"\0", "hw/~$a.docx": b"x"}
    ),
    "sheet.csv": b"board,answer\n1,5 6\n2,LL\n3,U\n",
    "tabs.tsv": b"1\tLU\n2\tLL\n3\tU\n",
    "points.txt": b"1.)  L  U\n2.)  L L\n3.)  U\n",
    "tile arrows.txt": "Tafel 1: 5← 6↑\nTafel 2: 7← 8←\nTafel 3: 6↑\n".encode(),
    "lengths.txt": b"Q1 (2 moves): LU\nQ2 (2 moves): LL\nQ3 (1 move): U\n",
    "name.txt": "Étudiant: Zoë\nExercice 1: gauche haut\nProblème 2: LL\nExercice 3: haut".encode(),
}


def by_student(*words: object) -> dict[str, dict[str, object]]:
    """Return what `taquin grade` tells of each student."""
    result = run("grade", *map(str, words), "--json")
    return {each["student"]: each for each in json.loads(result.stdout)["students"]}


def graded(
    folder: Path, papers: Mapping[str, str | bytes], boards: str = BOARDS
) -> dict[str, dict[str, object]]:
    """Return what becomes of papers, each a text or the content of a file, and write them."""
    (folder / "boards.txt").write_text(boards, encoding="utf-8")
    (folder / "answers").mkdir()
    for name, content in papers.items():
        file = folder / "answers" / (name if "." in name else f"{name}.txt")
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return by_student(folder / "boards.txt", folder / "answers")


def points(students: dict[str, dict[str, object]]) -> dict[str, object]:
    return {name: each["points"] for name, each in students.items()}


def test_every_right_submission_gets_all_points(tmp_path: Path) -> None:
    pytest.importorskip("pypdf", reason="PDFs need the extra papers")
    expected = {name.rpartition(".")[0]: 6 for name in FILES}
    assert points(graded(tmp_path, FILES)) == expected


def test_an_archive_and_folders_per_student_are_read(tmp_path: Path) -> None:
    boards = tmp_path / "boards.txt"
    boards.write_text(BOARDS, encoding="utf-8")
    files: dict[str, str | bytes] = {
        "Ada Lovelace_12_assignsubmission_file_/my answers.txt": "LU\nLL\nU",
        "Ada Lovelace_12_assignsubmission_file_/~$my answers.docx": b"\0",
        "Bo Zhang_13_assignsubmission_onlinetext_/onlinetext.html": "<p>LU</p><p>LL</p><p>U</p>",
        "Cy_14_assignsubmission_file_/photo.jpg": b"\xff\xd8",
        "__MACOSX/._x": b"\0",
    }
    path = tmp_path / "all.zip"
    path.write_bytes(archive(files))
    result = run("grade", str(boards), str(path), "--json")
    students = {each["student"]: each for each in json.loads(result.stdout)["students"]}
    assert points(students) == {"Ada Lovelace": 6, "Bo Zhang": 6, "Cy": None}
    assert "no file with text" in students["Cy"]["remarks"][0]
    assert "Ignored: " in result.stderr
    assert "photo.jpg" in result.stderr
    with ZipFile(path) as out:
        out.extractall(tmp_path / "class")
    assert by_student(boards, tmp_path / "class") == students


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.doc", b"\xd0\xcf\x11\xe0", "an old document"),
        ("a.docx", b"PK\x03\x04 broken", "a damaged document"),
        ("d.zip", b"PK\x03\x04 d.txt", "a damaged document"),
        ("a.zip", archive({"b.zip": archive({"x.txt": "LU"})}), "an archive inside an archive"),
        ("a.bin", b"abc\0\1\2", "a binary file"),
        ("a.pdf", pdf(), "a PDF without text"),
    ],
)
def test_what_cannot_be_read_says_why(name: str, content: bytes, reason: str) -> None:
    with pytest.raises(UnreadableError, match=reason):
        text_of(name, content)


def test_students_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for number in (1, 2):
        folder = tmp_path / f"Kim_{number}_assignsubmission_file_"
        folder.mkdir()
        (folder / "a.txt").write_text("LU", encoding="utf-8")
    found, _ = read_submissions(str(tmp_path))
    assert [each.student for each in found] == [
        f"Kim_{number}_assignsubmission_file_" for number in (1, 2)
    ]


_UNSOLVABLE = (
    "unsolvable", "unlösbar", "insoluble", "sin solución", "impossible", "nicht lösbar",
    "It can't be solved.", "There is no solution: 1 inversion, odd", "pas de solution",
    "infeasible", "irresoluble", "no se puede resolver",
)  # fmt: skip
_DOUBTFUL = ("not unsolvable", "is it unsolvable?", "solvable, not impossible", "n/a")


def test_unsolvable_is_an_answer(tmp_path: Path) -> None:
    boards = "1 2 3 / 4 5 6 / 8 7 0\n1 2 3 / 4 0 5 / 7 8 6\n"
    papers = {f"{number}": f"1: {word}\n2: LU\n" for number, word in enumerate(_UNSOLVABLE)}
    doubtful = {f"d{number}": f"1: {word}\n2: LU\n" for number, word in enumerate(_DOUBTFUL)}
    wrong = {"wrong": "1: LU\n2: unsolvable\n"}
    assert points(graded(tmp_path, papers | doubtful | wrong, boards)) == {
        **dict.fromkeys(papers, 4),
        **dict.fromkeys(doubtful),
        "wrong": 0,
    }


def test_a_text_without_an_answer_needs_review(tmp_path: Path) -> None:
    texts = {
        "a": "I was ill, sorry.\n",
        "b": "# see my email\n",
        "c": "1: LU",
        "copied": "Puzzle 1:\n1 2 3\n4 _ 5\n7 8 6\nLU\nPuzzle 2:\nLL\nPuzzle 3:\nU\n",
        "json": '{"1": "LU", "2": "LL", "3": "U"}',
    }
    expected = {"a": None, "b": None, "c": 2, "copied": None, "json": None}
    assert points(graded(tmp_path, texts)) == expected


def test_every_student_may_have_a_variant(tmp_path: Path) -> None:
    boards = "# variant 1\n1 2 3 / 4 0 5 / 7 8 6\n# variant 2\n1 2 3 / 4 5 6 / 0 7 8\n"
    papers = {
        "a": "Variant 1\nLU",
        "b": "Bo\nVARIANT: 2\n\n7 8",
        "c": "LU",
        "d": "Variant 1\n←↑",
        "e": "Variant 1 ←↑",
        "f": "*** Variant 2 ***\n- 7 8",
        "g": "Variant 1: LU",
        "h": "Variant 11\nLU",
        "i": "Variant 2\r\n\r\n←←\r\n",
        "neither": "RD",
        "other": "Variant 2\nLU",
        "wrong": "Variant 2\nU",
    }
    students = graded(tmp_path, papers, boards)
    assert [name for name, each in students.items() if each["name"]] == ["b"]
    assert students["b"]["name"] == "Bo"
    assert points(students) == {
        # Those of c and h name no variant, but they solve one.
        **dict.fromkeys("abcdefghi", 2),
        "neither": None,
        "other": None,
        "wrong": 0,
    }
    said = "expected a line with the variant, Variant 1 to 2, found none"
    assert said in str(students["neither"]["remarks"])
    assert "solves the boards of variant 1" in str(students["other"]["remarks"])


def test_every_student_gets_a_page_of_feedback(tmp_path: Path) -> None:
    graded(tmp_path, {"ada": "LU\nLL\nU\n", "b<o>": "1: LL\n2: <b>\n"})
    boards, folder = tmp_path / "boards.txt", tmp_path / "answers"
    run("grade", str(boards), str(folder), "--feedback", str(tmp_path / "pages"))
    pages = {path.stem: path.read_text("utf-8") for path in (tmp_path / "pages").iterdir()}
    assert set(pages) == {"ada", "b_o_"}
    assert "<h1>ada: 6 of 6 points</h1>" in pages["ada"]
    assert pages["ada"].count("<svg") == 3
    # The board before the illegal second move is drawn too.
    assert "before move 2" in pages["b_o_"]
    assert pages["b_o_"].count("<svg") == 4
    assert "&lt;b&gt;" in pages["b_o_"]


def test_a_member_of_an_archive_above_the_limit_is_refused_and_not_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "MAX_BYTES", 7)
    path = tmp_path / "all.zip"
    path.write_bytes(archive({"ada.txt": "LU\nLL\nU", "bo.txt": "LU\nLL\nU\n"}))
    ada, bo = read_submissions(str(path))[0]
    assert (ada.text, ada.fault) == ("LU\nLL\nU", "")
    assert (bo.text, bo.fault) == ("", "bo.txt is more than 0.0 MB")


def test_text_between_the_parts_of_a_document_counts_only_where_the_format_has_it() -> None:
    office = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
    content = f'<d xmlns:t="{office}"><t:p>1: <t:span>L</t:span>U<t:s/>(easy)</t:p></d>'
    assert text_of("a.odt", archive({"content.xml": content})) == "1: LU (easy)"
    w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    word = f'<w:d xmlns:w="{w}"><w:p><w:r><w:t>LU</w:t>\n  </w:r>\n  </w:p></w:d>'
    assert text_of("a.docx", archive({"word/document.xml": word})) == "LU"
