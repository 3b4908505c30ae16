"""Everything the bot says, in the reader's language: a file for each subject.

Functions here take a `Language` and plain values and return text; nothing here talks to Discord. A sentence that is
always the same is a value made by `names.said` or `names.said_of_table`; sentences that depend on a kind (of error, of
action, of event) stand in a table by that kind.
"""
