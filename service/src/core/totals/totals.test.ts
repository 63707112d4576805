// Parts of records and their sums: exact, undone by their reverse, read from the journal's own text.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wireNumber } from '../money.ts';
import { plain, sumOf } from '../sums.ts';
import { entryOfPlay, entryOfTransaction, parseCounted } from './entry.ts';
import { type CountedTransaction, type Part, partsOfPlay, partsOfTransaction } from './figures.ts';
import { figure, Tally } from './tally.ts';

const transactionOf = (body: string) =>
  entryOfTransaction('a', parseCounted(body) as Parameters<typeof entryOfTransaction>[1]);
const dayOf = (_: string, iso: string) => iso.slice(0, 10);
const sale: CountedTransaction = {
  account: 'a',
  kind: 'verifyTransaction',
  status: 'APPROVED',
  country: 'NG',
  currency: 'NGN',
  amount: '107.50',
  vatAmount: '7.50',
  processingFee: '1.08',
  transactionFee: '1.5',
  transactionVat: '0.11',
  remainder: '97.31',
  evidence: { date: '2026-11-21', tax: [{ rule: 'VAT', taxable: '100', tax: '7.5' }], fee: 'FEE' },
  chargeback: null,
};
const amount = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 18 }))
  .map(([units, scale]) => {
    const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
    return `${units < 0n ? '-' : ''}${scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`}`;
  });
const partOf = (text: string): Part => {
  const [first] = partsOfTransaction(sale, dayOf);
  return { ...(first as Part), figures: [text, ...Array(8).fill('0')] };
};

describe('a transaction', () => {
  it('stands in one cell of amounts and one of each tax', () => {
    const parts = partsOfTransaction(sale, dayOf);
    expect(parts.map((p) => [p.part, p.rule, p.place.verdict, p.place.day])).toEqual([
      ['amounts', 'FEE', 'APPROVED', '2026-11-21'],
      ['taxes', 'VAT', 'APPROVED', '2026-11-21'],
    ]);
  });

  it('keeps its place when it is charged back, and is returned on the day of the chargeback', () => {
    const charged = partsOfTransaction({ ...sale, chargeback: { at: '2026-12-05T10:00:00Z' } }, dayOf);
    expect(charged.slice(0, 2)).toEqual(partsOfTransaction(sale, dayOf));
    expect(charged.slice(2).map((p) => [p.place.verdict, p.place.day, p.figures])).toEqual([
      ['CHARGED_BACK', '2026-12-05', charged[0]?.figures],
      ['CHARGED_BACK', '2026-12-05', charged[1]?.figures],
    ]);
  });
});

describe('a wager', () => {
  it('stands under its product line in lower case, its contributions apart from its taxes', () => {
    const parts = partsOfPlay({
      account: 'a',
      kind: 'captureWager',
      country: 'KE',
      currency: 'KES',
      amount: '250',
      productLine: 'Sports',
      evidence: {
        date: '2026-11-21',
        tax: [{ rule: 'STAKE', taxable: '250', tax: '12.5' }],
        accruals: [{ rule: 'GGR', contribution: '250' }],
      },
    });
    expect(parts.map((p) => [p.part, p.rule, p.place.productLine, p.figures])).toEqual([
      ['amounts', '', 'sports', ['250', ...Array(8).fill('0')]],
      ['taxes', 'STAKE', 'sports', ['250', '12.5']],
      ['accruals', 'GGR', 'sports', ['250']],
    ]);
  });
});

describe('a tally', () => {
  it('sums exactly whatever the decimals and signs', () => {
    fc.assert(
      fc.property(fc.array(amount), (texts) => {
        const tally = new Tally();
        for (const text of texts) tally.add([partOf(text)], 1);
        const [cell] = tally.cells('amounts');
        expect(cell ? plain(figure(cell, 0)) : '0').toBe(sumOf(texts));
        expect(cell?.count ?? 0).toBe(texts.length);
      }),
    );
  });

  it('comes to nothing when all is taken out, in any order, and keeps the cell', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1 }), (texts) => {
        const tally = new Tally();
        for (const text of texts) tally.add([partOf(text)], 1);
        for (const text of [...texts].reverse()) tally.add([partOf(text)], -1);
        const [cell, ...others] = tally.cells('amounts');
        expect([others.length, cell?.count, plain(figure(cell as NonNullable<typeof cell>, 0))]).toEqual([0, 0, '0']);
      }),
    );
  });

  it('knows a cell that something only passed through', () => {
    const tally = new Tally();
    tally.add(partsOfTransaction(sale, dayOf), 0);
    expect(tally.cells('amounts').map((c) => [c.count, figure(c, 0)])).toEqual([[0, '0']]);
    expect(tally.size).toBe(2);
  });
});

describe('a journal entry', () => {
  const body = (n: string) =>
    JSON.stringify({
      data: {
        type: 'cryptoDeposit',
        status: 'APPROVED',
        countryCode: 'NG',
        currency: 'ETH',
        totalAmount: wireNumber(n),
        vatAmount: 0,
        processingFee: 1e-18,
        transactionFee: 0,
        netAmount: 1e21,
        revision: 3,
        createdAt: '2026-11-21T10:00:00.000Z',
        chargeback: null,
      },
    });

  it.each(['1.234567890123456789', '99999999999999999999', '0.1', '123456789012345', '12345678901234.567'])(
    'gives the amount %s as it was recorded',
    (n) => {
      const { record } = transactionOf(body(n));
      const tally = new Tally();
      tally.add(partsOfTransaction({ ...record, evidence: sale.evidence }, dayOf), 1);
      const [cell] = tally.cells('amounts');
      expect(plain(figure(cell as NonNullable<typeof cell>, 0))).toBe(n);
      expect(figure(cell as NonNullable<typeof cell>, 2)).toBe('0.000000000000000001');
      expect(plain(figure(cell as NonNullable<typeof cell>, 5))).toBe('1000000000000000000000');
    },
  );

  it('has no evidence where it changes neither price nor day', () => {
    expect(transactionOf(body('1'))).toMatchObject({ revision: 3, evidence: undefined });
  });

  it('of a payout names its wager, of a wager its product line', () => {
    const playOf = (kind: 'captureWager' | 'capturePayout', more: { type?: string; wagerId: string }) =>
      entryOfPlay(kind, 'a', {
        data: { countryCode: 'KE', currency: 'KES', amount: 5, ...more },
        evidence: { date: '2026-11-21', tax: [], accruals: [] },
      });
    expect(playOf('captureWager', { type: 'sports', wagerId: 'wgr_1' }).productLine).toBe('sports');
    const payout = playOf('capturePayout', { wagerId: 'wgr_1' });
    expect([payout.productLine, payout.wagerId, payout.record.amount]).toEqual([undefined, 'wgr_1', '5']);
  });
});
