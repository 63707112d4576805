#!/bin/sh
# Gives the service its secrets from files: NAME_FILE names the file whose content becomes NAME. One that cannot be read, or
# is empty, ends the start: without the master key it was given, a new service would make another.
set -eu
for name in ASSAY_MASTER_KEY DATABASE_URL PGPASSWORD AUDIT_WEBHOOK_SECRET SIGN_IN_PROVIDERS; do
  eval "file=\${${name}_FILE:-}"
  [ -n "$file" ] || continue
  secret=$(cat "$file")
  if [ -z "$(printf %s "$secret" | tr -d '[:space:]')" ]; then
    echo "$file, which ${name}_FILE names, is empty" >&2
    exit 1
  fi
  export "$name=$secret"
done
exec "$@"
