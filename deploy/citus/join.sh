#!/bin/sh
# Tells the coordinator the cluster's servers. The image has made the database with the extension on each.
set -eu
PGPASSWORD=$(cat /run/secrets/postgres_password)
export PGPASSWORD
psql --host coordinator --username postgres --dbname assay --set ON_ERROR_STOP=1 <<'SQL'
CREATE EXTENSION IF NOT EXISTS citus;
SELECT citus_set_coordinator_host('coordinator', 5432);
SELECT citus_add_node('worker1', 5432);
SELECT citus_add_node('worker2', 5432);
SQL
