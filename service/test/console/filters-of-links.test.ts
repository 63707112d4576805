// Lists that a link narrows: a page names each filter in its address that it applies, so that nobody takes a part of a list for
// the whole, and a link about one client or month shows that client's and that month's rows alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../support/app.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';
import { makeRecords, type Records } from './records.ts';

let site: Site;
let records: Records;
let other: Account;
let ada: Person;
let own: Person;

beforeAll(async () => {
  site = await openSite();
  records = await makeRecords(site.test);
  other = await site.test.makeClient(records.psp, { registeredName: 'Ikeja Shoes Ltd' });
  ada = await site.makePerson();
  own = await site.makePerson({ psp: records.psp, name: 'Kemi Bello' });
  await records.sale();
  for (const [client, webhookUrl] of [
    [records.client, 'https://books.example/hook'],
    [other, 'https://shoes.example/hook'],
  ] as const)
    contentOf(await site.test.post('/v1/client/subscribeToClient', { webhookUrl }, client.apiKey));
});
afterAll(() => site?.stop());

const at = (path: string): Promise<Page> => site.openAs(own, path);
const marksOf = (page: Page) => page.getByRole('group', { name: 'Filters without a field' });

const cdr = 'cdr_01m7y980t4e0mvjv9gkc84jjhx';
const narrowed: readonly (readonly [path: string, ...marks: string[]])[] = [
  ['/transactions?dayFrom=2026-11-01&dayTo=2026-11-30', 'Local day from: 1 Nov 2026', 'Local day to: 30 Nov 2026'],
  ['/transactions?from=2026-11-01T00:00:00Z', 'Recorded from: 1 Nov 2026, 00:00 UTC'],
  ['/transactions?rule=NG-VAT-STANDARD-2026', 'Tax rule: NG-VAT-STANDARD-2026'],
  ['/gaming?rule=KE-EXCISE-2026&productLine=sports', 'Tax rule: KE-EXCISE-2026', 'Product line: sports'],
  ['/gaming/payouts?dayFrom=2026-11-01&dayTo=2026-11-30', 'Local day from: 1 Nov 2026', 'Local day to: 30 Nov 2026'],
  [`/cdr/records?ids=${cdr},${cdr}`, 'Records: 2 of them'],
  [
    '/cdr/records?device=3f2a&callFrom=2026-11-01T00:00:00.000Z&callTo=2026-12-01T00:00:00.000Z',
    'Device: 3f2a',
    'Calls from: 1 Nov 2026, 00:00 UTC',
    'Calls before: 1 Dec 2026, 00:00 UTC',
  ],
  ['/audit?resource=txn_01m7y980t4e0mvjv9gkc84jjhx', 'About: txn_01m7…4jjhx'],
];

describe('a list that a link narrows', () => {
  it.each(narrowed)('says so: %s', async (path, ...marks) => {
    const page = await at(path);
    for (const mark of marks) {
      await marksOf(page).getByText(mark, { exact: true }).waitFor();
      await page.getByRole('button', { name: `Without ${mark.split(':')[0]}`, exact: true }).click();
      await marksOf(page).getByText(mark, { exact: true }).waitFor({ state: 'detached' });
    }
    expect(new URL(page.url()).search).toBe('');
  });

  it.each(['/cdr/records', '/cases', '/audit'])('names the client, not its id: %s', async (path) => {
    const page = await at(`${path}?clientId=${records.client.id}`);
    await marksOf(page)
      .getByText(/^(Account|Client): Lagos Books Ltd$/)
      .waitFor();
    await site.look(page, `narrowed${path.replaceAll('/', '-')}`);
  });

  it("names the PSP whose own records it shows, to the PSP's people and to staff", async () => {
    for (const page of [
      await at('/'),
      await site.openAs(ada, '/', { choose: { id: records.psp.id, name: records.pspName } }),
    ]) {
      await site.go(page, `/transactions?clientId=${records.psp.id}`);
      await expect.poll(() => page.getByRole('combobox', { name: 'Client' }).inputValue()).toBe(records.pspName);
    }
  });

  it('names the client to staff who see the lists of all PSPs', async () => {
    for (const path of ['/reviews?', '/lists?tab=matches&']) {
      const page = await site.openAs(ada, `${path}clientId=${records.client.id}`);
      await marksOf(page)
        .getByText(/^Client: /)
        .waitFor();
    }
  });

  it('names to them a client beyond those that are listed', async () => {
    const page = await site.openAs(ada, '/status');
    await page.route(/\/v1\/admin\/account\?.*kind=client/, async (route) => {
      const response = await route.fetch();
      const { content, ...rest } = await response.json();
      await route.fulfill({ response, json: { ...rest, content: { ...content, items: [], nextCursor: other.id } } });
    });
    await site.go(page, `/reviews?clientId=${records.client.id}`);
    await marksOf(page).getByText('Client: Lagos Books Ltd', { exact: true }).waitFor();
  });

  it('has no marks where it shows all', async () => {
    for (const path of [
      '/transactions',
      '/transactions?from=2026-11-01&to=2026-11-30',
      '/gaming',
      '/cdr/records',
      '/cdr/records?callFrom=2026-11-01&callTo=2026-11-30',
      '/audit',
      '/cases',
    ]) {
      const page = await at(path);
      expect(
        await marksOf(page)
          .getByRole('button', { name: /^Without/ })
          .count(),
        path,
      ).toBe(0);
    }
  });
});

