-- The spine: accounts and keys, refs, records, the journal, and commit_batch, the one way to write them.
-- psp_id stands first in every key: it is the tenant, and the distribution column where there is more than
-- one PostgreSQL server.

-- Month of a UUIDv7: the lowest id that can be made at a moment. Bounds of monthly partitions.
CREATE FUNCTION uuid_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-0000-0000-000000000000')::uuid
  FROM (SELECT lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') AS h) x
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
  holds json NOT NULL,
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
  evidence json NOT NULL,            -- dataset version, local date, rule ids with base and tax, fee row
  request json NOT NULL,             -- canonical body; personal fields as keyed hashes
  observations json NOT NULL,
  sealed text,                       -- personal data under the subject's key
  subject text,
  chargeback json,
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
  line_vat json NOT NULL,
  original json NOT NULL,            -- the submitted basket as it is echoed
  request json NOT NULL,
  observations json NOT NULL,
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
  evidence json NOT NULL,
  request json NOT NULL,
  observations json NOT NULL,
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
  evidence json NOT NULL,
  request json NOT NULL,
  observations json NOT NULL,
  sealed text,
  subject text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX payouts_by_account ON payouts (psp_id, account_id, id);

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
  record json NOT NULL,              -- the record without IMEIs and coordinates
  warnings json NOT NULL,
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
  amounts json NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX chargebacks_by_transaction ON chargebacks (psp_id, transaction_id);

CREATE TABLE webhooks (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  url text NOT NULL,
  state text NOT NULL CHECK (state IN ('ACTIVE', 'PAUSED', 'DISABLED', 'DELETED')),
  created_at timestamptz NOT NULL,
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
  rule json NOT NULL,
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
  body json NOT NULL,                -- exact bytes: the type json keeps the text as it was given
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
-- Every row names the commands it belongs to (`c`, or `cs` where commands share it). First each command's
-- expectations are checked under lock, in key order; a command that fails one is left out whole and its
-- number returned, to be decided again over fresh facts. Then the rows of the others are written, and last
-- the journal entries, numbered from each PSP's head. Null arguments mean "none of these".
CREATE FUNCTION commit_batch(
  p_accounts json,          -- expectation: {psp_id, id, version, cs}
  p_subjects json,          -- new subject keys: {psp_id, subject, key_sealed, created_at, cs}
  p_refs_held json,         -- expectation: {c, psp_id, space, ref, account_id, revision}; revision grows by one
  p_refs_new json,          -- expectation: absent: {c, psp_id, space, ref, account_id, target_id, revision}
  p_account_rows json,
  p_account_changes json,   -- expectation: version
  p_keys json,
  p_transactions json,
  p_transaction_changes json,
  p_baskets json,
  p_basket_changes json,
  p_wagers json,
  p_payouts json,
  p_cdrs json,
  p_chargebacks json,
  p_webhooks json,
  p_provider_secrets json,
  p_journal json
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

  IF p_account_changes IS NOT NULL THEN
    WITH want AS (
      SELECT * FROM json_to_recordset(p_account_changes) AS x(c integer, psp_id uuid, id uuid, version integer,
        secret_sealed text, verification_level text, operational_standing text, holds json, updated_at timestamptz)
      WHERE x.c <> ALL (failed)
    ), done AS (
      UPDATE accounts a SET version = a.version + 1, secret_sealed = w.secret_sealed,
        verification_level = w.verification_level, operational_standing = w.operational_standing,
        holds = w.holds, updated_at = w.updated_at
      FROM want w WHERE a.psp_id = w.psp_id AND a.id = w.id AND a.version = w.version
      RETURNING w.c
    )
    SELECT array_agg(w.c) INTO more FROM want w WHERE NOT EXISTS (SELECT 1 FROM done d WHERE d.c = w.c);
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
      SELECT * FROM json_to_recordset(p_refs_held)
        AS x(c integer, psp_id uuid, space text, ref text, account_id uuid, revision integer)
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
    WITH want AS (
      SELECT * FROM json_to_recordset(p_refs_new)
        AS x(c integer, psp_id uuid, space text, ref text, account_id uuid, target_id uuid, revision integer)
      WHERE x.c <> ALL (failed)
    ), done AS (
      INSERT INTO refs (psp_id, space, ref, account_id, target_id, revision)
      SELECT psp_id, space, ref, account_id, target_id, revision FROM want ORDER BY psp_id, space, ref, account_id
      ON CONFLICT DO NOTHING RETURNING target_id
    )
    SELECT array_agg(w.c) INTO more FROM want w WHERE w.target_id NOT IN (SELECT target_id FROM done);
    failed := failed || coalesce(more, '{}');
  END IF;

  IF p_refs_held IS NOT NULL THEN
    UPDATE refs r SET revision = w.revision + 1
    FROM json_to_recordset(p_refs_held)
      AS w(c integer, psp_id uuid, space text, ref text, account_id uuid, revision integer)
    WHERE w.c <> ALL (failed)
      AND r.psp_id = w.psp_id AND r.space = w.space AND r.ref = w.ref AND r.account_id = w.account_id;
  END IF;

  IF p_account_rows IS NOT NULL THEN
    INSERT INTO accounts (psp_id, id, kind, name, registration_number, country, classification, organization_tin,
      contact, secret_sealed, verification_level, operational_standing, holds, version, created_at, updated_at)
    SELECT psp_id, id, kind, name, registration_number, country, classification, organization_tin,
      contact, secret_sealed, verification_level, operational_standing, holds, version, created_at, updated_at
    FROM json_populate_recordset(NULL::accounts, without(p_account_rows, failed));
  END IF;

  IF p_keys IS NOT NULL THEN
    INSERT INTO api_keys SELECT * FROM json_populate_recordset(NULL::api_keys, without(p_keys, failed))
    ON CONFLICT (psp_id, id) DO UPDATE SET revoked_at = excluded.revoked_at, expires_at = excluded.expires_at;
  END IF;

  IF p_transactions IS NOT NULL THEN
    INSERT INTO transactions
    SELECT * FROM json_populate_recordset(NULL::transactions, without(p_transactions, failed));
  END IF;

  IF p_transaction_changes IS NOT NULL THEN
    INSERT INTO transaction_revisions
    SELECT t.* FROM transactions t
    JOIN json_to_recordset(without(p_transaction_changes, failed)) AS w(psp_id uuid, id uuid)
      ON w.psp_id = t.psp_id AND w.id = t.id;
    INSERT INTO transactions
    SELECT * FROM json_populate_recordset(NULL::transactions, without(p_transaction_changes, failed))
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
    INSERT INTO baskets SELECT * FROM json_populate_recordset(NULL::baskets, without(p_baskets, failed));
  END IF;

  IF p_basket_changes IS NOT NULL THEN
    UPDATE baskets b SET status = w.status, revision = w.revision, updated_at = w.updated_at
    FROM json_to_recordset(without(p_basket_changes, failed))
      AS w(psp_id uuid, id uuid, status text, revision integer, updated_at timestamptz)
    WHERE b.psp_id = w.psp_id AND b.id = w.id;
  END IF;

  IF p_wagers IS NOT NULL THEN
    INSERT INTO wagers SELECT * FROM json_populate_recordset(NULL::wagers, without(p_wagers, failed));
  END IF;

  IF p_payouts IS NOT NULL THEN
    INSERT INTO payouts SELECT * FROM json_populate_recordset(NULL::payouts, without(p_payouts, failed));
  END IF;

  IF p_cdrs IS NOT NULL THEN
    INSERT INTO cdrs SELECT * FROM json_populate_recordset(NULL::cdrs, without(p_cdrs, failed));
  END IF;

  IF p_chargebacks IS NOT NULL THEN
    INSERT INTO chargebacks SELECT * FROM json_populate_recordset(NULL::chargebacks, without(p_chargebacks, failed));
  END IF;

  IF p_webhooks IS NOT NULL THEN
    INSERT INTO webhooks SELECT * FROM json_populate_recordset(NULL::webhooks, without(p_webhooks, failed))
    ON CONFLICT (psp_id, id) DO UPDATE SET state = excluded.state;
  END IF;

  IF p_provider_secrets IS NOT NULL THEN
    INSERT INTO provider_secrets
    SELECT * FROM json_populate_recordset(NULL::provider_secrets, without(p_provider_secrets, failed))
    ON CONFLICT (psp_id, account_id, provider) DO UPDATE
      SET secret_sealed = excluded.secret_sealed, updated_at = excluded.updated_at;
  END IF;

  IF p_journal IS NOT NULL THEN
    WITH entries AS (
      SELECT x.*, row_number() OVER (PARTITION BY psp_id ORDER BY n) AS k
      FROM ROWS FROM (json_to_recordset(without(p_journal, failed))
        AS (psp_id uuid, id uuid, kind text, account_id uuid, resource_id uuid, body json))
        WITH ORDINALITY AS x(psp_id, id, kind, account_id, resource_id, body, n)
    ), heads AS (
      INSERT INTO journal_heads AS h (psp_id, seq)
      SELECT psp_id, count(*) FROM entries GROUP BY psp_id ORDER BY psp_id
      ON CONFLICT (psp_id) DO UPDATE SET seq = h.seq + excluded.seq
      RETURNING h.psp_id, h.seq
    )
    INSERT INTO journal (psp_id, seq, id, kind, account_id, resource_id, body)
    SELECT e.psp_id, h.seq - t.total + e.k, e.id, e.kind, e.account_id, e.resource_id, e.body
    FROM entries e
    JOIN heads h USING (psp_id)
    JOIN (SELECT psp_id, count(*) AS total FROM entries GROUP BY psp_id) t USING (psp_id)
    ORDER BY e.psp_id, e.k;
  END IF;

  RETURN failed;
END $$;

-- The rows whose command did not fail; the array itself when none did, which is nearly always.
CREATE FUNCTION without(p_rows json, p_failed integer[]) RETURNS json LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF cardinality(p_failed) = 0 THEN
    RETURN p_rows;
  END IF;
  RETURN (SELECT coalesce(json_agg(r), '[]') FROM json_array_elements(p_rows) r WHERE (r ->> 'c')::integer <> ALL (p_failed));
END $$;

-- The service's role: it may write records through its statements but never change what the journal holds.
GRANT USAGE ON SCHEMA public TO assay_app;
GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO assay_app;
REVOKE UPDATE ON journal, transaction_revisions, chargebacks, wagers, payouts FROM assay_app;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO assay_app;
