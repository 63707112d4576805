-- Rows that are changed again and again, each with room for its next form in its page: a change then writes no entry of an
-- index, and the table does not grow by what is out of date. Pages written before keep their form.
ALTER TABLE daily_cells SET (fillfactor = 50);
ALTER TABLE risk_activity SET (fillfactor = 50);
ALTER TABLE api_keys SET (fillfactor = 50);

-- Two taxes of a sale in one row of its day's totals, in place of two rows that change with each sale.
ALTER TABLE daily_cells
  ADD COLUMN second_tax_rule text,        -- null in a row with one tax or none
  ADD COLUMN second_taxed bigint,
  ADD COLUMN second_taxable numeric,
  ADD COLUMN second_tax numeric;

CREATE OR REPLACE VIEW totals_by_tax AS
  SELECT psp_id, day, country, account_id, currency, kind, verdict, product_line, tax_rule AS rule, taxed AS count,
    taxable, tax
  FROM daily_cells WHERE tax_rule IS NOT NULL
  UNION ALL
  SELECT psp_id, day, country, account_id, currency, kind, verdict, product_line, second_tax_rule, second_taxed,
    second_taxable, second_tax
  FROM daily_cells WHERE second_tax_rule IS NOT NULL;
