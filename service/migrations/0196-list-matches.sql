-- Matches of clients, customers and wallets with entries of lists, one for each of them and entry; and through which load
-- of lists a PSP's clients have been screened.
CREATE TABLE list_matches (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  transaction_id uuid,               -- the payment it was found in; null for a client's own name
  what text NOT NULL CHECK (what IN ('CLIENT', 'CUSTOMER', 'WALLET')),
  about text NOT NULL,               -- the client's id, or the keyed hash of the customer or wallet
  subject text,                      -- person under whose key `detail` is sealed; null if under the service's own
  list text NOT NULL,
  shared boolean NOT NULL,
  ref text NOT NULL,
  revision integer NOT NULL,         -- of the entry
  purpose text NOT NULL,
  score integer NOT NULL,
  detail text NOT NULL,              -- sealed: what was compared, and the score of each field
  state text NOT NULL CHECK (state IN ('OPEN', 'EXCEPTED', 'ENDED')),
  exception text,                    -- who said, when, why and until when that it is somebody else
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX list_matches_by_account ON list_matches (psp_id, account_id, id);
CREATE INDEX list_matches_by_about ON list_matches (psp_id, about);
CREATE INDEX list_matches_by_state ON list_matches (psp_id, state, id);
CREATE INDEX list_matches_excepted ON list_matches (psp_id) WHERE state = 'EXCEPTED';

CREATE TABLE list_screenings (
  psp_id uuid PRIMARY KEY,
  seq integer NOT NULL,              -- the load through which all clients have been screened
  screened_at timestamptz NOT NULL
);

GRANT SELECT, INSERT, UPDATE ON list_matches, list_screenings TO assay_app;
