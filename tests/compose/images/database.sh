#!/bin/bash
# Starts PostgreSQL as the image postgres:18 does, as far as compose.yaml uses it.
set -euo pipefail
export PATH=/usr/lib/postgresql/18/bin:$PATH
if [ "$(id -u)" = 0 ]; then
  install --directory --owner=999 --mode=0700 "${PGDATA%/*}" "$PGDATA"
  exec setpriv --reuid=999 --regid=999 --clear-groups "$0"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  read -ra args <<<"$POSTGRES_INITDB_ARGS"
  initdb --pgdata="$PGDATA" --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" "${args[@]}"
  echo "create database $POSTGRES_DB" | postgres --single -D "$PGDATA" postgres
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
fi
exec postgres -D "$PGDATA" -c listen_addresses='*'
