-- What a key may do: the names of its scopes, separated by spaces; null for all, as of every key of before.
ALTER TABLE api_keys ADD COLUMN scopes text;
