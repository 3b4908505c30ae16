"""What messages have besides sentences: buttons, menus, pictures; and the private dialogue."""
