"""Submissions as course systems hand them over: files, folders and archives of any common kind.

    answers/ada.txt                                  a file per student
    answers/Ada Lovelace_123_assignsubmission_file_/ a folder per student, as Moodle writes them
    answers.zip                                      the same in an archive

Texts may be plain (UTF-8, UTF-16, Windows), Markdown, HTML, Word (.docx), OpenDocument (.odt), or
PDF with text, which needs the extra `papers`. Nothing in a document is run.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from html.parser import HTMLParser
from operator import itemgetter
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree
from zipfile import BadZipFile, ZipFile

from taquin.errors import InputError
from taquin.system.formatting import bytes_in_words, counted

MAX_BYTES = 16_000_000
_MAX_FILES = 10_000
_MOST_MEMBERS = 50
"""The most files of an archive that one student hands in."""
_MOODLE = re.compile(r"(.+?)_[0-9]+_assignsubmission_\w+?_?$")
"""The folder of a student: `Ada Lovelace_123_assignsubmission_file_`."""
_JUNK = re.compile(r"(?:^|/)(?:[.]|~\$|__MACOSX/|Thumbs[.]db$|desktop[.]ini$)", re.IGNORECASE)
_PICTURES = ("png", "jpg", "jpeg", "gif", "heic", "bmp", "webp", "tif", "tiff", "svg")
_ROW, _CELLS, _BREAK, _TEXT = "tr", ("}tc", "table-cell"), "br", "t"
_BLOCKS = {"p", "div", "li", "tr", "br", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "table", "ol"}


class UnreadableError(Exception):
    """A file holds no text that can be read; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Submission:
    """The text of a student's submission, or why there is none."""

    student: str
    text: str = ""
    fault: str = ""


_Entry = tuple[str, Callable[[], bytes]]
"""The path inside the folder or the archive, with slashes, and a function that reads the file."""


def is_collection(path: str) -> bool:
    """Return whether a path is a folder or an archive of submissions."""
    return os.path.isdir(path) or (os.path.isfile(path) and _is_archive(path))


def read_submissions(path: str) -> tuple[list[Submission], list[str]]:
    """Return the submissions in a folder or an archive, and the names of other files.

    Raise InputError if there are none, or too many files.
    """
    entries = sorted(_entries(path), key=itemgetter(0))
    if len(entries) > _MAX_FILES:
        raise InputError(f"{path}: expected at most {_MAX_FILES:,} files, found {len(entries):,}")
    entries = _below_common_folder([entry for entry in entries if entry[0]])
    ignored = [name for name, _ in entries if _is_ignored(name)]
    by_student: dict[str, list[_Entry]] = {}
    for name, read in entries:
        if not _is_ignored(name):
            by_student.setdefault(_owner(name), []).append((name, read))
    only_pictures = {
        _owner(name) for name in ignored if "/" in name and not _JUNK.search(name)
    } - set(by_student)
    found = [
        *(_submission(owner, files) for owner, files in by_student.items()),
        *(Submission(_student(owner), fault="no file with text") for owner in only_pictures),
    ]
    if not found:
        raise InputError(f"{path}: expected a file of answers for each student, found none")
    return _with_distinct_names(found, [*by_student, *only_pictures]), ignored


def text_of(name: str, data: bytes, is_member: bool = False) -> str:
    """Return the text of a file, or of the files of an archive; raise UnreadableError."""
    if len(data) > MAX_BYTES:
        raise UnreadableError(f"more than {bytes_in_words(MAX_BYTES)}")
    if data.startswith(b"PK\x03\x04"):
        return _document_text(data, is_member)
    if data.startswith(b"%PDF"):
        return _pdf_text(data)
    if data.startswith((b"\xd0\xcf\x11\xe0", b"{\\rtf")):
        raise UnreadableError("an old document of a word processor; save it as .docx, .pdf or .txt")
    text = _decoded(data)
    if "\0" in text:
        raise UnreadableError("a binary file")
    is_html = re.search(r"<(?:html|body|p|div|br|table)\b", text[:4000], re.IGNORECASE)
    if name.lower().endswith((".html", ".htm")) or is_html:
        page = _TextOfPage()
        page.feed(text)
        page.close()
        return "\n".join(filter(None, map(str.strip, "".join(page.parts).split("\n"))))
    return _markdown_text(text) if name.lower().endswith(".md") else text


def _entries(path: str) -> Iterator[_Entry]:
    if os.path.isdir(path):
        root = Path(path)
        for file in root.rglob("*"):
            if file.is_file():
                yield file.relative_to(root).as_posix(), file.read_bytes
        return
    try:
        archive = ZipFile(path)
    except (BadZipFile, OSError) as error:
        raise InputError(f"{path}: expected a folder or a zip archive: {error}") from None
    for info in archive.infolist():
        if not info.is_dir():
            yield info.filename, partial(_member, archive, info.filename)


def _is_archive(path: str) -> bool:
    """Return whether a file is a zip archive, but not a document, which is zipped too."""
    try:
        with ZipFile(path) as archive:
            names = archive.namelist()
    except (BadZipFile, OSError):
        return False
    return "[Content_Types].xml" not in names and "mimetype" not in names


def _member(archive: ZipFile, name: str) -> bytes:
    """Return a file of an archive, at most one byte more than the limit."""
    try:
        with archive.open(name) as file:
            return file.read(MAX_BYTES + 1)
    except (BadZipFile, OSError, RuntimeError, NotImplementedError, KeyError) as error:
        raise UnreadableError(str(error)) from None


