-- Rules that put clients of a PSP on hold: a JSON list of ids, as `declining`.
ALTER TABLE risk_policies ADD COLUMN holding text NOT NULL DEFAULT '[]';
