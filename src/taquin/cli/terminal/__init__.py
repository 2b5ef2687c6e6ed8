"""The full screen: it reads keys, draws lines, and restores the terminal at the end.

Only `fullscreen` touches the terminal. The other modules hold states that keys change, and turn
such a state and the size of a window into lines.
"""
