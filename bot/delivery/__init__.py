"""Delivery: makes Discord show what every table has to say, and nothing else.

Three pure steps: `plan` compares what a table should say with what it has said; `board_content` and `notices` make the
messages. `delivery` carries the plan out (boards: `board`, direct messages: `letters`), with one way to confirm what
may be there, to retry, to wait out an outage and to note what was done. `watching` knows where the bot may post, and
who is still there.
"""
