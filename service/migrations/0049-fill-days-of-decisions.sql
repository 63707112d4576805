-- in steps
-- Fills in the days of the decisions of earlier versions, some thousand at a time.
SELECT * FROM fill_days_of_decisions();
