// The names of taxes against the rules that use them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { taxName, taxNames } from './tax-names.ts';

const folder = join(import.meta.dirname, '../../../data/tax');
const codes = new Set(
  readdirSync(folder)
    .filter((f) => /^[A-Z]{2}\.json$/.test(f))
    .flatMap((f) => JSON.parse(readFileSync(join(folder, f), 'utf8')).rules as { taxCode: string }[])
    .map((r) => r.taxCode),
);

describe('the names of taxes', () => {
  it('cover every tax code of the rules', () => {
    expect([...codes].filter((c) => !taxNames.has(c))).toEqual([]);
  });

  it('put VAT and GST on a VAT return, and no excise, withholding tax, duty or levy', () => {
    const onReturn = (code: string) => taxName(code).kind === 'VALUE_ADDED';
    expect(['VAT', 'GST', 'JCT'].filter(onReturn)).toEqual(['VAT', 'GST', 'JCT']);
    expect(['EXCISE', 'WHT', 'TDS', 'GGR', 'STAKE', 'NHIL', 'GETFUND', 'DAT', 'UNKNOWN'].filter(onReturn)).toEqual([]);
  });
});
