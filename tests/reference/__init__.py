"""The rules read a second time, naively, and the engine checked against that reading."""
