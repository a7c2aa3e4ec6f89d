"""An army list in plain words: what is understood, and the question about what is not."""

from __future__ import annotations

import pytest

from printkit.core.words import IN_ENGLISH, find_words
from printkit.systems.solo.armies.army_files import read_army
from printkit.systems.solo.armies.plain_list import PlainList, read_plain_list

FACTS = "; hilly, aggression 2"
EXAMPLE = f"1 cavalry (general), 6 warband, 5 psiloi{FACTS}"


def read(text: str, name: str = "Gauls") -> PlainList:
    return read_plain_list(text, name, IN_ENGLISH)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (EXAMPLE, "Cv Wb Ps"),
        ("1 Elephant (Gen)\n4 hoplites\n7 archers; steppe; aggression 0", "El Sp Bw"),
        ("1x3Cv (general), 6 x 4Wb, 5*2Ps; dry aggression 4", "3Cv 4Wb 2Ps"),
        ("1 lanza (general), 10 Bandas Guerreras, 1 artillería; montañoso, agresividad 2", "Sp Wb Art"),
        ("12 LEVY (gen.); Littoral, aggr. 1", "Hd"),
        (
            "1 legionary (general), 4 light cavalries, 3 scythed chariots, 4 light-horse; hilly, aggression 2",
            "Bd LH SCh LH",
        ),
        ("1 cañón (general), 6 caballerías ligeras, 5 carros falcados; montañoso, agresividad 2", "Art LH SCh"),
    ],
)
def test_lists_in_plain_words_become_armies_that_commands_read(text: str, codes: str) -> None:
    found = read(text)
    assert found.problem is None
    assert (" ".join(line.code for line in found.lines), found.total) == (codes, 12)
    army = read_army(found.army)
    assert (army.name, len(army.general)) == ("Gauls", 1)


@pytest.mark.parametrize(
    ("text", "problem", "answers"),
    [
        ("3 elephants, 4 spears, general, 5 psiloi", "'general' is not a kind of element.", 3),
        ("3 elephants, 4 spears, 1 general, 4 psiloi", "'general' is not a kind of element.", 4),
        (EXAMPLE.replace(" (general)", ""), "Which element carries your general?", 3),
        (EXAMPLE.replace("warband", "warband (general)"), "Only one kind of element carries the general.", 3),
        (EXAMPLE.replace("6", "7"), "13 elements; an army has 12.", 0),
        (EXAMPLE.replace("6 warband", "6 hoplons"), "I do not know 'hoplons'. Spears (Sp)?", 1),
        (EXAMPLE.replace("6 ", ""), "Write a number before 'warband', for example 4 warband.", 0),
        ("my Carthaginians 3 elephants", "I do not know 'my Carthaginians 3 elephants'. Write numbers and kinds", 0),
        (EXAMPLE.replace("hilly, ", ""), "What is the home of your army like?", 7),
        (EXAMPLE.replace("2", "7"), "How aggressive is your army, from 0 to 4?", 5),
        ("/etc/passwd", "I do not know '/etc/passwd'.", 0),
        ("psiloi, " * 1000, "The list is longer than 1000 characters.", 0),
    ],
)
def test_a_question_is_plain_and_an_answer_settles_it(text: str, problem: str, answers: int) -> None:
    found = read(text)
    assert str(found.problem).startswith(problem)
    assert len(found.answers) == answers
    for word in ("TOML", "line ", "column"):
        assert word not in str(found.problem)
    for answer in found.answers:
        assert str(read(answer.text).problem) != str(found.problem), answer


def test_published_lists_and_files_stay_as_they_are_and_names_are_bounded() -> None:
    choice = "1xCv (Gen), 6x(Wb or Ax), 5xPs; hilly, aggression 2"
    assert read(choice).army == f"Gauls: {choice}"
    assert read(f"Insubres: {EXAMPLE}").army.startswith("Insubres: 1xcavalry".replace("cavalry", "Cv"))
    assert read('name = "Gauls"\nlist = "1xCv"').army.startswith("name =")
    for name in ("a:b", "a(b", "x" * 61):
        assert "cannot be used" in str(read(EXAMPLE, name).problem)


def test_answers_are_in_the_language_of_the_page() -> None:
    found = read_plain_list("6 hoplons, 6 psiloi", "x", find_words("es"))
    assert found.answers[0].text == "6 lanzas, 6 psiloi"
