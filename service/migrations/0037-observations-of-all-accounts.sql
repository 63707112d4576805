-- Accounts of before observations existed had none written down; a change of such an account says '[]', and the journal
-- vouches for the row as it is then stored.
UPDATE accounts SET observations = '[]' WHERE observations IS NULL;
