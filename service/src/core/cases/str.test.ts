// Every report that is written is a sound goAML document: order, what is required, and the length and form of each text.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goamlFaults, readGoaml } from '../../../test/support/goaml.ts';
import type { StrPerson } from './goaml-parts.ts';
import { type Str, type StrTransaction, strXml } from './str.ts';

const customer: StrPerson = {
  ...{ firstName: 'Bola Ade', lastName: 'Okoro', email: 'bola@example.com', phoneNumber: '+2348030000001' },
  phone: { prefix: '234', number: '8030000001' },
};
const wallet = { institution: 'Wallet', number: `0x${'ab'.repeat(20)}`, bank: false };
const paid: StrTransaction = {
  ...{
    id: 'txn_01h455vb4pex5vsknk084sn02q',
    ref: 'd1',
    description: 'Deposit, APPROVED',
    at: '2026-11-26T10:00:00.000Z',
  },
  ...{ out: false, way: 'Deposit', amountLocal: '10.50', foreign: null, country: 'NG', customer, account: undefined },
};
const report: Str = {
  ...{ reportingEntity: '1234', reference: '7-1', code: 'STR', at: '2026-11-26T10:00:00.000Z', currency: 'NGN' },
  codes: {},
  reportedBy: { firstName: 'Ngozi', lastName: 'Eze' },
  ...{ reason: 'below the threshold', action: 'held', indicators: ['STRUCTURING'] },
  client: {
    ...{
      name: 'Lagos Books Ltd',
      registrationNumber: 'RC-1',
      taxNumber: '12-1',
      country: 'NG',
      business: 'ECOMM_LOCAL',
    },
    address: { address: '1 Marina', city: 'Lagos' },
    directors: [{ firstName: 'Yury', lastName: 'Shevchuk', birthDate: '1961-04-02', nationality: 'RU' }],
  },
  transactions: [paid],
};
const faults = (over: Partial<Str>) => goamlFaults(readGoaml(strXml({ ...report, ...over })));

describe('a report as goAML XML', () => {
  it.each<[string, StrTransaction]>([
    ['a deposit of a known customer', paid],
    ['a withdrawal to a wallet', { ...paid, out: true, customer: undefined, account: wallet }],
    ['a withdrawal of a customer to a wallet', { ...paid, out: true, account: wallet }],
    ['a sale to somebody unknown', { ...paid, customer: undefined }],
    [
      'a payment in another currency',
      { ...paid, foreign: { currency: 'USD', amount: '1', rate: '1650.3', iso: true } },
    ],
    ['one in an asset', { ...paid, foreign: { currency: 'USDT', amount: '1', rate: '1650.3', iso: false } }],
  ])('is sound for %s, as transactions and as an activity', (_, t) => {
    expect(faults({ transactions: [t, paid] })).toEqual([]);
    expect(faults({ transactions: [t], code: 'SAR' })).toEqual([]);
  });

  it('is sound for a client of whom nothing is known, without a transaction', () => {
    const nothing = { registrationNumber: null, taxNumber: null, country: null, business: null, address: undefined };
    const client = { ...report.client, ...nothing, directors: [] };
    expect(faults({ client })).toEqual([]);
    expect(faults({ client, transactions: [], code: 'SAR' })).toEqual([]);
  });

  it('is sound whatever people are called, and says in a comment what has no place', () => {
    const some = (maxLength: number) =>
      fc.string({ unit: 'binary', minLength: 1, maxLength }).filter((t) => /\S/.test(t));
    const called = fc.record({
      ...{ firstName: some(250), lastName: some(250), email: some(254), phoneNumber: some(32) },
    });
    fc.assert(
      fc.property(called, some(300), some(200), (who, name, number) => {
        const account = { institution: name, number, swift: name, bank: true };
        const transactions = [{ ...paid, ref: number, customer: who, account }];
        const client = { ...report.client, name, registrationNumber: number };
        return faults({ transactions, client, reportedBy: who }).length === 0;
      }),
      { numRuns: 100 },
    );
    const long = 'addr1'.padEnd(103, 'q');
    const odd = { firstName: 'Bola', lastName: 'Okoro', email: "o'neil@example.com", phoneNumber: 'call me' };
    const text = strXml({
      ...report,
      transactions: [{ ...paid, ref: 'r'.repeat(70), customer: odd, account: { ...wallet, number: long } }],
    });
    for (const said of [
      `Account: ${long}`,
      `Reference: ${'r'.repeat(70)}`,
      'Telephone: call me',
      'E-mail: o&apos;neil@',
    ])
      expect(text).toContain(said);
  });

  it('has the codes of the unit that takes it, and those for what is unknown without them', () => {
    const codes = {
      report: 'LTKM',
      transmode: 'SETOR',
      funds: 'UT',
      legalForm: 'PT',
      directorRole: 'DIR',
      partyRole: 'X',
    };
    const text = strXml({ ...report, codes, transactions: [{ ...paid, customer: undefined }] });
    for (const [name, code] of [
      ...[['report_code', 'LTKM'] as const, ['transmode_code', 'SETOR'] as const, ['funds_code', 'UT'] as const],
      ...[['incorporation_legal_form', 'PT'] as const, ['role', 'DIR'] as const, ['role', 'X'] as const],
    ])
      expect(text).toContain(`<${name}>${code}</${name}>`);
    expect(strXml(report)).toContain('<transmode_code>-</transmode_code>');
  });
});

describe('the check of a report', () => {
  it('finds an element out of its place, one that lacks, and one too much', () => {
    const sound = strXml(report);
    const broken = [
      sound.replace(/(<reason>.*?<\/reason>)(<action>.*?<\/action>)/, '$2$1'),
      sound.replace(/<addresses>.*?<\/addresses>/, ''),
      sound.replace(/<from_funds_code>.*?<\/from_funds_code>/, ''),
      sound.replace('<to_country>', '<to_country>NG</to_country><to_country>'),
      sound.replace('<amount_local>10.50', '<amount_local>10,50'),
      sound.replace('<rentity_id>1234', '<rentity_id>PSP-1'),
      sound.replace(/t_to_my_client/g, 't_to'),
      sound.replace(/<report_indicators>.*?<\/report_indicators>/, ''),
    ];
    for (const text of broken) {
      expect(text).not.toBe(sound);
      expect(goamlFaults(readGoaml(text))).not.toEqual([]);
    }
  });
});
