-- Cases: alerts of one client, or of one person, that are worked on together; and what was put into them.
CREATE TABLE cases (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  number integer NOT NULL,           -- counts the PSP's cases
  person text,                       -- keyed hash of the person, as in subject_keys; null for a case of the client
  severity text NOT NULL CHECK (severity IN ('LOW', 'MEDIUM', 'HIGH')),
  state text NOT NULL CHECK (state IN ('OPEN', 'IN_REVIEW', 'ESCALATED', 'CLOSED')),
  queue text NOT NULL,
  assignee text,                     -- an actor, as in the journal
  due_at timestamptz NOT NULL,
  outcome text CHECK (outcome IN ('CLEARED', 'CONFIRMED')),
  proposed text,                     -- JSON: what a second person is to approve
  alerts integer NOT NULL,
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  closed_at timestamptz,
  PRIMARY KEY (psp_id, id)
);
CREATE UNIQUE INDEX cases_by_number ON cases (psp_id, number);
CREATE INDEX cases_by_account ON cases (psp_id, account_id, id);
CREATE INDEX cases_due ON cases (psp_id, due_at, id) WHERE state <> 'CLOSED';

-- Alerts, notes, files, links and actions of a case, in order. None is changed or removed.
CREATE TABLE case_items (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  case_id uuid NOT NULL,
  account_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('ALERT', 'NOTE', 'FILE', 'LINK', 'ACTION')),
  about_id text,                     -- the alert, record or case, as on the wire
  content text NOT NULL,             -- JSON that names nobody: the step, the form and hash of a file, the action
  sealed text,                       -- the note, or the name of the file, under the key of the subject
  subject text,
  written_by text NOT NULL,          -- an actor, as in the journal
  created_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX case_items_by_case ON case_items (psp_id, case_id, id);
CREATE INDEX case_items_about ON case_items (psp_id, about_id) WHERE about_id IS NOT NULL;

-- The content of a file, sealed under the key of its item's subject. Its item holds the hash.
CREATE TABLE case_files (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,                  -- of the item
  sealed text NOT NULL,
  PRIMARY KEY (psp_id, id)
);

GRANT SELECT, INSERT, UPDATE ON cases TO assay_app;
GRANT SELECT, INSERT ON case_items, case_files TO assay_app;
