-- The spine: accounts and keys, refs, records, the journal, and commit_batch, the one way to write them.
-- psp_id stands first in every key: it is the tenant, and the distribution column where there is more than
-- one PostgreSQL server.

-- Month of a UUIDv7: the lowest id that can be made at a moment. Bounds of monthly partitions.
CREATE FUNCTION uuid_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-0000-0000-000000000000')::uuid
  FROM (SELECT lpad(to_hex(greatest(0, least(281474976710655, extract(epoch FROM at) * 1000))::bigint), 12, '0') AS h) x
$$;

CREATE TABLE accounts (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('psp', 'client', 'operator')),
  name text NOT NULL,
  registration_number text,
  country text,
  classification text,
  organization_tin text,
  contact text,                      -- e-mail and phone, sealed under the account's own subject key
  secret_sealed text NOT NULL,       -- webhook secret
  verification_level text NOT NULL CHECK (verification_level IN ('UNVERIFIED', 'BASIC', 'ENHANCED')),
  operational_standing text NOT NULL CHECK (operational_standing IN ('ACTIVE', 'SUSPENDED', 'CLOSED')),
  holds text NOT NULL,
  version integer NOT NULL,          -- grows with every change; decisions expect the one they read
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX accounts_by_id ON accounts (id);

CREATE TABLE api_keys (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  secret_hash text NOT NULL,         -- SHA-256, hex; the secret itself is nowhere
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX api_keys_by_id ON api_keys (id);
CREATE INDEX api_keys_by_account ON api_keys (psp_id, account_id);

-- Keys that seal secrets, wrapped under the master key; version 0 blinds.
CREATE TABLE vault_keys (
  version integer PRIMARY KEY,
  wrapped text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- One data key per person (or account contact), sealed under the master key. Destroying the row's key
-- erases the person everywhere, journal included, and leaves every hash as it was.
CREATE TABLE subject_keys (
  psp_id uuid NOT NULL,
  subject text NOT NULL,
  key_sealed text,
  created_at timestamptz NOT NULL,
  destroyed_at timestamptz,
  PRIMARY KEY (psp_id, subject)
);

-- Who holds a caller's ref, and at which revision its record stands: the gate of every change.
CREATE TABLE refs (
  psp_id uuid NOT NULL,
  space text NOT NULL,               -- transaction, basket, wager, payout, cdr, client
  ref text NOT NULL,
  account_id uuid NOT NULL,
  target_id uuid NOT NULL,
  revision integer NOT NULL,
  PRIMARY KEY (psp_id, space, ref, account_id)
);

CREATE TABLE transactions (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  recorded_by uuid NOT NULL,
  kind text NOT NULL,                -- wire operation: verifyTransaction, cryptoDeposit …
  ref text,                          -- null until the transaction of a basket is verified
  status text NOT NULL CHECK (status IN ('PENDING', 'APPROVED', 'DECLINED')),
  reason text,
  revision integer NOT NULL,
  amount numeric NOT NULL,
  currency text NOT NULL,
  country text NOT NULL,
  vat_amount numeric NOT NULL,
  processing_fee numeric NOT NULL,
  transaction_fee numeric NOT NULL,
  transaction_vat numeric NOT NULL,
  remainder numeric NOT NULL,        -- merchantAmount or netAmount
  basket_id uuid,
  basket_ref text,
  evidence text NOT NULL,            -- dataset version, local date, rule ids with base and tax, fee row
  request text NOT NULL,             -- canonical body; personal fields as keyed hashes
  observations text NOT NULL,
  sealed text,                       -- personal data under the subject's key
  subject text,
  chargeback text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX transactions_by_account ON transactions (psp_id, account_id, id);

-- What a transaction was before each later revision.
CREATE TABLE transaction_revisions (
  LIKE transactions,
  PRIMARY KEY (psp_id, id, revision)
);

CREATE TABLE baskets (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  recorded_by uuid NOT NULL,
  ref text NOT NULL,
  transaction_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('PENDING', 'VERIFIED', 'CANCELLED')),
  revision integer NOT NULL,
  amount numeric NOT NULL,
  currency text NOT NULL,
  country text NOT NULL,
  vat_amount numeric NOT NULL,
  taxable_amount numeric NOT NULL,   -- the part of the amount whose lines bear VAT
  line_vat text NOT NULL,
  original text NOT NULL,            -- the submitted basket as it is echoed
  request text NOT NULL,
  observations text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX baskets_by_account ON baskets (psp_id, account_id, id);
CREATE INDEX baskets_by_transaction ON baskets (psp_id, transaction_id);

CREATE TABLE wagers (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  recorded_by uuid NOT NULL,
  ref text NOT NULL,
  amount numeric NOT NULL,
  currency text NOT NULL,            -- legal tender of the account's country: the wire names none
  country text NOT NULL,
  product_line text NOT NULL,
  ip text NOT NULL,
  evidence text NOT NULL,
  request text NOT NULL,
  observations text NOT NULL,
  sealed text,
  subject text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX wagers_by_account ON wagers (psp_id, account_id, id);

CREATE TABLE payouts (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  recorded_by uuid NOT NULL,
  ref text NOT NULL,
  wager_id uuid NOT NULL,
  wager_ref text NOT NULL,
  amount numeric NOT NULL,
  currency text NOT NULL,
  country text NOT NULL,
  evidence text NOT NULL,
  request text NOT NULL,
  observations text NOT NULL,
  sealed text,
  subject text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX payouts_by_account ON payouts (psp_id, account_id, id);
CREATE INDEX payouts_by_wager ON payouts (psp_id, wager_id);

CREATE TABLE cdrs (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  recorded_by uuid NOT NULL,
  cdr_id text NOT NULL,
  call_start timestamptz NOT NULL,
  duration_s integer NOT NULL,
  call_type text NOT NULL,
  network_provider text NOT NULL,
  cost numeric,
  currency text,
  content text NOT NULL,             -- SHA-256 of the canonical record: same id, other content is refused
  record text NOT NULL,              -- the record without IMEIs and coordinates
  warnings text NOT NULL,
  sealed text,
  subject text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX cdrs_by_account ON cdrs (psp_id, account_id, id);

CREATE TABLE chargebacks (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  account_id uuid NOT NULL,
  recorded_by uuid NOT NULL,
  amounts text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX chargebacks_by_transaction ON chargebacks (psp_id, transaction_id);

CREATE TABLE webhooks (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  url text NOT NULL,
  event_types text,                  -- JSON array of the types wanted; null for all
  state text NOT NULL CHECK (state IN ('ACTIVE', 'PAUSED', 'DISABLED', 'DELETED')),
  state_reason text,                 -- why it stands as it does: a person's words, or what disabled it
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX webhooks_by_account ON webhooks (psp_id, account_id);

CREATE TABLE provider_secrets (
  psp_id uuid NOT NULL,
  account_id uuid NOT NULL,
  provider text NOT NULL,
  secret_sealed text NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, account_id, provider)
);

-- Fee rows set at run time; the default schedule comes from the data files. Rows are superseded, not edited.
CREATE TABLE fee_rules (
  fee_id text PRIMARY KEY,
  rule text NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now(),
  superseded_at timestamptz
);

CREATE TABLE journal_heads (
  psp_id uuid PRIMARY KEY,
  seq bigint NOT NULL
);

-- One entry per thing that happened, numbered without gaps per PSP in commit order.
CREATE TABLE journal (
  psp_id uuid NOT NULL,
  seq bigint NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  account_id uuid NOT NULL,
  resource_id uuid NOT NULL,
  body text NOT NULL,                -- JSON, the exact bytes that are hashed and told
  PRIMARY KEY (psp_id, seq, id)
) PARTITION BY RANGE (id);

-- Monthly partitions from last month to some months ahead; a default one keeps writes possible whatever the clock says.
CREATE FUNCTION ensure_partitions(from_month date, months integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  t text;
  m date;
BEGIN
  FOREACH t IN ARRAY ARRAY['transactions', 'wagers', 'payouts', 'cdrs', 'journal'] LOOP
    IF to_regclass(t || '_other') IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', t || '_other', t);
    END IF;
    FOR i IN 0 .. months - 1 LOOP
      m := (date_trunc('month', from_month) + make_interval(months => i))::date;
      IF to_regclass(t || '_' || to_char(m, 'YYYYMM')) IS NULL THEN
        EXECUTE format(
          'CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
          t || '_' || to_char(m, 'YYYYMM'), t,
          uuid_floor(m::timestamp AT TIME ZONE 'UTC'),
          uuid_floor((m + interval '1 month') AT TIME ZONE 'UTC'));
      END IF;
    END LOOP;
  END LOOP;
END $$;

-- commit_batch: makes a batch of decisions true, in one round trip and one commit.
--
-- Rows come as arrays of the tables' own row types, each beside an array that says which command a row belongs
-- to. First every command's expectations are checked under lock, in key order; a command that fails one is
-- left out whole and its number returned, to be decided again over fresh facts. Then the rows of the others
-- are written, and last the journal entries, numbered from each PSP's head. Null means "none of these".
CREATE FUNCTION commit_batch(
  p_accounts json,                              -- expected: accounts at a version: {psp_id, id, version, cs}
  p_subjects json,                              -- expected: new; {psp_id, subject, key_sealed, created_at, cs}
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
    WITH want AS (
      SELECT * FROM json_to_recordset(p_subjects)
        AS x(psp_id uuid, subject text, key_sealed text, created_at timestamptz, cs integer[])
    ), done AS (
      INSERT INTO subject_keys (psp_id, subject, key_sealed, created_at)
      SELECT psp_id, subject, key_sealed, created_at FROM want ORDER BY psp_id, subject
      ON CONFLICT DO NOTHING RETURNING psp_id, subject
    )
    SELECT array_agg(c) INTO more FROM want w, unnest(w.cs) c
    WHERE NOT EXISTS (SELECT 1 FROM done d WHERE d.psp_id = w.psp_id AND d.subject = w.subject);
    failed := failed || coalesce(more, '{}');
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

-- The rows whose command did not fail.
CREATE FUNCTION kept(p_rows anyarray, p_c integer[], p_failed integer[]) RETURNS anyarray LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_rows IS NULL OR cardinality(p_failed) = 0 THEN p_rows
    ELSE (SELECT array_agg(x.r ORDER BY x.n) FROM unnest(p_c) WITH ORDINALITY AS k(c, n)
          JOIN LATERAL (SELECT p_rows[k.n::integer] AS r, k.n AS n) x ON true WHERE k.c <> ALL (p_failed)) END
$$;

-- The service's role: it may write records through its statements but never change what the journal holds.
GRANT USAGE ON SCHEMA public TO assay_app;
GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO assay_app;
REVOKE UPDATE ON journal, transaction_revisions, chargebacks, wagers, payouts FROM assay_app;
REVOKE INSERT, UPDATE ON migrations FROM assay_app;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO assay_app;
