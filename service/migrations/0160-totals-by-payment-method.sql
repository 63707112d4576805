-- Of the amounts of a day, those that the PSP does not hold. What was counted before said nothing of them: their records
-- do not either, so that it counts as held.
ALTER TABLE daily_cells
  ADD COLUMN discounts numeric DEFAULT 0,  -- null in a row without amounts
  ADD COLUMN vouchers numeric DEFAULT 0,
  ADD COLUMN cash numeric DEFAULT 0;

CREATE OR REPLACE VIEW totals_by_fee AS
  SELECT psp_id, day, country, account_id, currency, kind, verdict, product_line, fee AS rule, records AS count,
    gross, vat, processing_fee, transaction_fee, transaction_vat, net, discounts, vouchers, cash
  FROM daily_cells WHERE fee IS NOT NULL;
