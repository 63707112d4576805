-- Owners and directors of clients are screened too. All PSPs are screened again, with what was there before.
ALTER TABLE list_matches DROP CONSTRAINT list_matches_what_check;
ALTER TABLE list_matches ADD CONSTRAINT list_matches_what_check CHECK (what IN ('CLIENT', 'OWNER', 'CUSTOMER', 'WALLET'));
UPDATE list_screenings SET seq = 0;
