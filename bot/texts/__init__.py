"""Everything the bot says, in the reader's language.

What things are called (`names`), moves told in sentences (`moves`), the board's message (`boards`), the questions of
the private dialogue (`questions`), refusals (`refusals`), the rules in short (`rules`) and so on: a file per subject.
Functions here take a `Language` and plain values and return text; nothing here talks to Discord.
"""
