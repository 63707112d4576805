-- Schedules of reports: a report of the same kind for every day, week or month.
CREATE TABLE report_schedules (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,          -- the account concerned; the PSP's own: the PSP and all its clients
  kind text NOT NULL,
  parameters text NOT NULL,          -- JSON, keys sorted: all but those that say for which days
  every text NOT NULL CHECK (every IN ('DAY', 'WEEK', 'MONTH')),
  on_day integer,                    -- of the week, 1 is Monday; of the month, past its end the last one; null for DAY
  hour integer NOT NULL CHECK (hour BETWEEN 0 AND 23),
  time_zone text NOT NULL,
  covers text NOT NULL CHECK (covers IN ('FINISHED', 'RUNNING')),
  state text NOT NULL CHECK (state IN ('ACTIVE', 'ENDED')),
  version integer NOT NULL,
  created_by text NOT NULL,          -- an actor, as in the journal
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  next_at timestamptz,               -- when the next report is due; null once it has ended
  problem text,                      -- why the last one that was due could not be requested
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX report_schedules_due ON report_schedules (next_at) WHERE state = 'ACTIVE';
CREATE INDEX report_schedules_by_account ON report_schedules (psp_id, account_id, id);
GRANT SELECT, INSERT, UPDATE ON report_schedules TO assay_app;

ALTER TABLE reports ADD COLUMN schedule_id uuid;     -- the schedule it was made for
ALTER TABLE reports ADD COLUMN due_at timestamptz;   -- and when it was due
-- However many processes look, one report is made for each time.
CREATE UNIQUE INDEX reports_by_schedule ON reports (psp_id, schedule_id, due_at, revision) WHERE schedule_id IS NOT NULL;
