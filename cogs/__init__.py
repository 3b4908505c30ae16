"""Commands and buttons: thin modules that turn what people do on Discord into service calls, and answer privately."""
