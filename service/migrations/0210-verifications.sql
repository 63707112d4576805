-- What clients have shown: owners, licences and documents. What is personal of it is sealed under the client's key.
CREATE TABLE client_verifications (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,                  -- the client's
  owner_shares text,                 -- JSON: percent of each owner; null if nothing was said of owners
  owners_sealed text,                -- names, dates of birth and shares
  subject text,                      -- whose key the owners are sealed under
  licences text NOT NULL,            -- JSON
  warn_on date,                      -- day of the next warning that a licence ends
  version integer NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX client_verifications_to_warn ON client_verifications (warn_on) WHERE warn_on IS NOT NULL;

CREATE TABLE client_documents (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  kind text NOT NULL,
  content_type text NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  state text NOT NULL CHECK (state IN ('SUBMITTED', 'ACCEPTED', 'REFUSED')),
  valid_until date,
  subject text NOT NULL,
  sealed text,                       -- name of the file
  added_by text NOT NULL,            -- an actor, as in the journal
  decided_by text,
  decision_reason text,
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX client_documents_by_account ON client_documents (psp_id, account_id, id);

-- The content, sealed in parts.
CREATE TABLE client_document_parts (
  psp_id uuid NOT NULL,
  document_id uuid NOT NULL,
  part integer NOT NULL,
  sealed text NOT NULL,
  PRIMARY KEY (psp_id, document_id, part)
);

GRANT SELECT, INSERT, UPDATE ON client_verifications, client_documents TO assay_app;
GRANT SELECT, INSERT ON client_document_parts TO assay_app;
