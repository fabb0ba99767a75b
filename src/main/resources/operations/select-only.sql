-- pgbench -b select-only, or -S. PgbenchTables creates the tables.
\set aid random(1, 100000 * :scale)
select abalance from pgbench_accounts where aid = :aid;