describe('the links of a client', () => {
  it('lead to its own webhook addresses', async () => {
    const page = await at(`/clients/${records.client.id}`);
    await page.getByRole('link', { name: 'Webhooks', exact: true }).last().click();
    await page.getByText('https://books.example/hook').waitFor();
    await expect.poll(() => page.getByText('https://shoes.example/hook').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Client' }).waitFor();
    await site.go(page, '/webhooks');
    await page.getByText('https://shoes.example/hook').waitFor();
  });
});

describe('outstanding chargebacks', () => {
  it('are of the currency that a report names', async () => {
    contentOf(await site.test.post('/v1/transaction/chargeBack', { ref: 'order-1' }, records.psp.apiKey));
    const page = await at('/settlement/outstanding?currency=NGN');
    await page.getByRole('link', { name: 'order-1' }).waitFor();
    await expect.poll(() => page.getByLabel('Currency').inputValue()).toBe('NGN');
    await site.go(page, '/settlement/outstanding?currency=KES');
    await page.getByText('Nothing is outstanding').waitFor();
  });
});

describe('an order that the service refuses', () => {
  it('is left by a button, as the headings that set it are not shown', async () => {
    const page = await at('/transactions?currency=NGN');
    await page.getByRole('link', { name: 'order-1' }).waitFor();
    // As it refuses amounts of too many transactions, it refuses those of several currencies.
    await page.route(/[?&]sort=-amount/, (r) => r.continue({ url: r.request().url().replace('currency=NGN', '') }));
    await site.walk(page, '/transactions?currency=NGN&sort=-amount');
    await page.getByText('This could not be shown').waitFor();
    await page.getByRole('button', { name: 'Show in the usual order' }).click();
    await page.getByRole('link', { name: 'order-1' }).waitFor();
    expect(new URL(page.url()).searchParams.get('sort')).toBe(null);
  });
});

describe('pages of the staff', () => {
  it.each(['/psps', '/authorities', '/status'])('are not there for people of a PSP: %s', async (path) => {
    const page = await at(path);
    await page.getByText('There is no page at this address').waitFor();
  });
});

describe('a list that is empty', () => {
  it('offers what the person can do about it', async () => {
    const fresh = await site.test.makePsp('Tide Pay');
    const page = await site.openAs(await site.makePerson({ psp: fresh, name: 'Uche Obi' }), '/clients');
    await page.getByText('Register one here, or by the API with registerClient.').waitFor();
    await page.getByRole('button', { name: 'Register a client' }).waitFor();
    const reads = await site.openAs(await site.makePerson({ psp: fresh, role: 'auditor' }), '/clients');
    await reads.getByText(/^An administrator registers one here/).waitFor();
    await site.go(reads, '/webhooks');
    await reads.getByText(/^An administrator subscribes one here/).waitFor();
    await expect.poll(() => reads.getByRole('button', { name: /Register a client|Subscribe/ }).count()).toBe(0);
  });
});
