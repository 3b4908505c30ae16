"""What people see on Discord: boards and notices in the channel, letters, the private dialogue, and their pictures."""
