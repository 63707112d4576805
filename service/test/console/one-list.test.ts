// Lists in the console: questions of people who use them, each answered in a few clicks, and their answer held against the
// database; the number of rows, the order, the time zone, files and saved views (0156).
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../support/app.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { contentOf, placeHold, setStanding } from '../support/guarantees.ts';
import { settled } from '../support/look.ts';
import { makeRecords, type Records } from './records.ts';

let site: Site;
let records: Records;
let ada: Person;
let other: Account;
let suspended: Account;
let held: Account;
const dayMs = 86_400_000;

const decline = (by: Account, ref: string, totalAmount: string) =>
  site.test.post(
    '/v1/transaction/verifyTransaction',
    `{"ref":"${ref}","totalAmount":${totalAmount},"currency":"NGN","countryCode":"NG","paymentMethods":{"card":${totalAmount}},"transactionFee":0}`,
    by.apiKey,
  );

beforeAll(async () => {
  // A Thursday; the people look on Saturday of the week after.
  site = await openSite({ startAt: '2026-11-12T10:00:00Z' });
  const { test } = site;
  records = await makeRecords(test);
  suspended = await test.makeClient(records.psp, { registeredName: 'Abuja Shoes' });
  await setStanding(test, suspended, { operationalStanding: 'SUSPENDED' });
  other = await test.makePsp('Mombasa Pay');
  held = await test.makeClient(other, { registeredName: 'Coast Traders' });
  await placeHold(test, held, {});
  await test.makeClient(other, { registeredName: 'Quiet Shop' });
  for (const [ref, amount] of [
    ['last-week-1', '1000000.01'],
    ['last-week-2', '98765432109876.54'],
    ['last-week-small', '999999.99'],
  ] as const)
    contentOf(await decline(suspended, ref, amount));
  await records.sale({ ref: 'approved-large', totalAmount: 5_000_000, paymentMethods: { card: 5_000_000 } });
  test.advance(9 * dayMs);
  contentOf(await decline(suspended, 'this-week', '2000000'));
  test.advance(12 * 3_600_000);
  await records.sale({ ref: 'late-evening', totalAmount: 300, paymentMethods: { card: 300 } });
  ada = await site.makePerson({ name: 'Ada Okafor' });
});
afterAll(() => site?.stop());

const choose = () => ({ id: records.psp.id, name: records.pspName });
const pick = async (page: Page, label: string, option: string) => {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};
const rowsOf = (page: Page) => page.getByRole('table').getByRole('row');
const numberOf = (page: Page, label: string) => page.getByRole('status', { name: `Number of ${label}` });

