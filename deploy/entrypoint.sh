#!/bin/sh
# Gives the service its secrets from files: NAME_FILE names the file whose content becomes NAME.
set -eu
for name in ASSAY_MASTER_KEY DATABASE_URL PGPASSWORD AUDIT_WEBHOOK_SECRET; do
  eval "file=\${${name}_FILE:-}"
  [ -z "$file" ] || export "$name=$(cat "$file")"
done
exec "$@"
