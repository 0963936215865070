"""Several processes of one bot: each holds some shards and works for their servers."""
