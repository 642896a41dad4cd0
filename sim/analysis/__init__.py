"""From Parquet to answers: statistics, tables and pictures of a run. Nothing here plays."""
