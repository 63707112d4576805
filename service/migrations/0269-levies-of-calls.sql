-- Who owes a tax on calls by a return of the period; '' for taxes that the calls bear themselves, as all were until now. What
-- is due by return on calls that are analysed already comes with 'assay cdr analyse --rebuild'.
ALTER TABLE cdr_totals ADD COLUMN owed_by text NOT NULL DEFAULT '';
