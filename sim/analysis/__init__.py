"""From Parquet to answers: statistics, tables and pictures of a run. Only `compare` plays, until it can answer."""
