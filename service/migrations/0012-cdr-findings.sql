-- Findings on call detail records: reading them by the time of their calls, and what rejected lines are worth.

-- A summary per stretch of pages: files come by the day of their calls, so that a day is found in a few of them. It is
-- some hundred kilobytes for a million records, and an insert does not touch it.
CREATE INDEX cdrs_by_call_start ON cdrs USING brin (psp_id, call_start) WITH (pages_per_range = 32, autosummarize = on);

-- What can be read of a line that is kept sealed: its value is at risk. Both or none.
ALTER TABLE cdr_suspense ADD COLUMN cost numeric, ADD COLUMN currency text;
