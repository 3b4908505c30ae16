"""Who reads what: private answers in the reader's language, what everybody sees in the table's."""

from bot.languages import language_for
from bot.texts import buttons
from bot.texts.names import system_name
from tests.cogs.playing import the_table
from tests.simtable import SimTable


def in_(locale: str, text: str, **values: object) -> str:
    return language_for(locale).t(text, **values)


async def started(table: SimTable, locale: str) -> None:
    """A game of the first two members and two computers, at a table of this language."""
    ann, ben, *_ = table.members
    await table.slash(ann, "dog new", language=locale)
    await table.click(ben, in_(locale, buttons.JOIN), on=table.board())
    await table.click(ann, in_(locale, buttons.FILL), on=table.board())
    await table.click(ann, in_(locale, buttons.START), on=table.board())


async def test_two_people_at_one_table_read_their_own_hand_each_in_their_own_language(table: SimTable) -> None:
    ann, ben, cleo, _ = table.members
    table.speak(ann, "es-419")
    table.speak(ben, "hu")
    table.speak(cleo, "fr")
    await started(table, "de")
    assert in_("de", buttons.MY_HAND) in table.board().labels
    hands = [await table.click(one, in_("de", buttons.MY_HAND), on=table.board()) for one in (ann, ben)]
    for locale, hand in zip(("es", "hu"), hands, strict=True):
        assert system_name(language_for(locale), "classic") in hand.text
    told = (await table.slash(cleo, "dog help")).text
    assert told == (await table.slash(table.members[3], "dog help")).text, "without a catalogue it is all English"


async def test_a_person_chooses_their_language_by_its_own_name_and_letters_come_in_it(table: SimTable) -> None:
    ann, *_ = table.members
    table.speak(ann, "es-ES")
    assert list(await table.suggestions(ann, "dog me language", "language")) == [
        "English",
        "Deutsch",
        "Español",
        "Magyar",
    ]
    assert "Español" in (await table.slash(ann, "dog me language")).text
    refused = await table.slash(ann, "dog me language", language="Klingon")
    assert refused.text == in_("es", "I do not speak that language. Choose one from the list.")
    chosen = await table.slash(ann, "dog me language", language="magyar")
    assert in_("hu", "What everybody sees is in the language of the table.") in chosen.text
    await table.slash(ann, "dog me notify", where="dm")
    await started(table, "en")
    assert in_("hu", buttons.TO_BOARD) in table.mail(ann)[-1].labels
    offered = await table.suggestions(ann, "dog play", "card")
    assert not set(offered) & {"Ace", "King", "Queen", "Jack", "Joker"}
    shown = (await table.slash(ann, "dog me language")).shown
    await table.choose(ann, "Deutsch", on=shown)
    assert in_("de", buttons.END) in table.read(shown).labels
    await table.click(ann, in_("de", buttons.END), on=table.read(shown))
    assert "Español" in table.read(shown).text


async def test_a_letter_is_in_the_language_of_its_readers_discord(table: SimTable) -> None:
    ann, *_ = table.members
    await started(table, "de")
    await table.slash(ann, "dog me notify", where="dm")
    table.speak(ann, "hu")
    await table.click(ann, in_("de", buttons.MY_HAND), on=table.board())
    prefers = await table.bot.tables.people.person(ann.id)
    assert (prefers.language, prefers.locale) == (None, "hu")


async def test_the_host_changes_the_tables_language_in_the_lobby(table: SimTable) -> None:
    ann, ben, *_ = table.members
    await table.slash(ann, "dog new")
    asked = await table.click(ann, buttons.ARRANGE, on=table.board())
    await table.click(ann, in_("en", buttons.LANGUAGE, language="English"), on=asked.shown)
    assert (await the_table(table)).terms.locale == "de"
    assert in_("de", buttons.JOIN) in table.board().labels
    assert "Deutsch" in table.board().text
    assert in_("en", buttons.LANGUAGE, language="Deutsch") in table.read(asked.shown).labels
    refused = await table.slash(ben, "dog new", language="Klingon")
    assert "I do not speak that language" in refused.text


async def test_without_a_setting_the_table_speaks_as_whoever_opens_it_unless_its_server_is_a_community(
    table: SimTable,
) -> None:
    ann, *_ = table.members
    table.speak(ann, "de")
    await table.slash(ann, "dog new")
    assert (await the_table(table)).terms.locale == "de"
    table.bot.get_guild(table.guild.id).features = ["COMMUNITY"]
    code = (await table.slash(ann, "dog new")).text.split("**")[1]
    opened = await table.bot.tables.in_channel(table.channel.id)
    assert next(one for one in opened if one.code == code).terms.locale == "en-US"
