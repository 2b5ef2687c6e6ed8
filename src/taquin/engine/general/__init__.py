"""The compiled search for every puzzle the model knows."""
