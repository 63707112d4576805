-- Call detail files (Spec 4.15): every file taken in and how far it has come, and every line that was kept out.

CREATE TABLE cdr_files (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  size_bytes bigint NOT NULL,
  sha256 text,                       -- hex; null until the file was read through, and where it is too large to be
  state text NOT NULL
    CHECK (state IN ('QUEUED', 'PROCESSING', 'ACCEPTED', 'PARTIALLY_ACCEPTED', 'REJECTED', 'DUPLICATE_FILE')),
  duplicate_of uuid,                 -- the file with the same content that came first
  header text,                       -- its first line, to give rejected lines back under; null until it was read
  lines bigint,                      -- data lines of the whole file; null until it was read through
  next_line bigint NOT NULL,         -- where the next portion begins: number and place of its first line
  next_offset bigint NOT NULL,
  version integer NOT NULL,          -- grows with every portion and change; each has one journal entry
  tally text NOT NULL,               -- JSON: counts, codes, control sums of what was made true so far
  findings text NOT NULL,            -- JSON: what is wrong or odd with the file as a whole
  received_at timestamptz NOT NULL,
  picked_up_at timestamptz NOT NULL,
  completed_at timestamptz,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX cdr_files_by_account ON cdr_files (psp_id, account_id, id);
CREATE INDEX cdr_files_by_content ON cdr_files (psp_id, account_id, sha256);

-- Lines that were kept out. A line leaves it by a corrected one or by a person's decision, and is then read no more:
-- the archived file has it.
CREATE TABLE cdr_suspense (
  psp_id uuid NOT NULL,
  file_id uuid NOT NULL,
  line bigint NOT NULL,
  byte_offset bigint NOT NULL,
  account_id uuid NOT NULL,
  cdr_id text,                       -- where the line gives one that can be read
  raw_sealed text,                   -- the line as it came; null once it is closed
  findings text NOT NULL,            -- JSON: errors and warnings
  state text NOT NULL CHECK (state IN ('OPEN', 'CORRECTED', 'WRITTEN_OFF')),
  reason text,                       -- why it was written off
  closed_by text,                    -- file that corrected it, or who wrote it off
  closed_at timestamptz,
  PRIMARY KEY (psp_id, file_id, line)
);
CREATE INDEX cdr_suspense_open ON cdr_suspense (psp_id, account_id, cdr_id) WHERE state = 'OPEN';

-- Warnings of recorded lines, of the first ones of each file; all of them stand with their records.
CREATE TABLE cdr_file_warnings (
  psp_id uuid NOT NULL,
  file_id uuid NOT NULL,
  line bigint NOT NULL,
  byte_offset bigint NOT NULL,
  cdr_id text NOT NULL,
  findings text NOT NULL,
  PRIMARY KEY (psp_id, file_id, line)
);

GRANT SELECT, INSERT, UPDATE ON cdr_files, cdr_suspense TO assay_app;
GRANT SELECT, INSERT ON cdr_file_warnings TO assay_app;
