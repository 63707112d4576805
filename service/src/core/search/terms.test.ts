// What is typed is understood as people mean it.
import { describe, expect, it } from 'vitest';
import { toWire } from '../ids.ts';
import { readTerms } from './terms.ts';

describe('an amount', () => {
  it.each([
    ['1,715.23 KES', '1715.23', 'KES'],
    ['KES 1,715.23', '1715.23', 'KES'],
    ['1 715,23', '1715.23', undefined],
    ['1715.23', '1715.23', undefined],
    ['1.234.567,89 ngn', '1234567.89', 'NGN'],
    ["1'234'567.89", '1234567.89', undefined],
    ['1,715', '1715', undefined],
    ['1,71', '1.71', undefined],
    ['0.07 BTC', '0.07', 'BTC'],
    ['007', '7', undefined],
  ])('is read from %s', (typed, amount, currency) => {
    expect(readTerms(typed).amount).toEqual(currency ? { amount, currency } : { amount });
  });

  it.each(['order-17', '1,7,15.23', 'KES 5 NGN', 'one', '1.2.3.4', '12345678901234567890123', ''])(
    'is not read from %j',
    (typed) => expect(readTerms(typed).amount).toBeUndefined(),
  );
});

describe('a person', () => {
  it.each([
    ['ada@example.com', ['customer']],
    ['+234 803 000 0001', ['msisdn']],
    ['002348030000001', ['msisdn']],
    ['0x52908400098527886E0F7030069857D2E4169EE7', ['wallet', 'chainHash']],
    ['102.0.2.44', ['ip']],
    ['2c0f:fe38::1', ['ip']],
    ['Lagos Books', []],
    ['order-1', []],
    ['ada @example.com', []],
  ])('may be meant by %s', (typed, kinds) => expect(readTerms(typed).person).toEqual(kinds));
});

describe('other terms', () => {
  it('are an id of any kind', () => {
    const id = '01890a5d-ac96-774b-bcce-b302099a8057';
    for (const kind of ['transaction', 'case', 'listLoad', 'psp'] as const)
      expect(readTerms(` ${toWire(kind, id)} `).id).toEqual({ kind, id });
    expect(readTerms('txn_short').id).toBeUndefined();
    expect(readTerms('xyz_01h455vb4pex5vsknk084sn02q').id).toBeUndefined();
  });

  it('are the number of a case', () => {
    expect(['12', 'case 12', 'Case #12', '#12', 'case no. 12'].map((t) => readTerms(t).caseNumber)).toEqual(
      Array(5).fill(12),
    );
    expect(readTerms('case of 12').caseNumber).toBeUndefined();
  });

  it('are words, at most six', () => {
    expect(readTerms('Société Générale & Co.').words).toEqual(['Société', 'Générale', 'Co']);
    expect(readTerms('a b c d e f g h').words).toHaveLength(6);
  });
});
