// Call records in the console: a file from pick-up to its errors; and pages of records, months, declarations and
// logins.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import type { Account } from '../support/app.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { analysed } from '../support/cdr-analysis.ts';
import { cdrHeader, cdrRow, cdrText, dataDirOf, drop } from '../support/cdr-files.ts';
import { inFrench } from '../support/french.ts';
import { contentOf } from '../support/guarantees.ts';

let site: Site;
let psp: Account;
let client: Account;
let ada: Person;

beforeAll(async () => {
  site = await openSite();
  psp = await site.test.makePsp('Lagoon Telecom');
  client = await site.test.makeClient(psp, { registeredName: 'Harbour Mobile Ltd' });
  ada = await site.makePerson();
  const month = (n: number, day: string, change = {}) =>
    cdrRow(n, { call_start_time: `${day}T09:00:00Z`, call_end_time: `${day}T09:02:00Z`, timestamp: '', ...change });
  drop(
    dataDirOf(site.test),
    client,
    'november.csv',
    cdrText(
      ...Array.from({ length: 12 }, (_, i) => month(i, '2026-11-20')),
      ...Array.from({ length: 7 }, (_, i) => month(100 + i, '2026-10-20', { call_type: 'SMS' })),
      month(200, '2026-11-20', { caller_number: '12345678901234567' }),
      month(201, '2026-11-20', { billing_information_call_cost: 'free' }),
    ),
  );
});
afterAll(() => site?.stop());

const at = (path: string): Promise<Page> => site.openAs(ada, path, { choose: { id: psp.id, name: 'Lagoon Telecom' } });

