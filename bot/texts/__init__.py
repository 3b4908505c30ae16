"""Everything the bot says, in the reader's language.

Words (`words`), moves told in sentences (`moves`), the public messages and their alt text (`boards`), the questions of
the private dialogue (`questions`), refusals and reasons (`refusals`), and the rules in short (`rules`).
Functions here take a `Language` and plain values and return text; nothing here talks to Discord.
"""
