-- Second factors of people, identities at sign-in providers, and how a session began.
ALTER TABLE users
  ADD COLUMN totp_secret text,       -- sealed; only while a code generator is set up
  ADD COLUMN totp_since timestamptz,
  ADD COLUMN totp_step bigint,       -- time step of the last code used: a code is accepted once
  ADD COLUMN recovery_codes text,    -- JSON: SHA-256 of those not used yet
  ADD COLUMN passkeys text,          -- JSON: public keys with names and counters
  ADD COLUMN identities text;        -- JSON: issuer and subject, as first seen
ALTER TABLE sessions
  ADD COLUMN method text NOT NULL DEFAULT 'PASSWORD',
  ADD COLUMN second_factor text,
  ADD COLUMN agent text,             -- the browser's name for itself, cut to 200 characters
  ADD COLUMN network text;           -- from which it began, in the form of seen_network
CREATE INDEX sessions_by_user ON sessions (psp_id, user_id, id);
