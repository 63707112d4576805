// The report cesop: who is reported, with which payments, and that its XML is well-formed and valid.
import { fileURLToPath } from 'node:url';
import { XmlDocument } from 'libxml2-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/settings.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { ended, made } from '../support/reports.ts';

const own = fileURLToPath(new URL('../support/fixtures/cesop-xsd', import.meta.url));
/** The published schema, where this machine has it. */
const published = readSettings({ CESOP_XSD_DIR: process.env.CESOP_XSD_DIR }).cesopXsdDir;
const asked = { kind: 'cesop', quarter: '2026-Q4', memberState: 'DE' };
const cesop = 'urn:ec.europa.eu:taxud:fiscalis:cesop:v1';

let t: TestApp;
let psp: Account;
let reported: Account;
let below: Account;

const sale = async (by: Account, i: number, over: object = {}) => {
  const body = { currency: 'EUR', countryCode: 'FR', paymentMethods: {}, transactionFee: 0 };
  const r = await t.post(
    '/v1/transaction/verifyTransaction',
    { ref: `s${i}`, totalAmount: 10 + i / 100, ...body, ...over },
    by.apiKey,
  );
  return contentOf(r).transactionId as string;
};

beforeAll(async () => {
  t = await makeTestApp({ env: { CESOP_XSD_DIR: published ?? own } });
  psp = await t.makePsp('Zahlung & Söhne <GmbH>', 'DE');
  reported = await t.makeClient(psp, {
    registeredName: 'Bücher "& mehr" <SE>',
    countryCode: 'DE',
    organizationTin: 'DE 136 695 976',
  });
  below = await t.makeClient(psp, { countryCode: 'DE', organizationTin: '12/345' });
  for (let i = 0; i < 27; i++) await sale(reported, i);
  for (let i = 0; i < 25; i++) await sale(below, i);
  // At home, from outside of the Union, declined: none of them counts.
  await sale(below, 100, { countryCode: 'DE' });
  await sale(below, 101, { countryCode: 'NG', currency: 'NGN' });
  // At home by the countryCode, with a customer who is elsewhere by what the caller says: left out, and counted.
  await sale(below, 103, { countryCode: 'DE', taxDetails: { customerCountry: 'FRA' } });
  const business = { customerCountry: 'FR', customerTaxNumber: 'FR40303265045' };
  await sale(below, 104, { countryCode: 'DE', taxDetails: business });
  await sale(below, 105, { countryCode: 'DE', taxDetails: { customerCountry: 'DE' } });
  await sale(below, 102);
  contentOf(await t.post('/v1/transaction/declineTransaction', { ref: 's102' }, below.apiKey));
  contentOf(await t.post('/v1/transaction/chargeBack', { ref: 's3' }, psp.apiKey, { 'x-client-id': reported.id }));
  // Charged back as well, but its dispute was won: nothing is refunded.
  const { chargebackId } = contentOf(
    await t.post('/v1/transaction/chargeBack', { ref: 's4' }, psp.apiKey, { 'x-client-id': reported.id }),
  );
  const evidenceDueAt = new Date(t.now() + 86_400_000).toISOString();
  const opened = { chargebackId, reason: 'the goods were delivered', evidenceDueAt };
  const { disputeId } = contentOf(await t.post('/v1/dispute', opened, psp.apiKey));
  const won = { outcome: 'WON', reason: 'the issuer accepted the proof' };
  contentOf(await t.post(`/v1/dispute/${disputeId}/resolve`, won, psp.apiKey));
  const deposit = { countryCode: 'FR', currency: 'EUR', totalAmount: 50, transactionFee: 0 };
  const customer = { email: 'ada@example.com', phoneNumber: '+34600000000' };
  contentOf(await t.post('/v1/payment/deposit', { ref: 'd1', customer, ...deposit }, reported.apiKey));
});
afterAll(() => t?.stop());

const sectionsOf = async (report: { reportId: string }) =>
  Object.fromEntries(
    (await t.get(`/v1/report/${report.reportId}/json`, psp.apiKey)).body.sections.map(
      (s: { name: string; rows: Record<string, string>[] }) => [s.name, s.rows],
    ),
  ) as Record<string, Record<string, string | number>[]>;

