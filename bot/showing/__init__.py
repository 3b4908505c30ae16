"""The parts of messages besides sentences: buttons, menus, pictures; and the private dialogue."""
