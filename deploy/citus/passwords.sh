#!/bin/sh
# Run once, when a server of the cluster is made: the password by which it is known to the others. They connect as the role
# that asks, so the service's role gets it too, before a start of the service would make that role without one.
set -eu
password=$(cat /run/secrets/postgres_password)
umask 077
printf '*:*:*:*:%s\n' "$password" > "$PGPASSFILE"
psql --username postgres --dbname postgres --set ON_ERROR_STOP=1 --set password="$password" <<'SQL'
CREATE ROLE assay_app LOGIN PASSWORD :'password';
SQL
