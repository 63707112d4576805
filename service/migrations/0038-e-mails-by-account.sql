-- An e-mail belongs to one person of an account, no longer to one of all accounts: a refusal told an administrator of one
-- PSP who signs in to another.
UPDATE refs r SET account_id = u.account_id
FROM users u
WHERE r.psp_id = '00000000-0000-0000-0000-000000000000' AND r.space = 'user' AND r.target_id = u.id;

DROP INDEX users_by_email;
CREATE UNIQUE INDEX users_by_email ON users (email, account_id);
