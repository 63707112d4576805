-- Matches are listed by list, and by list and state, without reading those of others.
CREATE INDEX list_matches_by_list ON list_matches (psp_id, list, id);
