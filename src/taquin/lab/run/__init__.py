"""Run it so that nothing is lost: records in a file, and whatever does the runs."""
