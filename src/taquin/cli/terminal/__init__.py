"""The full screen: it reads keys, draws lines, and restores the terminal at the end.

Only `keys` and `fullscreen` touch the terminal. The other modules hold states that keys change, and
functions that turn such a state and the size of a window into lines.
"""
