-- Documents of clients whose end was announced, by id, with the days that were left; and those that end.
ALTER TABLE client_verifications ADD COLUMN documents_warned text;
CREATE INDEX client_documents_ending ON client_documents (valid_until) WHERE state = 'ACCEPTED' AND valid_until IS NOT NULL;
