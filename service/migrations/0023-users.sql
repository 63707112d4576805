-- People who sign in to the console, and their sessions. commit_batch again, with both.
CREATE TABLE users (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,          -- whose staff: an operator's account or a PSP's
  email text NOT NULL,               -- in lower case
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('administrator', 'reviewer', 'auditor')),
  state text NOT NULL CHECK (state IN ('ACTIVE', 'DISABLED')),
  password_scrypt text NOT NULL,     -- cost, salt and hash
  password_kind text NOT NULL CHECK (password_kind IN ('OWN', 'ONE_TIME')),  -- a one-time password must be changed
  failures integer NOT NULL,         -- sign-ins that failed since the last good one or the last lock
  locked_until timestamptz,
  session_epoch integer NOT NULL,    -- sessions of an earlier epoch have ended
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  signed_in_at timestamptz,
  PRIMARY KEY (psp_id, id)
);
-- A sign-in names nothing but its e-mail.
CREATE UNIQUE INDEX users_by_email ON users (email);
CREATE INDEX users_by_id ON users (id);
CREATE INDEX users_by_account ON users (account_id, id);

CREATE TABLE sessions (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  token_hash text NOT NULL,          -- SHA-256 of the token; the token is in the cookie only
  epoch integer NOT NULL,            -- the user's session_epoch at the sign-in
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,   -- whatever happens
  seen_at timestamptz NOT NULL,      -- of the last call, written now and then
  ended_at timestamptz,              -- by signing out
  PRIMARY KEY (psp_id, id)
);
-- A cookie names nothing but its session.
CREATE UNIQUE INDEX sessions_by_id ON sessions (id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

GRANT SELECT, INSERT, UPDATE ON users TO assay_app;
-- Sessions long past are removed; the journal keeps who signed in when.
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO assay_app;

DROP FUNCTION commit_batch;

-- commit_batch: makes a batch of decisions true, in one round trip and one commit.
--
-- Rows come as arrays of the tables' own row types, each beside an array that says which command a row belongs
-- to. First every command's expectations are checked under lock, in key order; a command that fails one is
-- left out whole and its number returned, to be decided again over fresh facts. Then the rows of the others
-- are written, and last the journal entries, numbered from each PSP's head. Null means "none of these".
CREATE FUNCTION commit_batch(
  p_accounts json,                              -- expected: accounts at a version: {psp_id, id, version, cs}
  p_subjects json,                              -- expected: see store_subjects
  p_refs_held refs[], c_refs_held integer[],    -- expected: at this revision; it grows by one
  p_refs_new refs[], c_refs_new integer[],      -- expected: absent
  p_account_rows accounts[], c_account_rows integer[],
  p_account_changes accounts[], c_account_changes integer[],
  p_keys api_keys[], c_keys integer[],
  p_transactions transactions[], c_transactions integer[],
  p_transaction_changes transactions[], c_transaction_changes integer[],
  p_baskets baskets[], c_baskets integer[],
  p_basket_changes baskets[], c_basket_changes integer[],
  p_wagers wagers[], c_wagers integer[],
  p_payouts payouts[], c_payouts integer[],
  p_cdrs cdrs[], c_cdrs integer[],
  p_chargebacks chargebacks[], c_chargebacks integer[],
  p_webhooks webhooks[], c_webhooks integer[],
  p_provider_secrets provider_secrets[], c_provider_secrets integer[],
  p_cdr_declarations cdr_declarations[], c_cdr_declarations integer[],
  p_nettings nettings[], c_nettings integer[],
  p_users users[], c_users integer[],
  p_sessions sessions[], c_sessions integer[],
  p_journal journal[], c_journal integer[]
) RETURNS integer[] LANGUAGE plpgsql AS $$
DECLARE
  failed integer[] := '{}';
  more integer[];
BEGIN
  IF p_accounts IS NOT NULL THEN
    WITH want AS (
      SELECT * FROM json_to_recordset(p_accounts) AS x(psp_id uuid, id uuid, version integer, cs integer[])
    ), held AS (
      SELECT a.psp_id, a.id, a.version FROM accounts a JOIN want w ON w.psp_id = a.psp_id AND w.id = a.id
      ORDER BY a.psp_id, a.id FOR SHARE OF a
    )
    SELECT array_agg(c) INTO more
    FROM want w LEFT JOIN held h ON h.psp_id = w.psp_id AND h.id = w.id, unnest(w.cs) c
    WHERE h.version IS DISTINCT FROM w.version;
    failed := failed || coalesce(more, '{}');
  END IF;

  -- A changed account carries its new version: it must stand at the one before.
  IF p_account_changes IS NOT NULL THEN
    WITH done AS (
      UPDATE accounts a SET version = w.version, secret_sealed = w.secret_sealed,
        verification_level = w.verification_level, operational_standing = w.operational_standing,
        holds = w.holds, updated_at = w.updated_at
      FROM unnest(p_account_changes) w
      WHERE a.psp_id = w.psp_id AND a.id = w.id AND a.version = w.version - 1
      RETURNING a.id
    )
    SELECT array_agg(x.c) INTO more
    FROM (SELECT unnest(c_account_changes) AS c, (unnest(p_account_changes)).id AS id) x
    WHERE x.id NOT IN (SELECT id FROM done);
    failed := failed || coalesce(more, '{}');
  END IF;

  IF p_subjects IS NOT NULL THEN
    failed := failed || store_subjects(p_subjects);
  END IF;

  IF p_refs_held IS NOT NULL THEN
    WITH want AS (
      SELECT x.c, (x.r).* FROM (SELECT unnest(c_refs_held) AS c, unnest(p_refs_held) AS r) x
    ), held AS (
      SELECT r.psp_id, r.space, r.ref, r.account_id, r.revision
      FROM refs r JOIN want w
        ON w.psp_id = r.psp_id AND w.space = r.space AND w.ref = r.ref AND w.account_id = r.account_id
      ORDER BY r.psp_id, r.space, r.ref, r.account_id FOR UPDATE OF r
    )
    SELECT array_agg(w.c) INTO more FROM want w LEFT JOIN held h
      ON h.psp_id = w.psp_id AND h.space = w.space AND h.ref = w.ref AND h.account_id = w.account_id
    WHERE h.revision IS DISTINCT FROM w.revision;
    failed := failed || coalesce(more, '{}');
  END IF;

  IF p_refs_new IS NOT NULL THEN
    IF cardinality(failed) > 0 THEN
      p_refs_new := kept(p_refs_new, c_refs_new, failed);
      SELECT coalesce(array_agg(c), '{}') INTO c_refs_new FROM unnest(c_refs_new) c WHERE c <> ALL (failed);
    END IF;
    WITH done AS (
      INSERT INTO refs SELECT r.* FROM unnest(p_refs_new) r ORDER BY r.psp_id, r.space, r.ref, r.account_id
      ON CONFLICT DO NOTHING RETURNING target_id
    )
    SELECT array_agg(x.c) INTO more
    FROM (SELECT unnest(c_refs_new) AS c, (unnest(p_refs_new)).target_id AS target_id) x
    WHERE x.target_id NOT IN (SELECT target_id FROM done);
    failed := failed || coalesce(more, '{}');
  END IF;

  IF p_refs_held IS NOT NULL THEN
    UPDATE refs r SET revision = w.revision + 1
    FROM unnest(kept(p_refs_held, c_refs_held, failed)) w
    WHERE r.psp_id = w.psp_id AND r.space = w.space AND r.ref = w.ref AND r.account_id = w.account_id;
  END IF;

  IF cardinality(failed) > 0 THEN
    p_account_rows := kept(p_account_rows, c_account_rows, failed);
    p_account_changes := kept(p_account_changes, c_account_changes, failed);
    p_keys := kept(p_keys, c_keys, failed);
    p_transactions := kept(p_transactions, c_transactions, failed);
    p_transaction_changes := kept(p_transaction_changes, c_transaction_changes, failed);
    p_baskets := kept(p_baskets, c_baskets, failed);
    p_basket_changes := kept(p_basket_changes, c_basket_changes, failed);
    p_wagers := kept(p_wagers, c_wagers, failed);
    p_payouts := kept(p_payouts, c_payouts, failed);
    p_cdrs := kept(p_cdrs, c_cdrs, failed);
    p_chargebacks := kept(p_chargebacks, c_chargebacks, failed);
    p_webhooks := kept(p_webhooks, c_webhooks, failed);
    p_provider_secrets := kept(p_provider_secrets, c_provider_secrets, failed);
    p_cdr_declarations := kept(p_cdr_declarations, c_cdr_declarations, failed);
    p_nettings := kept(p_nettings, c_nettings, failed);
    p_users := kept(p_users, c_users, failed);
    p_sessions := kept(p_sessions, c_sessions, failed);
    p_journal := kept(p_journal, c_journal, failed);
  END IF;

  IF p_account_rows IS NOT NULL THEN
    INSERT INTO accounts SELECT r.* FROM unnest(p_account_rows) r;
  END IF;
  IF p_keys IS NOT NULL THEN
    INSERT INTO api_keys SELECT r.* FROM unnest(p_keys) r
    -- A key's life is only ever cut short: of two changes at once the earlier end stands.
    ON CONFLICT (psp_id, id) DO UPDATE SET
      revoked_at = least(api_keys.revoked_at, excluded.revoked_at),
      expires_at = least(api_keys.expires_at, excluded.expires_at);
  END IF;
  IF p_transactions IS NOT NULL THEN
    INSERT INTO transactions SELECT r.* FROM unnest(p_transactions) r;
  END IF;
  IF p_transaction_changes IS NOT NULL THEN
    INSERT INTO transaction_revisions
    SELECT t.* FROM transactions t JOIN unnest(p_transaction_changes) w ON w.psp_id = t.psp_id AND w.id = t.id;
    INSERT INTO transactions SELECT r.* FROM unnest(p_transaction_changes) r
    ON CONFLICT (psp_id, id) DO UPDATE SET
      recorded_by = excluded.recorded_by, kind = excluded.kind, ref = excluded.ref, status = excluded.status,
      reason = excluded.reason, revision = excluded.revision, amount = excluded.amount,
      currency = excluded.currency, country = excluded.country, vat_amount = excluded.vat_amount,
      processing_fee = excluded.processing_fee, transaction_fee = excluded.transaction_fee,
      transaction_vat = excluded.transaction_vat, remainder = excluded.remainder, basket_id = excluded.basket_id,
      basket_ref = excluded.basket_ref, evidence = excluded.evidence, request = excluded.request,
      observations = excluded.observations, chargeback = excluded.chargeback, updated_at = excluded.updated_at;
  END IF;
  IF p_baskets IS NOT NULL THEN
    INSERT INTO baskets SELECT r.* FROM unnest(p_baskets) r;
  END IF;
  IF p_basket_changes IS NOT NULL THEN
    UPDATE baskets b SET status = w.status, revision = w.revision, updated_at = w.updated_at
    FROM unnest(p_basket_changes) w WHERE b.psp_id = w.psp_id AND b.id = w.id;
  END IF;
  IF p_wagers IS NOT NULL THEN
    INSERT INTO wagers SELECT r.* FROM unnest(p_wagers) r;
  END IF;
  IF p_payouts IS NOT NULL THEN
    INSERT INTO payouts SELECT r.* FROM unnest(p_payouts) r;
  END IF;
  IF p_cdrs IS NOT NULL THEN
    INSERT INTO cdrs SELECT r.* FROM unnest(p_cdrs) r;
  END IF;
  IF p_chargebacks IS NOT NULL THEN
    INSERT INTO chargebacks SELECT r.* FROM unnest(p_chargebacks) r;
  END IF;
  IF p_webhooks IS NOT NULL THEN
    INSERT INTO webhooks SELECT r.* FROM unnest(p_webhooks) r
    ON CONFLICT (psp_id, id) DO UPDATE SET event_types = excluded.event_types, state = excluded.state,
      state_reason = excluded.state_reason, updated_at = excluded.updated_at;
  END IF;
  IF p_provider_secrets IS NOT NULL THEN
    INSERT INTO provider_secrets SELECT r.* FROM unnest(p_provider_secrets) r
    ON CONFLICT (psp_id, account_id, provider) DO UPDATE
      SET secret_sealed = excluded.secret_sealed, updated_at = excluded.updated_at;
  END IF;

  IF p_cdr_declarations IS NOT NULL THEN
    INSERT INTO cdr_declarations SELECT r.* FROM unnest(p_cdr_declarations) r;
  END IF;

  IF p_nettings IS NOT NULL THEN
    INSERT INTO nettings SELECT r.* FROM unnest(p_nettings) r;
  END IF;

  IF p_users IS NOT NULL THEN
    INSERT INTO users SELECT r.* FROM unnest(p_users) r
    ON CONFLICT (psp_id, id) DO UPDATE SET role = excluded.role, state = excluded.state,
      password_scrypt = excluded.password_scrypt, password_kind = excluded.password_kind,
      failures = excluded.failures, locked_until = excluded.locked_until, session_epoch = excluded.session_epoch,
      version = excluded.version, updated_at = excluded.updated_at, signed_in_at = excluded.signed_in_at;
  END IF;
  IF p_sessions IS NOT NULL THEN
    INSERT INTO sessions SELECT r.* FROM unnest(p_sessions) r
    -- A session's life is only ever cut short.
    ON CONFLICT (psp_id, id) DO UPDATE SET ended_at = least(sessions.ended_at, excluded.ended_at);
  END IF;

  IF p_journal IS NOT NULL THEN
    WITH entries AS (
      SELECT e.psp_id, row_number() OVER (PARTITION BY e.psp_id ORDER BY e.n) AS k,
        e.id, e.kind, e.account_id, e.resource_id, e.body
      FROM unnest(p_journal) WITH ORDINALITY AS e(psp_id, seq, id, kind, account_id, resource_id, body, n)
    ), heads AS (
      INSERT INTO journal_heads AS h (psp_id, seq)
      SELECT psp_id, count(*) FROM unnest(p_journal) GROUP BY psp_id ORDER BY psp_id
      ON CONFLICT (psp_id) DO UPDATE SET seq = h.seq + excluded.seq
      RETURNING h.psp_id, h.seq
    ), totals AS (
      SELECT psp_id, count(*) AS total FROM unnest(p_journal) GROUP BY psp_id
    )
    INSERT INTO journal (psp_id, seq, id, kind, account_id, resource_id, body)
    SELECT e.psp_id, h.seq - t.total + e.k, e.id, e.kind, e.account_id, e.resource_id, e.body
    FROM entries e JOIN heads h USING (psp_id) JOIN totals t USING (psp_id);
  END IF;

  RETURN failed;
END $$;

GRANT EXECUTE ON FUNCTION commit_batch TO assay_app;
