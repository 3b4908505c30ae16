"""Commands and buttons: thin rooms that turn what a person does on Discord into service calls, and answer privately."""
