-- Keys and accounts are kept in memory until they change. A commit that ends or shortens a key raises the number that
-- decisions by the account's keys expect; whoever keeps accounts reads which have changed.
ALTER TABLE accounts ADD COLUMN access integer NOT NULL DEFAULT 0;

-- An account that was changed, or had a key changed; removed after a day.
CREATE TABLE access_changes (
  psp_id uuid NOT NULL,
  account_id uuid NOT NULL,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (psp_id, account_id, xid)
);
CREATE INDEX access_changes_by_xid ON access_changes (xid);
GRANT SELECT, INSERT, DELETE ON access_changes TO assay_app;
