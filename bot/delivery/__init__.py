"""Delivery: makes Discord show what every table has to say, and nothing else.

Three pure steps: `errands` compares what a table should say with what it has said; `board_content` and `notices` make
the messages. `delivery` follows a change: `board`, `notice_posts` and `letters` carry the errands out, with one way to
confirm what may be there (`lost_posts`), to retry and to wait out an outage (`retries`). `watching` knows where the bot
may post, `members` who is still there.
"""