async function download(page: Page, label: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download ${label} as CSV` }).click(),
  ]);
  return readFileSync(await file.path(), 'utf8');
}
/** Hundredths, exactly. */
const hundredths = (amount: string) => {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'));
};

describe('an empty list', () => {
  it('offers no columns and no file, and only with filters its zone, by which days are read, and its views', async () => {
    const page = await site.openAs(ada, '/baskets', { choose: { id: other.id, name: 'Mombasa Pay' } });
    await page.getByText('No baskets yet').waitFor();
    const [columns, views] = [
      page.getByRole('button', { name: 'Columns' }),
      page.getByRole('button', { name: 'Views' }),
    ];
    const file = page.getByRole('button', { name: 'Download baskets as CSV' });
    expect([await columns.count(), await views.count(), await file.count()]).toEqual([0, 0, 0]);
    await site.go(page, '/baskets?status=PENDING');
    await views.waitFor();
    expect([await columns.count(), await file.count()]).toEqual([0, 0]);
    await expect.poll(() => numberOf(page, 'baskets').textContent()).toBe('Baskets: 0');
  });
});

describe('a question about lists', () => {
  it('names the PSP of each list that it offers, and takes none for all where none is chosen', async () => {
    // The tab has chosen one before.
    const page = await site.openAs(ada, '/clients?standing=ON_HOLD', { choose: choose() });
    await page.getByText('No client matches').waitFor();
    await page.getByRole('button', { name: 'Look in all PSPs' }).click();
    await page.getByRole('link', { name: 'Coast Traders' }).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search everything' }).fill('declined this week');
    const lists = page.getByRole('group', { name: 'Lists' }).getByRole('option');
    await expect
      .poll(async () => (await lists.allInnerTexts()).map((l) => l.split('\n').at(-1)).sort())
      .toEqual(['Mombasa Pay', records.pspName].sort());
    await lists.filter({ hasText: records.pspName }).click();
    await numberOf(page, 'transactions').getByText('Transactions: 1').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/p/${records.psp.id}/transactions`);
  });

  it('"declined above one million last week, as CSV" is answered to the digit', async () => {
    const page = await site.openAs(ada, '/nothing-here', { choose: choose() });
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search everything' });
    const lists = page.getByRole('group', { name: 'Lists' }).getByRole('option');
    for (const [typed, shown] of [
      ['payments of somebody', undefined],
      ['1,000,000', undefined],
      ['declined this week', 'Declined · This week'],
      ['not charged back today', 'Not charged back · Today'],
      ['transactions over 1,715.23 kes below 2000', 'from 1,715.23 · KES · up to 2,000'],
      ['declined above 1,000,000 last week', 'Declined · from 1,000,000 · Last week'],
    ] as const) {
      await field.fill(typed);
      if (shown) await lists.filter({ hasText: shown }).waitFor();
      else await expect.poll(() => lists.count()).toBe(0);
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor();
    await settled(page);
    await expect.poll(() => page.getByLabel('Amount from').inputValue()).toBe('1000000');
    await numberOf(page, 'transactions').getByText('Transactions: 2').waitFor();
    const text = await download(page, 'transactions');
    expect(text.startsWith('\ufeffTransaction id,')).toBe(true);
    const [head = '', ...lines] = text.slice(1).split('\r\n');
    const names = head.split(',');
    const rows = lines.slice(0, -2).map((line) => line.split(','));
    const column = (name: string) => rows.map((row) => row[names.indexOf(name)] as string);
    expect(column('Ref')).toEqual(['last-week-2', 'last-week-1']);
    expect(new Set(column('Status'))).toEqual(new Set(['Declined']));
    const sum = column('Total amount').reduce((n, a) => n + hundredths(a), 0n);
    const [kept] = await site.test.app.services.db.query<{ rows: number; sum: string }>(
      `SELECT count(*) AS rows, sum(amount)::numeric(40, 2)::text AS sum FROM transactions
       WHERE psp_id = $1 AND status = 'DECLINED' AND amount >= 1000000
         AND created_at >= '2026-11-09T00:00:00Z' AND created_at < '2026-11-16T00:00:00Z'`,
      [records.psp.uuid],
    );
    expect([rows.length, sum]).toEqual([kept?.rows, hundredths(kept?.sum ?? '')]);
    expect(lines.at(-2)).toMatch(/^"End of the list: 2 rows, read from 2026-11-21 /);
  });

  it('"all clients on hold or suspended, all PSPs" is one filter', async () => {
    const page = await site.openAs(ada, '/nothing-here');
    await page.getByRole('link', { name: 'Clients', exact: true }).first().click();
    await pick(page, 'Standing', 'On hold or suspended');
    await numberOf(page, 'clients').getByText('Clients: 2').waitFor();
    const table = page.getByRole('table');
    await table.getByRole('row', { name: /Abuja Shoes.*Harbour Pay/ }).waitFor();
    await table.getByRole('row', { name: /Coast Traders.*Mombasa Pay/ }).waitFor();
    await expect.poll(() => table.getByRole('row').count()).toBe(3);
    expect(await download(page, 'clients')).toContain(held.id);
    await site.look(page, 'clients-restricted');
  });

  it('"which rates change in 90 days" is a tab of the rates', async () => {
    const until = new Date(site.test.now() + 90 * dayMs).toISOString().slice(0, 10);
    const since = new Date(site.test.now()).toISOString().slice(0, 10);
    const asked = `/v1/tax/changes?since=${since}&until=${until}`;
    const { items } = contentOf(await site.test.get(asked, records.psp.apiKey));
    expect(items.length).toBeGreaterThan(0);
    const page = await site.openAs(ada, '/nothing-here');
    await page.getByRole('link', { name: 'Rates', exact: true }).first().click();
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByText(items[0].title).first().waitFor();
    await expect.poll(() => rowsOf(page).count()).toBe(items.length + 1);
    await site.look(page, 'tax-changes');
  });

  it('"which keys are unused for 90 days" is one table over all accounts', async () => {
    const { test } = site;
    const named = (name: string, by: Account, client?: Account) =>
      test.post('/v1/key', { name }, by.apiKey, client ? { 'x-client-id': client.id } : {});
    contentOf(await named('checkout of 2026', records.psp, records.client));
    test.advance(91 * dayMs);
    const fresh = contentOf(await named('checkout of 2027', records.psp, records.client));
    expect((await test.get('/v1/client/verifyClientStatus', fresh.apiKey)).status).toBe(200);
    const bola = await site.makePerson({ name: 'Bola Ade' });
    const page = await site.openAs(bola, '/nothing-here');
    await page.getByRole('link', { name: 'API keys', exact: true }).first().click();
    await page.getByText('90 days', { exact: true }).click();
    const row = page.getByRole('row', { name: /checkout of 2026/ });
    await row.getByText('Never').waitFor();
    await row.getByText(records.clientName).waitFor();
    await page.getByRole('row', { name: /checkout of 2027/ }).waitFor({ state: 'hidden' });
    await page
      .getByRole('row', { name: /Coast Traders.*Mombasa Pay/ })
      .first()
      .waitFor();
    await site.look(page, 'keys-unused');
    test.advance(-91 * dayMs);
  });
});

