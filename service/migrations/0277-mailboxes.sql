-- Records are found by the mailbox of their customer, too, where the address is another spelling of it.
ALTER TABLE lookups DROP CONSTRAINT lookups_kind_check;
ALTER TABLE lookups ADD CONSTRAINT lookups_kind_check
  CHECK (kind IN ('customer', 'msisdn', 'wallet', 'chainHash', 'ip', 'mailbox'));
