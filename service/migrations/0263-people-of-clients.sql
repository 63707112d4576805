-- People of clients are administrators or members.
ALTER TABLE users DROP CONSTRAINT users_role_check;
ALTER TABLE users ADD CONSTRAINT users_role_check CHECK (role IN ('administrator', 'reviewer', 'auditor', 'member'));
