"""The rules read a second time, naively, and the engine held against that reading."""
