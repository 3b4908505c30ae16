"""Delivery: makes Discord show what every table has to say, and nothing else.

Three pure steps, and one that acts. `plan` tells, from a table, what it wants to say and what is to be done so that
exactly that stands in its channel; `telling` and `notices` make what is said; `delivery` carries it out (boards:
`board`, direct messages: `letters`), with one way to confirm what may be there, to try again, to wait out an outage and
to note what was done. `watching` knows where the bot may post, and who is still there.
"""
