-- Test mode: an account for tests stands in a tenant of its own and names the live account it was made for. That it is
-- a test account never changes. The column stands last because rows are sent in their binary form.
ALTER TABLE accounts ADD COLUMN test_of uuid;
CREATE INDEX accounts_by_test_of ON accounts (test_of) WHERE test_of IS NOT NULL;