describe('of payees with more than 25 payments from other Member States', () => {
  it('has each payment and refund in valid XML, and says what is missing', async () => {
    const report = await made(t, { ...asked, bic: 'DEUTDEFF500' }, psp.apiKey);
    expect([report.reason, report.state, report.provisional]).toEqual([null, 'DONE', true]);
    const sections = await sectionsOf(report);
    expect(sections.payees?.map((p) => [p.clientId, p.payments, p.refunds])).toEqual([[reported.id, 28, 1]]);
    expect(sections.validation?.map((v) => v.verdict)).toEqual(['VALID']);
    const found = new Map(sections.findings?.map((f) => [f.code, f.count]));
    expect(found.get('PAYER_BY_CALLER')).toBe(29);
    expect(found.get('PAYER_PHONE_DIFFERS')).toBe(1);
    expect(sections.findings?.filter((f) => f.code === 'CUSTOMER_ELSEWHERE').map((f) => [f.account, f.count])).toEqual([
      [below.id, 2],
    ]);
    expect(found.get('PAYEE_VAT_UNCONFIRMED')).toBe(1);
    expect(found.has('PSP_BIC_MISSING')).toBe(false);

    const answer = await t.get(report.links.xml, psp.apiKey);
    expect(answer.headers.get('content-type')).toMatch(/^application\/xml/);
    expect(answer.headers.get('content-disposition')).toMatch(/filename="cesop-rpt_\w+\.xml"/);
    const document = XmlDocument.fromString(answer.text);
    const values = (path: string) => document.find(path, { c: cesop }).map((n) => n.content);
    expect(values('//c:ReportedPayee/c:Name')).toEqual(['Bücher "& mehr" <SE>']);
    expect(values('//c:ReportingPSP/c:Name')).toEqual(['Zahlung & Söhne <GmbH>']);
    expect(values('//c:TAXId')).toEqual(['DE136695976']);
    expect(values('//c:PayerMS')).toEqual(Array(29).fill('FR'));
    expect(values('//c:ReportedTransaction[not(@IsRefund)]/c:Amount')).toEqual(
      expect.arrayContaining(['10.00', '10.26', '50.00']),
    );
    expect(values('//c:ReportedTransaction[@IsRefund="true"]/c:Amount')).toEqual(['-10.03']);
    const refunded = values('//c:CorrTransactionIdentifier')[0];
    expect(values('//c:ReportedTransaction[not(@IsRefund)]/c:TransactionIdentifier')).toContain(refunded);
    document.dispose();
  });

  it('says the same when it is made again, under another message id', async () => {
    const first = await made(t, asked, psp.apiKey);
    const again = contentOf(await t.post(`/v1/report/${first.reportId}/rerun`, {}, psp.apiKey));
    const second = await ended(t, again.reportId, psp.apiKey);
    expect(second.changes).toEqual({ since: 1, changed: false, sections: [] });
    const idOf = async (r: { reportId: string }) =>
      /<MessageRefId>([^<]+)</.exec((await t.get(`/v1/report/${r.reportId}/xml`, psp.apiKey)).text)?.[1];
    expect(await idOf(second)).not.toBe(await idOf(first));
    expect(await idOf(first)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('tells of a quarter without any that there is nothing to report', async () => {
    const report = await made(t, { ...asked, quarter: '2025-Q1' }, psp.apiKey);
    expect((await sectionsOf(report)).validation?.[0]?.verdict).toBe('VALID');
    expect((await t.get(report.links.xml, psp.apiKey)).text).toContain('<MessageTypeIndic>CESOP102<');
  });
});

describe('without the schema', () => {
  it('says that the message was not validated, and by which setting it would be', async () => {
    const bare = await makeTestApp();
    try {
      const other = await bare.makePsp('Without', 'DE');
      const report = await made(bare, asked, other.apiKey);
      const { body } = await bare.get(`/v1/report/${report.reportId}/json`, other.apiKey);
      const { rows } = body.sections.find((s: { name: string }) => s.name === 'validation');
      expect(rows).toEqual([
        {
          verdict: 'NOT_VALIDATED',
          what: 'The message was not validated: the setting CESOP_XSD_DIR names no folder with the schema.',
          count: 1,
        },
      ]);
    } finally {
      await bare.stop();
    }
  });
});

describe('what cannot be asked for', () => {
  it.each([
    [{ memberState: 'NG' }, /must be a Member State of the European Union, not 'NG'/],
    [{ quarter: '2026-13' }, /must be written as 2026-Q3/],
    [{ quarter: '2027-Q1' }, /has not started/],
    [{ bic: 'deut' }, /must be a BIC/],
  ])('%j', async (over, message) => {
    expectRefusal(await t.post('/v1/report', { ...asked, ...over }, psp.apiKey), 400, 'FIELD_INVALID', message);
  });

  it('is the XML of a report that has none', async () => {
    const report = await made(t, { kind: 'chargebacks', period: '2026-11' }, psp.apiKey);
    expect(report.links.xml).toBeUndefined();
    expectRefusal(await t.get(`/v1/report/${report.reportId}/xml`, psp.apiKey), 404, 'NOT_FOUND', /has no XML/);
  });
});
