"""A Discord on the wire: REST v10 and the gateway over real sockets, on 127.0.0.1 only, for the unmodified bot process.

    async with Wire() as wire:
        guild = wire.world.add_guild()
        channel = wire.world.add_channel(guild)
        ann = Person(wire, wire.world.add_user("ann", guild))
        async with BotProcess(wire, folder) as bot:
            answer = await ann.slash(channel, "dog new")

It is for what SimCord (in the process, on virtual time) cannot show: multipart, compression, lost answers, 429s,
reconnects, kills. `world` is the state of this Discord, `server` its REST side, `gateway` its other side, `faults`
what goes wrong, `people` the players, `process` the bot, `mirror` what it has stored.
"""
