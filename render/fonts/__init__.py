"""Font files, their licences, and the script that made them."""