def _below_common_folder(entries: list[_Entry]) -> list[_Entry]:
    """Return entries without the one folder that holds all of them, unless it is a student's."""
    tops = {name.partition("/")[0] for name, _ in entries if not _JUNK.search(name)}
    nested = all("/" in name for name, _ in entries)
    top = next(iter(tops), "")
    if len(tops) != 1 or not nested or _MOODLE.fullmatch(top):
        return entries
    start = len(top) + 1
    return [(name[start:], read) for name, read in entries if name.startswith(f"{top}/")]


def _is_ignored(name: str) -> bool:
    suffix = PurePosixPath(name).suffix.lower().removeprefix(".")
    return bool(_JUNK.search(name)) or suffix in _PICTURES


def _owner(name: str) -> str:
    """Return the folder of a student, or the file where there are no folders."""
    folder, slash, _ = name.partition("/")
    return folder if slash else name


def _student(owner: str) -> str:
    match = _MOODLE.fullmatch(owner)
    return match[1] if match else os.path.splitext(owner)[0] if "." in owner[1:] else owner


def _submission(owner: str, files: list[_Entry]) -> Submission:
    """Return the texts of a student's files, one below the other."""
    texts, faults = [], []
    for name, read in files:
        try:
            texts.append(text_of(name, read()))
        except (UnreadableError, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            faults.append(f"{PurePosixPath(name).name} is {reason}")
    if any(map(str.strip, texts)):
        return Submission(_student(owner), "\n".join(texts))
    fault = "; ".join(faults) or f"{counted(len(files), 'file')} without text"
    return Submission(_student(owner), fault=fault)


def _with_distinct_names(found: list[Submission], owners: list[str]) -> list[Submission]:
    """Return submissions by name; two students of one name get the names of their files."""
    names = [submission.student for submission in found]
    distinct = [
        Submission(owner if names.count(each.student) > 1 else each.student, each.text, each.fault)
        for each, owner in zip(found, owners, strict=True)
    ]
    return sorted(distinct, key=lambda submission: submission.student)


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    if data[1:2] == b"\0" or data[:1] == b"\0":
        # UTF-16 without its mark.
        return data.decode("utf-16-le" if data[1:2] == b"\0" else "utf-16-be", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _document_text(data: bytes, is_member: bool) -> str:
    """Return the text of a document of Word or LibreOffice, a line for each paragraph or row.

    Of an archive, return the texts of its files, one below the other.
    """
    try:
        archive = ZipFile(io.BytesIO(data))
        names = archive.namelist()
        part = next((n for n in ("word/document.xml", "content.xml") if n in names), None)
        if part is None:
            names = [n for n in names if not n.endswith("/") and not _is_ignored(n)]
            if is_member or not 0 < len(names) <= _MOST_MEMBERS:
                raise UnreadableError("an archive inside an archive, or one without texts")
            return "\n".join(text_of(n, _member(archive, n), True) for n in sorted(names))
        with archive.open(part) as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES or b"<!ENTITY" in content[:4000]:
            raise UnreadableError(f"a document of more than {bytes_in_words(MAX_BYTES)}")
        root = ElementTree.fromstring(content)
    except (BadZipFile, ElementTree.ParseError, OSError, RuntimeError) as error:
        raise UnreadableError(f"a damaged document: {error}") from None
    return "\n".join(_blocks(root))


def _blocks(node: ElementTree.Element) -> Iterator[str]:
    """Yield the text of each paragraph; the cells of a row of a table are one line."""
    for child in node:
        kind = child.tag.rpartition("}")[2]
        if kind in (_ROW, "table-row"):
            cells = (cell for cell in child if cell.tag.endswith(_CELLS))
            yield "\t".join(" ".join(_blocks(cell)) for cell in cells)
        elif kind in ("p", "h"):
            yield "".join(_inline(child))
        else:
            yield from _blocks(child)


def _inline(node: ElementTree.Element) -> Iterator[str]:
    is_word = node.tag.startswith("{http://schemas.openxmlformats.org")
    kind = node.tag.rpartition("}")[2]
    if node.text and (not is_word or kind == _TEXT):
        yield node.text
    for child in node:
        inner = child.tag.rpartition("}")[2]
        if inner in (_BREAK, "cr", "line-break"):
            yield "\n"
        elif inner in ("tab", "s"):
            yield " "
        elif inner not in ("instrText", "delText"):
            yield from _inline(child)
        if child.tail and not is_word:
            yield child.tail


class _TextOfPage(HTMLParser):
    """Collects the text of a page, with line breaks around its blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._hidden += tag in ("script", "style", "head")
        self.parts.append("\n" if tag in _BLOCKS else "\t" if tag in ("td", "th") else "")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style", "head") and self._hidden > 0
        self.parts.append("\n" if tag in _BLOCKS - {"br"} else "")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(re.sub(r"\s+", " ", data))


def _markdown_text(text: str) -> str:
    """Return Markdown without its marks, which are no moves."""
    text = re.sub(r"^\s*```.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^\s*(?:#+|>|[-*+])\s+", "", text, flags=re.MULTILINE)
    text = re.sub(r"^\s*\|?[\s:|-]+\|?\s*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^ *\| *| *\| *$", "", text, flags=re.MULTILINE)
    text = re.sub(r" *\| *", "\t", text)
    return re.sub(r"\*\*|__|`|\\(?=\W)", "", text)


def _pdf_text(data: bytes) -> str:
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError:
        message = 'a PDF; install "taquin[papers]" to read its text'
        raise UnreadableError(message) from None
    try:
        pages: Iterable[str] = [page.extract_text() for page in PdfReader(io.BytesIO(data)).pages]
    except (PyPdfError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UnreadableError(f"a PDF that cannot be read: {error}") from None
    text = "\n".join(pages)
    if not text.strip():
        raise UnreadableError("a PDF without text, perhaps a scan")
    return text
