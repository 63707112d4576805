#!/bin/sh
# Runs once, in the primary's new and empty folder: the roles, the database, and who may follow.
set -eu
psql -v ON_ERROR_STOP=1 --username postgres --dbname postgres \
  -v owner="$(cat /run/secrets/database_password)" \
  -v replicator="$(cat /run/secrets/replication_password)" <<'SQL'
CREATE ROLE assay_owner LOGIN CREATEROLE PASSWORD :'owner';
CREATE DATABASE assay OWNER assay_owner;
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replicator';
-- In force from the next start on: the commits above have no standby to wait for.
ALTER SYSTEM SET synchronous_standby_names = 'standby';
SQL
echo 'host replication replicator samenet scram-sha-256' >> "$PGDATA/pg_hba.conf"
