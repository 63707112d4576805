-- Reports: what was asked for, how far it is, and the documents that were made. A report is never changed once it is
-- done: asked for again it is a new revision beside the old one.

CREATE TABLE reports (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  series_id uuid NOT NULL,           -- the first report of these parameters; its own id where it is the first
  revision integer NOT NULL,         -- 1, 2, 3 … in its series
  account_id uuid NOT NULL,          -- the account concerned; the PSP's own: the PSP and all its clients
  kind text NOT NULL,
  parameters text NOT NULL,          -- JSON, keys sorted
  state text NOT NULL CHECK (state IN ('QUEUED', 'RUNNING', 'DONE', 'FAILED')),
  percent integer NOT NULL,
  begun integer NOT NULL,            -- how often a process has begun it
  reason text,                       -- why it failed, for the person who asked
  provisional boolean,               -- null until it is done
  as_of timestamptz,                 -- the moment its figures are of …
  as_of_seq bigint,                  -- … and the PSP's last journal entry then
  manifest text,                     -- JSON: inputs, rows, hashes; null until it is done
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (psp_id, id)
);
CREATE UNIQUE INDEX reports_by_series ON reports (psp_id, series_id, revision);
CREATE INDEX reports_by_account ON reports (psp_id, account_id, id);
CREATE INDEX reports_unfinished ON reports (psp_id, id) WHERE state IN ('QUEUED', 'RUNNING');

CREATE TABLE report_files (
  psp_id uuid NOT NULL,
  report_id uuid NOT NULL,
  name text NOT NULL,                -- json, page, or csv: and the section
  content_type text NOT NULL,
  sha256 text NOT NULL,              -- of the content in UTF-8, hex
  bytes bigint NOT NULL,
  content text NOT NULL,
  PRIMARY KEY (psp_id, report_id, name)
);

CREATE INDEX chargebacks_by_time ON chargebacks (psp_id, created_at);

GRANT SELECT, INSERT, UPDATE ON reports TO assay_app;
GRANT SELECT, INSERT ON report_files TO assay_app;
