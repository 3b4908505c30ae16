"""What whoever runs the bot needs: checks of a setup, operators' commands, what is open to monitoring."""
