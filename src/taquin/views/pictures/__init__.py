"""Boards, solutions, searches and handouts as pictures: scenes, and what paints them."""
