"""The pictures of a report. Each takes a table or a result and returns a `Picture`, which notebooks show."""
