"""The files that the user code of a study reads: their identity, and a copy in which runs work.

    files = ["tab.pkl", "data/weights.npy"]        paths below the folder of the study

A study with files runs its user code in a copy of its folder that holds these files and the code:
`open("tab.pkl")` and `Path(__file__).with_name("tab.pkl")` both find the copy. So a run reads what
its key says, on every machine, and a file that the study does not name is missed at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from taquin.errors import InputError
from taquin.heuristics.user_code import MISSING, UserCode, is_below, user_code_parts
from taquin.lab.study.identity import OwnPart


@dataclass(frozen=True, slots=True)
class StudyFiles:
    """The files of a study. Raise InputError for a path that does not lead below the folder."""

    names: tuple[str, ...] = ()
    """Their paths, from the folder of the study."""
    folder: str = ""
    """The folder of the study; the current folder by default."""

    def __post_init__(self) -> None:
        for name in self.names:
            if not name or not is_below(name):
                raise InputError(f"expected a file below the folder of the study, found {name!r}")

    def parts(self, home: str = "") -> tuple[OwnPart, ...]:
        """Return the identity of each file, of the copy in `home` if there is one."""
        return tuple(OwnPart(name, self._fingerprint(home, name)) for name in self.names)

    def _fingerprint(self, home: str, name: str) -> str:
        try:
            with open(os.path.join(home or self.folder, name), "rb") as file:
                return file_digest(file, "sha256").hexdigest()[:16]
        except OSError:
            return MISSING

    @contextmanager
    def copied(self, algorithms: object) -> Iterator[str]:
        """Copy the files, and the code of some algorithms, to a folder; it is empty for no files.

        Raise InputError for a file that cannot be read.
        """
        if not self.names:
            yield ""
            return
        # A file that is in use cannot be deleted on Windows.
        with TemporaryDirectory(prefix="taquin-", ignore_cleanup_errors=True) as home:
            for name in self.names:
                target = Path(home, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                try:
                    copyfile(os.path.join(self.folder, name), target)
                except OSError as error:
                    raise InputError(
                        f"files: cannot read {name!r} in the folder of the study "
                        f"({(error.strerror or str(error)).lower()})"
                    ) from None
            for code in user_code_parts(algorithms):
                _write_code(code, home)
            yield home


def _write_code(code: UserCode, home: str) -> None:
    """Write the file of some user code, which may look at the folder that it is in."""
    if code.text is not None and code.where.endswith(".py") and is_below(code.where):
        target = Path(home, code.where)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(code.text, encoding="utf-8")


def contents(home: str) -> Mapping[str, bytes]:
    """Return the files of a folder by their paths, to send them to another machine."""
    files = (path for path in Path(home).rglob("*") if path.is_file())
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in files}


def written(files: Mapping[str, bytes]) -> TemporaryDirectory[str]:
    """Write what `contents` returned into a new folder."""
    folder = TemporaryDirectory(prefix="taquin-", ignore_cleanup_errors=True)
    for path, content in files.items():
        target = Path(folder.name, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return folder
