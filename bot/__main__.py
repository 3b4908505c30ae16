"""`dog-bot` and `python -m bot`: run the bot, or one of its other commands (`dog-bot --help`).

This file may be read by any Python, however old, so it uses no recent syntax and checks the version before anything
else is imported. Of a bot that runs as `dog-bot`, each process that it begins reads this file again; what `run` imports
would double its memory.
"""

import gc
import signal
import sys

if sys.version_info < (3, 11):  # noqa: UP036
    sys.stderr.write("The bot needs Python 3.11 or newer, and this is %d.%d.\n" % sys.version_info[:2])  # noqa: UP031
    sys.exit(2)


def run():  # type: ignore[no-untyped-def]
    """Run the command on the command line, and end the process with its status."""
    words, home = sys.argv[1:], None
    if words[:1] == ["--home"] and len(words) > 1:
        home = words[1]
        del words[:2]
    if words == ["healthy"]:
        # A health check asks every few seconds; the program takes three to be imported.
        from bot.operating.healthy import main as answer

        sys.exit(answer(home))
    if not words:
        # Until the program listens to them itself; nohup has SIGHUP ignored, and Windows has none.
        for number in [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda *_: sys.exit(0))
    # What is imported stays, so that looking for garbage among it is in vain, and a tenth of a start.
    gc.disable()
    from bot.program import main

    gc.enable()
    status = main()
    # What is kept in memory (boards, cards, rules) is returned with the process. Freeing it object by object would make
    # every stop two seconds longer.
    gc.freeze()
    sys.exit(status)


if __name__ == "__main__":
    run()  # type: ignore[no-untyped-call]
