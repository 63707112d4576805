-- The seal: each PSP's journal as a Merkle tree (RFC 9162) with signed checkpoints, so that a change of what was
-- recorded can be shown by whoever holds a receipt or a checkpoint. Rows are written once; the role may change none.

CREATE TABLE audit_keys (
  version integer PRIMARY KEY,
  name text NOT NULL,                -- of the service; a PSP's log is called <name>/<PSP id>
  public_key bytea NOT NULL,         -- Ed25519, 32 bytes
  private_sealed text NOT NULL,      -- its seed
  created_at timestamptz NOT NULL
);

-- Full tiles of 32 neighbouring hashes: of leaves at level 0, of the roots of the tiles below at each level above.
CREATE TABLE audit_tiles (
  psp_id uuid NOT NULL,
  level integer NOT NULL,
  tile bigint NOT NULL,              -- 0, 1, 2 … from the left
  hashes bytea NOT NULL,             -- 32 hashes of 32 bytes
  root bytea NOT NULL,               -- of the complete subtree over them
  PRIMARY KEY (psp_id, level, tile)
);

CREATE TABLE audit_checkpoints (
  psp_id uuid NOT NULL,
  size bigint NOT NULL,              -- entries sealed: those numbered 1 up to it
  note text NOT NULL,                -- the checkpoint as a C2SP signed note
  tail bytea NOT NULL,               -- hashes of the leaves that no full tile held then
  sealed_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, size)
);

GRANT SELECT, INSERT ON audit_keys, audit_tiles, audit_checkpoints TO assay_app;

-- The entries of a record, for its receipt and for whoever follows a figure back to what was decided.
CREATE INDEX journal_by_resource ON journal (psp_id, resource_id);
