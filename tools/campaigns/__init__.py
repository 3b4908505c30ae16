"""Long runs of the real process over the wire, with figures and checks: `make load`, `soak`, `shards`, `hostile`."""
