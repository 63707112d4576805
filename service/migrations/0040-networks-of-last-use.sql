-- From which network a key or a session was last used: an IPv4 address without its last number, or an IPv6 network of 64
-- bits. Noted beside the moment, without an entry in the journal.
ALTER TABLE api_keys ADD COLUMN last_used_network text;
ALTER TABLE sessions ADD COLUMN seen_network text;
