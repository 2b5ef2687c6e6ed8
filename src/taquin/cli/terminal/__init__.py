"""The full screen: keys in, lines out, and the terminal as it was before.

`keys` and `fullscreen` are the thin layer that touches the terminal. All else are states that keys
change, and functions from such a state and the size of a window to lines.
"""