describe('call records in the console', () => {
  it('follows a file from the drop to its errors, and takes the rejected lines home', async () => {
    const page = await at('/cdr');
    await page.getByText('No file yet').waitFor();
    await page.getByRole('button', { name: 'Pick up now' }).click();
    await page.getByRole('link', { name: 'november.csv' }).waitFor();
    const files = page.getByRole('region', { name: 'Call detail files' });
    await files.getByText('Partially accepted').waitFor();
    await page.getByRole('link', { name: 'november.csv' }).click();
    await page.getByRole('heading', { level: 1, name: 'november.csv' }).waitFor();
    const errors = page.getByRole('region', { name: 'Errors and warnings by line' });
    await errors.getByText('Line 21').waitFor();
    await errors.getByText('billing_information_call_cost', { exact: true }).waitFor();
    await errors.getByText('free', { exact: true }).waitFor();
    await site.look(page, 'cdr-file');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Rejected lines' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('rejected-november.csv');
    const lines = (await readFile(await saved.path(), 'utf8')).trim().split(/\r?\n/);
    expect([lines[0], lines.length]).toEqual([cdrHeader, 3]);
    await page.getByRole('button', { name: 'Write off' }).click();
    await page.getByLabel('Reason').fill('test traffic of the exchange');
    await page.getByRole('dialog').getByRole('button', { name: 'Write off' }).click();
    await page.getByText('0 corrected, 2 written off').waitFor();
  });

  it('has the sums of a file in the form of the language', async () => {
    const page = await at('/cdr');
    await page.getByRole('link', { name: 'november.csv' }).click();
    await page.getByRole('heading', { level: 1, name: 'november.csv' }).waitFor();
    await inFrench(page);
    await page.getByRole('columnheader', { name: 'Conforme au comptage' }).waitFor();
    await expect.poll(() => page.getByRole('row', { name: /^Somme des durées/ }).innerText()).toMatch(/\d\u202f\d{3}/);
  });

  it('shows progress of a file in work', async () => {
    const [file] = await site.test.database.admin.query('SELECT id FROM cdr_files LIMIT 1');
    await site.test.database.admin.query(
      "UPDATE cdr_files SET state = 'PROCESSING', completed_at = NULL WHERE id = $1",
      [file?.id],
    );
    const page = await at('/cdr');
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('link', { name: 'november.csv' }).waitFor();
    await site.look(page, 'cdr-files');
    await site.test.database.admin.query(
      "UPDATE cdr_files SET state = 'PARTIALLY_ACCEPTED', completed_at = $2 WHERE id = $1",
      [file?.id, new Date(site.test.now()).toISOString()],
    );
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
  });

  it('opens a total of the analysis to its records and their taxes', async () => {
    await analysed(site.test, psp);
    const page = await at('/cdr/analysis');
    await page.getByRole('figure', { name: 'Records by class' }).waitFor();
    await site.look(page, 'cdr-analysis');
    const totals = page.getByRole('region', { name: 'Totals by month and class' });
    await totals.getByRole('link', { name: '2026-10' }).first().click();
    const records = page.getByRole('region', { name: 'Analysed records' });
    await until('its seven records are shown', async () => (await records.getByRole('link').count()) === 7);
    await site.look(page, 'cdr-figure');
    await records.getByRole('link').first().click();
    await page.getByRole('heading', { level: 2, name: 'Taxes' }).waitFor();
    await site.look(page, 'cdr-record');
    await site.walk(page, '/cdr/records?callType=SMS');
    await until(
      'records are those of the filter',
      async () =>
        (await page.getByRole('region', { name: 'Call detail records', exact: true }).getByRole('link').count()) === 7,
    );
    await site.look(page, 'cdr-records');
    await site.go(page, '/cdr/records');
    // All were recorded in November: the days are those on which the calls began.
    await page.getByLabel('From (UTC)').fill('2026-10-20');
    await page.getByLabel('Up to (UTC)').fill('2026-10-20');
    await until(
      'records are those of the day',
      async () =>
        (await page.getByRole('region', { name: 'Call detail records', exact: true }).getByRole('link').count()) === 7,
    );
  });

  it('shows what an operator owes by return beside the taxes of its calls', async () => {
    const senegal = await site.test.makeClient(psp, { registeredName: 'Teranga Mobile', countryCode: 'SN' });
    const { cdrId } = contentOf(
      await site.test.post(
        '/v1/telecom/recordCDR',
        {
          ...{ cdr_id: 'SN-1', caller_number: '+221770000001', receiver_number: '+221760000002', call_type: 'VOICE' },
          ...{ call_start_time: '2026-11-20T10:00:00Z', call_end_time: '2026-11-20T10:02:00Z' },
          ...{ call_duration_seconds: 120, network_provider: 'Orange' },
          billing_information: { call_cost: 730, currency: 'XOF' },
        },
        senegal.apiKey,
      ),
    );
    await analysed(site.test, psp);
    const page = await at(`/cdr/records/${cdrId}`);
    const owed = page.getByRole('region', { name: 'Taxes due by return' });
    await owed.getByText('SN-CST-CDR-VOICE-2018').waitFor();
    await owed.getByText('Direction générale des Impôts et des Domaines').waitFor();
    // 5 % of 730.
    await owed.getByText('36.5 XOF').waitFor();
    const borne = page.getByRole('region', { name: 'Taxes on this record' });
    await borne.getByText('SN-RUTEL-CDR-VOICE-2010').waitFor();
    expect(await borne.getByText('SN-CST').count()).toBe(0);
    await site.look(page, 'cdr-record-by-return');
    await site.walk(page, '/cdr/analysis');
    const totals = page.getByRole('region', { name: 'Totals by month and class' });
    await totals.getByText('36.5 XOF').waitFor();
    await page.getByRole('region', { name: 'Totals by tax rule' }).getByText('By return').first().waitFor();
  });

  it('counts all pages of the totals, and names the account of each where there are several', async () => {
    const page = await at('/cdr');
    // Pages of two totals, as if there were hundreds.
    await page.route('**/v1/telecom/analysis?*', (route) =>
      route.continue({ url: route.request().url().replace('limit=200', 'limit=2') }),
    );
    await page.getByRole('link', { name: 'Analysis' }).click();
    const rows = page.getByRole('region', { name: 'Totals by month and class' }).getByRole('row');
    const { items } = contentOf(await site.test.get('/v1/telecom/analysis?limit=200', psp.apiKey));
    expect(items.length).toBeGreaterThan(2);
    await until('every total is shown', async () => (await rows.count()) === items.length + 1);
    await rows.getByText('Harbour Mobile Ltd').first().waitFor();
    await rows.getByText('Teranga Mobile').first().waitFor();
    await page.getByRole('region', { name: 'Totals by tax rule' }).getByText('Teranga Mobile').first().waitFor();
    const records = items.reduce((sum: number, t: { records: number }) => sum + t.records, 0);
    const drawn = await page.getByRole('figure', { name: 'Records by class' }).locator('tbody td').allInnerTexts();
    expect(drawn.reduce((sum, n) => sum + Number(n), 0)).toBe(records);
  });

  it('shows the taxes of a report in words, also in its charts', async () => {
    const { reportId } = contentOf(
      await site.test.post('/v1/report', { kind: 'cdrTax', period: '2026-11' }, psp.apiKey),
    );
    await until(
      'the report is made',
      async () => contentOf(await site.test.get(`/v1/report/${reportId}`, psp.apiKey)).state === 'DONE',
    );
    const page = await at(`/reports/${reportId}`);
    await page.getByRole('region', { name: 'Taxes of the month' }).getByText('By return').first().waitFor();
    const charts = page.getByRole('figure', { name: 'Tax by class' });
    await charts.first().waitFor();
    const { sections } = (await site.test.get(`/v1/report/${reportId}/json`, psp.apiKey)).body;
    const codes = sections.flatMap((s: { rows: Record<string, unknown>[] }) =>
      s.rows.flatMap((r) => [r.class, r.method, r.reason].filter((c) => c !== undefined && c !== null && c !== 'SMS')),
    );
    expect(codes).toContain('ADDED');
    const shown = (await page.locator('main').innerText()).split(/[\n\t]/);
    expect(shown.filter((text) => codes.includes(text.trim()))).toEqual([]);
    expect(await charts.locator('tbody th').allInnerTexts()).not.toContainEqual(expect.stringMatching(/^[A-Z_]{4,}$/));
  });

  it('records what was declared, and compares it', async () => {
    const page = await at('/cdr/declarations');
    await page.getByRole('button', { name: 'Declare' }).click();
    await page.getByLabel('Month').fill('2026-10');
    await page.getByRole('combobox', { name: /^Client/ }).click();
    await page.getByRole('option', { name: 'Harbour Mobile Ltd' }).click();
    await page.getByLabel('Currency').fill('NGN');
    await page.getByRole('textbox', { name: 'Records' }).fill('5');
    await site.look(page, 'cdr-declare');
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await page.getByRole('link', { name: '2026-10' }).click();
    await page.getByText('Not compared yet').waitFor();
    const { reportId } = contentOf(
      await site.test.post('/v1/report', { kind: 'cdrTax', period: '2026-10' }, psp.apiKey),
    );
    await until(
      'the report is made',
      async () => contentOf(await site.test.get(`/v1/report/${reportId}`, psp.apiKey)).state === 'DONE',
    );
    await page.reload();
    await page.getByRole('region', { name: 'Declared and computed figures' }).waitFor();
    await site.look(page, 'cdr-declaration');
    await inFrench(page);
    await page.getByText('En vigueur', { exact: true }).waitFor();
  });

  it('closes a month that has ended', async () => {
    const page = await at('/cdr/periods');
    await page.getByRole('button', { name: 'Close' }).first().waitFor();
    await site.look(page, 'cdr-periods');
    await page.getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('2026-10 is closed').waitFor();
  });

  it('creates a login whose password is shown once, and revokes it', async () => {
    const page = await at('/cdr/logins');
    await page.getByRole('button', { name: 'Create a login' }).click();
    await page.getByLabel('What it is for').fill('billing system');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const password = page.getByRole('group', { name: 'Password' });
    expect((await password.textContent())?.length).toBeGreaterThan(11);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await password.waitFor({ state: 'detached' });
    await site.look(page, 'cdr-logins');
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByLabel('Reason').fill('the exchange is switched off');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
  });
});
