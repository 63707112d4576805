-- What is personal of the receiver of a call is sealed under a key of its own; in rows of before it stands in `sealed`,
-- under the caller's.
ALTER TABLE cdrs
  ADD COLUMN receiver_sealed text,
  ADD COLUMN receiver_subject text;         -- keyed hash of the receiver's number
