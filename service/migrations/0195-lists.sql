-- Lists to screen against: sanctions, persons in public office, and block and allow lists of the operator and of PSPs.
-- A list is a dated data set: each load is kept, and a changed or removed entry is a further revision of it. What belongs
-- to nobody (the nil UUID) is screened for all PSPs.
CREATE TABLE list_loads (
  owner_id uuid NOT NULL,            -- the PSP whose list it is; the nil UUID for all
  id uuid NOT NULL,
  seq integer NOT NULL,              -- orders loads of all lists
  list text NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('SANCTIONS', 'PEP', 'BLOCK', 'ALLOW')),
  threshold integer CHECK (threshold BETWEEN 50 AND 100), -- score from which a name matches; null for the purpose's own
  form text NOT NULL,
  name text NOT NULL,                -- file name or address
  file_sha256 text NOT NULL,
  published date,
  complete boolean NOT NULL,         -- false if further parts of the file follow
  entries integer NOT NULL,          -- in the list after it
  added integer NOT NULL,
  changed integer NOT NULL,
  removed integer NOT NULL,
  loaded_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, id)
);
CREATE UNIQUE INDEX list_loads_by_seq ON list_loads (seq);
CREATE INDEX list_loads_by_list ON list_loads (owner_id, list, seq DESC);

CREATE TABLE list_entries (
  owner_id uuid NOT NULL,
  list text NOT NULL,
  ref text NOT NULL,
  revision integer NOT NULL CHECK (revision >= 1),
  load_id uuid NOT NULL,
  load_seq integer NOT NULL,
  removed boolean NOT NULL,
  content text NOT NULL,             -- names, dates of birth, countries and keys as JSON; sealed in a PSP's own list
  PRIMARY KEY (owner_id, list, ref, revision)
);
CREATE INDEX list_entries_by_load ON list_entries (load_seq);

GRANT SELECT, INSERT ON list_loads, list_entries TO assay_app;
