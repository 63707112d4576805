-- Records of version 0.1 are found by their customer too: the key of its person is the hash that is looked for.
INSERT INTO lookups (psp_id, kind, hash, record_id, record_kind, account_id)
SELECT psp_id, 'customer', subject, id, 'transaction', account_id FROM transactions WHERE subject IS NOT NULL
UNION ALL
SELECT psp_id, 'customer', subject, id, 'wager', account_id FROM wagers WHERE subject IS NOT NULL
UNION ALL
SELECT psp_id, 'customer', subject, id, 'payout', account_id FROM payouts WHERE subject IS NOT NULL
ON CONFLICT DO NOTHING;
