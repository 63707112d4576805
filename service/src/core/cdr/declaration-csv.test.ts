// A declaration as CSV: lines as the JSON form has them, faults by line and column of the file.
import { describe, expect, it } from 'vitest';
import { Numeral } from '../money.ts';
import { Refusal } from '../refusal.ts';
import { type DeclarationFile, readDeclarationCsv } from './declaration-csv.ts';

const header = 'class,tax_code,records,data_mb,tax,currency';
const read = (...lines: string[]) => readDeclarationCsv(lines.join('\n'));

describe('a declaration file', () => {
  it('names columns in any order and case, leaves empty cells out and keeps numbers as they are written', () => {
    const lines = (read(header, 'onnet,VAT,12,,0.123456789012345678901,NGN', '', '"SMS",,3,,,ngn\r') as DeclarationFile)
      .lines;
    expect(lines).toEqual([
      {
        class: 'ONNET',
        taxCode: 'VAT',
        records: new Numeral('12'),
        tax: new Numeral('0.123456789012345678901'),
        currency: 'NGN',
      },
      { class: 'SMS', records: new Numeral('3'), currency: 'ngn' },
    ]);
    expect((lines[0] as { tax: Numeral }).tax.text).toBe('0.123456789012345678901');
    expect((read('\ufeffCurrency,Tax Code,DATA-MB', 'NGN,VAT,1') as DeclarationFile).lines).toEqual([
      { currency: 'NGN', taxCode: 'VAT', dataMb: new Numeral('1') },
    ]);
  });

  it('leaves what is no plain number as text, for the schema to refuse by its place', () => {
    for (const text of ['x', '1e3', '1 000', '=1+1', '+5'])
      expect((read(header, `ONNET,VAT,1,,${text},NGN`) as DeclarationFile).lines[0]).toMatchObject({ tax: text });
  });

  it('says lines of the file where the wire would say places of a list', () => {
    const file = read(header, '', 'ONNET,VAT,1,,1,NGN', 'SMS,VAT,1,,1,NGN') as DeclarationFile;
    expect(file.inFile("the field 'lines[1].tax' must be a number, not text")).toBe(
      "line 4, 'tax' must be a number, not text",
    );
    expect(file.inFile("the field 'lines[1].class' doubles a line: lines[0] has the same")).toBe(
      "line 4, 'class' doubles a line: line 3 has the same",
    );
  });

  it.each([
    [['class,taxx,currency'], /^line 1 must name columns out of class, taxCode, .*; 'taxx' is none$/],
    [['tax,TAX,currency'], "line 1 names the column 'tax' twice"],
    [['"class'], /^line 1: field 1 begins with a quote /],
    [[header, 'ONNET,VAT,1'], 'line 2 has 3 fields; the header has 6'],
    [[header, '', 'ONNET,"VAT,1,,,NGN'], /^line 3: field 2 begins with a quote /],
    [[''], /^line 1 must name columns /],
  ])('that begins %j is refused with the place', (lines, message) => {
    const refused = read(...lines);
    expect(refused).toBeInstanceOf(Refusal);
    expect((refused as Refusal).message).toMatch(message);
  });
});
