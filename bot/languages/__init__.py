"""Languages: every text for people passes through here, from the English source to the reader's language.

The English text is the key. Translations are gettext catalogues, `locales/<language>/LC_MESSAGES/dog.mo`, compiled from
the `dog.po` beside them by `make messages`; adding a directory adds a language. What is not translated is shown in
English. Texts name what they fill in: `language.t("{who} plays {card}.", who=..., card=...)`.
"""

from bot.languages.language import ENGLISH, Language, available, language_for, mark, mark_in

__all__ = ["ENGLISH", "Language", "available", "language_for", "mark", "mark_in"]
