// What is put in force applies at once, though one process answers and another evaluates records and makes reports.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, issueKey } from '../support/guarantees.ts';
import { ended } from '../support/reports.ts';

let answering: TestApp;
let following: TestApp;

beforeAll(async () => {
  const env = { ASSAY_MASTER_KEY: 'cd'.repeat(32) };
  answering = await makeTestApp({ env: { ROLE: 'serve', ...env } });
  following = await makeTestApp({ env: { ROLE: 'follow', ...env }, database: answering.database });
});
afterAll(async () => {
  await following?.stop();
  await answering?.stop();
});

it('opens the alert of the first record after each of ten approvals', async () => {
  const t = answering;
  const psp = await t.makePsp();
  const client = await t.makeClient(psp);
  const staff = await t.makeOperator();
  const two = (await issueKey(t, staff)).apiKey;
  const first: [string, string][] = [];
  for (let i = 0; i < 10; i++) {
    const risk = {
      id: `AT_ONCE_${i}`,
      version: 1,
      from: '2020-01-01',
      until: null,
      scope: { operations: ['verifyTransaction'] },
      condition: 'record.currency == "NGN"',
      severity: 'HIGH',
      code: 'RISK_POLICY',
      reason: 'A private reason that a reviewer reads.',
      action: 'review',
      source: { title: 'A test of the risk book', date: '2026-11-26' },
    };
    const p = contentOf(await t.post('/v1/admin/proposal', { reason: 'seen lately', risk }, staff.apiKey));
    contentOf(await t.post(`/v1/admin/proposal/${p.proposalId}/approve`, { reason: 'checked' }, two));
    const sale = { ref: `r${i}`, totalAmount: 10, transactionFee: 0, currency: 'NGN', countryCode: 'NG' };
    const body = { ...sale, paymentMethods: { card: 10 } };
    const sold = contentOf(await t.post('/v1/transaction/verifyTransaction', body, client.apiKey));
    following.app.wake({ psps: new Set([psp.uuid]) });
    first.push([risk.id, sold.transactionId]);
    await until(`the record after approval ${i} was read`, async () => {
      const [r] = await t.database.admin.query(
        `SELECT count(*) AS n FROM journal_heads h LEFT JOIN journal_cursors c ON c.psp_id = h.psp_id AND c.reader = 'reviews'
         WHERE h.psp_id = $1 AND h.seq > coalesce(c.seq, 0)`,
        [psp.uuid],
      );
      return Number(r?.n) === 0;
    });
  }
  for (const [rule, transactionId] of first) {
    const { items } = contentOf(await t.get(`/v1/review?transactionId=${transactionId}`, psp.apiKey));
    expect(items.map((r: { rule: string }) => r.rule)).toContain(rule);
  }
});

it('reports by the tax rules that were loaded just before', async () => {
  const t = answering;
  const psp = await t.makePsp();
  const staff = await t.makeOperator();
  const sale = { ref: 's1', totalAmount: 107.5, transactionFee: 0, currency: 'NGN', countryCode: 'NG' };
  contentOf(await t.post('/v1/transaction/verifyTransaction', { ...sale, paymentMethods: {} }, psp.apiKey));
  const country = JSON.parse(readFileSync(new URL('../../data/tax/NG.json', import.meta.url), 'utf8'));
  const old = country.rules.find((r: { ruleId: string }) => r.ruleId === 'NG-VAT-STANDARD-2026');
  country.rules.push({ ...old, ruleId: 'NG-VAT-STANDARD-2026-11', rate: '10', validFrom: '2026-11-01' });
  old.validTo = '2026-11-01';
  contentOf(await t.post('/v1/admin/tax', { reason: 'overlooked', country }, staff.apiKey));
  const dryRun = { kind: 'rateCorrection', countryCode: 'NG', from: '2026-11-01', to: '2026-11-30' };
  const { reportId } = contentOf(await t.post('/v1/report', dryRun, psp.apiKey));
  await following.app.following?.reports.work();
  expect((await ended(t, reportId, psp.apiKey)).state).toBe('DONE');
  const { body } = await t.get(`/v1/report/${reportId}/json`, psp.apiKey);
  expect(body.sections[0].rows).toMatchObject([{ transactions: 1, vatStands: '7.5', vatNow: '9.77' }]);
});
