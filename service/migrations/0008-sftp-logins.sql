-- Logins of the file drop for call detail records (Spec 4.15), apart from the account's API keys and its secret.
CREATE TABLE sftp_logins (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  username text NOT NULL,
  name text NOT NULL,                -- what it is for
  password_scrypt text,              -- cost, salt and hash; null for a login by key only
  public_keys text NOT NULL,         -- JSON array of {key, fingerprint}; the key as OpenSSH writes it
  state text NOT NULL CHECK (state IN ('ACTIVE', 'REVOKED')),
  created_at timestamptz NOT NULL,
  revoked_at timestamptz,
  PRIMARY KEY (psp_id, id)
);
-- A sign-in names nothing but its username.
CREATE UNIQUE INDEX sftp_logins_by_username ON sftp_logins (username);
CREATE INDEX sftp_logins_by_account ON sftp_logins (psp_id, account_id, id);

GRANT SELECT, INSERT ON sftp_logins TO assay_app;
-- What a login is called and whose it is never changes, nor its password: a new login takes its place.
GRANT UPDATE (public_keys, state, revoked_at) ON sftp_logins TO assay_app;
