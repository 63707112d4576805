-- When the owner of an address last asked for something to be sent: a test, a retry, a replay or all that is held. An address
-- that is left alone because it keeps failing is then tried at once.
ALTER TABLE webhook_health ADD COLUMN asked_at timestamptz;
