"""Compiled searches of one bound, and the threads that share its tree."""
