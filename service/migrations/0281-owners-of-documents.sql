-- Whose identity a document shows: marks of owners under the client's key, which name nobody once it is gone.
ALTER TABLE client_verifications ADD COLUMN owner_ids text;   -- JSON: of each owner, in the order of owner_shares
ALTER TABLE client_documents ADD COLUMN owner text;
