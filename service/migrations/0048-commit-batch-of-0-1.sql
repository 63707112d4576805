-- The commit function of 0.1.0, whose row types are those of tables that have more columns by now: nobody can call it.
DROP FUNCTION commit_batch;
