#!/bin/sh
# Begins as a copy of the primary and follows it under the name it waits for; then starts what it is given.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  PGPASSWORD="$(cat /run/secrets/replication_password)"
  export PGPASSWORD
  # The primary may not be there yet; what is half copied is removed by pg_basebackup itself.
  until pg_basebackup --dbname 'host=db1 user=replicator application_name=standby' --pgdata "$PGDATA" \
    --wal-method stream --checkpoint fast --write-recovery-conf; do
    sleep 2
  done
  unset PGPASSWORD
fi
exec "$@"
