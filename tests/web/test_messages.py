"""The message tables of the page: complete, used, with the same parameters in every language."""

from __future__ import annotations

import json
import re

import pytest

from taquin.web.endpoints import catalogue
from taquin.web.site import STATIC
from tests.web import literals

LANGUAGES = sorted(path.stem for path in (STATIC / "messages").glob("*.json"))
SCRIPTS = [path for path in STATIC.rglob("*") if path.suffix in (".js", ".html")]


def messages(language: str) -> dict[str, dict[str, str]]:
    """Return the plural forms of every message by its name; a message without them has one."""
    table = json.loads((STATIC / "messages" / f"{language}.json").read_text("utf-8"))
    return {
        f"{section}.{key}": message if isinstance(message, dict) else {"other": message}
        for section, entries in table.items()
        for key, message in entries.items()
    }


def parameters(forms: dict[str, str]) -> set[str]:
    """Return the parameters of a message; one form may leave the count out."""
    return {name for form in forms.values() for name in re.findall(r"\{(\w+)\}", form)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_messages_of_english(language: str) -> None:
    english, other = messages("en"), messages(language)
    assert list(other) == list(english)
    assert {name: parameters(forms) for name, forms in other.items()} == {
        name: parameters(forms) for name, forms in english.items()
    }
    assert [name for name, forms in other.items() if not all(forms.values())] == []
    assert [name for name, forms in other.items() if "other" not in forms] == []


def test_the_scripts_use_every_message_and_no_other() -> None:
    sources = "\n".join(path.read_text("utf-8") for path in SCRIPTS)
    sources = re.sub(r"^\s*(//|\*|/\*\*).*$", "", sources, flags=re.MULTILINE)
    names = messages("en")
    called = set(
        re.findall(r"""(?:\b(?:text|sentence|hasText)\(\s*|data-text=)"(\w+\.[\w-]+)\"""", sources)
    )
    assert called <= set(names), sorted(called - set(names))
    quoted = set(re.findall(r'"(\w+\.[\w-]+)"', sources))
    # `text(`moves.${direction}`)` uses every message whose name begins so.
    prefixes = tuple(re.findall(r"`(\w+\.[\w-]*)\$\{", sources))
    assert [name for name in names if name not in quoted and not name.startswith(prefixes)] == []


def test_every_algorithm_heuristic_and_option_has_messages() -> None:
    names = set(messages("en"))
    found = catalogue()
    wanted = {
        f"{section}.{entry['name']}"
        for section in ("algorithms", "heuristics")
        for entry in found[section]
    }
    wanted |= {f"{name}-line" for name in wanted}
    for option in (option for entry in found["algorithms"] for option in entry["options"]):
        title = f"search.option-{option['name']}"
        wanted |= {title, f"{title}-line"}
        for choice in option["choices"] or []:
            wanted.add(f"search.choice-{option['name']}-{choice['name']}-line")
    assert sorted(wanted - names) == []
    described = {name for name in names if name.startswith(("algorithms.", "heuristics."))}
    assert sorted(described - wanted) == []


def test_the_languages_are_those_of_the_switch() -> None:
    script = (STATIC / "page" / "messages.js").read_text("utf-8")
    entries = re.search(r"LANGUAGES = \{(.*?)\}", script)
    assert entries
    assert sorted(re.findall(r"(\w+):", entries[1])) == LANGUAGES


@pytest.mark.parametrize("name", literals.names())
def test_no_script_has_a_text_for_people_outside_the_tables(name: str) -> None:
    assert literals.findings(name) == []


def test_a_text_for_people_is_told_from_other_strings() -> None:
    source = """
        button("Undo", { class: "quiet small", "aria-label": `${count} moves left` });
        // "A comment has words too."
        if (event.key === "Enter") root.querySelector(".card .row").textContent = "It's solved.";
        element("p", {}, ready ? "Solved" : 'Not "yet" solved', text("play.undo"), /a "b c"/);
        svgElement("path", { d: "M5 12 L8 9", transform: "translate(5, 5)" });
    """
    found = [literal for _, literal in literals.texts_for_people(source)]
    assert found == ["Undo", "${count} moves left", "It's solved.", "Solved", 'Not "yet" solved']
