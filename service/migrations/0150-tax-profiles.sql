-- contract since 0.1.0: it did not know the column that moves behind the new one; no later release was made.
-- Whether a client owes tax on its sales, by country and day; null if nothing is known of it. Rows are read and
-- vouched for by the order of their columns, in which the number of key changes stands last.
ALTER TABLE accounts RENAME COLUMN access TO access_before;
ALTER TABLE accounts ADD COLUMN tax_profiles text;
ALTER TABLE accounts ADD COLUMN access integer NOT NULL DEFAULT 0;
UPDATE accounts SET access = access_before WHERE access_before <> 0;
ALTER TABLE accounts DROP COLUMN access_before;
