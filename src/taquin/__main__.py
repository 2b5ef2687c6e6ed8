"""Run the command line: `python -m taquin`."""

from taquin.cli.main import run

run()
