"""Several processes of one bot: each holds some shards and all that belongs to their servers."""
