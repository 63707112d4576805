-- What is kept about a person is counted in cases and matches too.
CREATE INDEX case_items_by_subject ON case_items (psp_id, subject) WHERE subject IS NOT NULL;
CREATE INDEX list_matches_by_subject ON list_matches (psp_id, subject) WHERE subject IS NOT NULL;
