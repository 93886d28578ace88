"""Real PostgreSQL servers and poolers for tests and benchmarks; standard library only."""
