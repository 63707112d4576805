-- Closed cases are listed in the order of their closing, a page at a time.
CREATE INDEX cases_closed ON cases (psp_id, closed_at, id) WHERE state = 'CLOSED';
