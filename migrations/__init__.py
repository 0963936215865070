"""The history of the database's tables, one Alembic revision a change, forward only."""
