"""What people see on Discord: boards and notices in channels, direct messages, the private dialogue, pictures."""
