"""How the better computer players think: a learnt value, quick play-outs, and a search over sampled worlds."""
