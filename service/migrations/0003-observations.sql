-- What was noticed about an account when it was registered: JSON, as in the other records. Null where nothing was
-- looked at. It stands last because rows are sent in their binary form, in the table's order.
ALTER TABLE accounts ADD COLUMN observations text;