describe('a list', () => {
  it('says how many rows there are, and is sorted by amount once a currency is chosen', async () => {
    const page = await site.openAs(ada, '/transactions', { choose: choose() });
    await numberOf(page, 'transactions').getByText('Transactions: 6').waitFor();
    const heading = page.getByRole('columnheader', { name: 'Gross' });
    await expect.poll(() => heading.getByRole('button').isDisabled()).toBe(true);
    await page.getByLabel('Currency').fill('ngn');
    await heading.getByRole('button').click();
    await page.waitForURL((url) => url.searchParams.get('sort') === '-amount');
    await rowsOf(page).nth(1).getByText('last-week-2').waitFor();
    await heading.getByRole('button').click();
    await page.waitForURL((url) => url.searchParams.get('sort') === 'amount');
    await rowsOf(page).nth(1).getByText('late-evening').waitFor();
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending');
    // Amounts of several currencies have no order: without one the newest come first, and the order is there again with it.
    await page.getByLabel('Currency').fill('');
    await page.waitForURL((url) => !url.searchParams.has('currency'));
    const recorded = page.getByRole('columnheader', { name: /^Recorded/ });
    await expect.poll(() => recorded.getAttribute('aria-sort'), { timeout: 60_000 }).toBe('descending');
    await numberOf(page, 'transactions').getByText('Transactions: 6').waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await page.getByLabel('Currency').fill('ngn');
    await expect.poll(() => heading.getAttribute('aria-sort'), { timeout: 60_000 }).toBe('ascending');
  });

  it('has one time zone for rows and filters, which goes with the address and every link', async () => {
    const page = await site.openAs(ada, '/transactions?from=2026-11-22&to=2026-11-22', { choose: choose() });
    await page.getByText('No transaction matches').waitFor();
    await page.getByRole('combobox', { name: 'Time zone' }).click();
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Nairobi');
    await page
      .getByRole('option', { name: /Nairobi/ })
      .first()
      .click();
    await page.waitForURL((url) => url.searchParams.get('zone') === 'Africa/Nairobi');
    const row = page.getByRole('row', { name: /late-evening/ });
    await row.getByText('22 Nov 2026, 01:00').waitFor();
    await page.getByRole('columnheader', { name: 'Recorded (Nairobi)' }).waitFor();
    await page.getByLabel('From (Nairobi)').waitFor();
    const colleague = await site.makePerson({ name: 'Chidi Eze', role: 'auditor' });
    const sent = new URL(page.url());
    const same = await site.openAs(colleague, `${sent.pathname.replace('/console', '')}${sent.search}`);
    await same
      .getByRole('row', { name: /late-evening/ })
      .getByText('22 Nov 2026, 01:00')
      .waitFor();
    await page.getByRole('link', { name: 'late-evening' }).click();
    await page.getByRole('heading', { level: 1, name: 'late-evening' }).waitFor();
    expect(new URL(page.url()).searchParams.get('zone')).toBe('Africa/Nairobi');
  });

  it('does not pass rows of the filters before for those that were asked for', async () => {
    const page = await site.openAs(ada, '/transactions?status=DECLINED', { choose: choose() });
    await numberOf(page, 'transactions').getByText('Transactions: 4').waitFor();
    let answer: (() => void) | undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/v1\/transaction\?.*status=APPROVED/, async (r) => {
      await answered;
      await r.continue();
    });
    await pick(page, 'Status', 'Approved');
    await page.locator('[aria-busy="true"]').getByRole('table').waitFor();
    await expect.poll(() => numberOf(page, 'transactions').textContent()).toBe('Transactions');
    answer?.();
    await page.locator('[aria-busy="false"]').getByRole('table').waitFor();
    await numberOf(page, 'transactions')
      .getByText(/^Transactions: \d+$/)
      .waitFor();
    await expect.poll(() => rowsOf(page).getByText('Declined', { exact: true }).count()).toBe(0);
  });

  it('keeps a view under a name for the person who saved it', async () => {
    const page = await site.openAs(ada, '/transactions?status=DECLINED', { choose: choose() });
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Save these filters as').fill('All declined');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.getByRole('link', { name: 'late-evening' }).waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'All declined', exact: true }).click();
    await page.getByRole('link', { name: 'late-evening' }).waitFor({ state: 'hidden' });
    expect(new URL(page.url()).searchParams.get('status')).toBe('DECLINED');
    await page.getByRole('button', { name: 'All declined', exact: true }).click();
    await page.getByRole('button', { name: 'Remove All declined' }).click();
    await page.getByRole('button', { name: 'Views' }).waitFor();
  });

  it('hides columns that nobody needs, in the address and in a saved view', async () => {
    const page = await site.openAs(ada, '/transactions', { choose: choose() });
    const heading = page.getByRole('columnheader', { name: 'Client', exact: true });
    await heading.waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Client', exact: true }).uncheck();
    await heading.waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Save these filters as').fill('Without clients');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const link = page.url();
    await site.go(page, '/transactions');
    await heading.waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Without clients', exact: true }).click();
    await heading.waitFor({ state: 'hidden' });
    // A link shows its receiver what its sender saw; the first column stays.
    const other = await site.openAs(
      await site.makePerson({ name: 'Bola Ade' }),
      new URL(link).pathname.replace('/console', '') + new URL(link).search,
    );
    await other.getByRole('columnheader', { name: 'Ref' }).waitFor();
    await expect.poll(() => other.getByRole('columnheader', { name: 'Client', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Without clients', exact: true }).click();
    await page.getByRole('button', { name: 'Remove Without clients' }).click();
  });

  it('shows its first rows without scrolling', async () => {
    const page = await site.openAs(ada, '/transactions', { choose: choose() });
    for (const [width, height] of [
      [1440, 900],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      const box = await rowsOf(page).nth(3).boundingBox();
      expect(box && box.y + box.height, `${width} by ${height}`).toBeLessThanOrEqual(height);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('does not take a file for whole whose end is missing', async () => {
    const page = await site.openAs(ada, '/transactions', { choose: choose() });
    await page.route(/\/v1\/transaction(\?|$)/, async (route) => {
      if (route.request().headers().accept?.startsWith('text/csv') !== true) return route.fallback();
      const response = await route.fetch();
      const text = await response.text();
      return route.fulfill({ response, body: text.slice(0, text.lastIndexOf('"End of the list')) });
    });
    await page.getByRole('button', { name: 'Download transactions as CSV' }).click();
    await page.getByText('The file could not be made').waitFor();
    await page.getByText('The file did not come to its end; download it again.').waitFor();
  });
});
