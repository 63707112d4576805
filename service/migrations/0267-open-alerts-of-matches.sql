-- Whether a match has an alert that nobody has resolved is asked at every change of it.
CREATE INDEX reviews_of_match ON reviews (psp_id, split_part(about, '/', 1)) WHERE state = 'OPEN' AND rule = 'LIST_MATCH';
