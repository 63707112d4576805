// Keys in the console: an administrator of a PSP issues a narrow one, replaces it, and after a leak ends all that one made.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import type { Account } from '../support/app.ts';
import { openSite, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';

let site: Site;
let psp: Account;
let ada: Person;
beforeAll(async () => {
  site = await openSite();
  psp = await site.test.makePsp('Example Pay');
  ada = await site.makePerson({ name: 'Ada Okafor', psp });
});
afterAll(() => site.stop());

const works = async (key: string) => (await site.test.get('/v1/client/verifyClientStatus', key)).status;

describe('the keys of a PSP', () => {
  it('are issued narrow, replaced and revoked by its administrator', async () => {
    const page = await site.openAs(ada, '/keys');
    await page
      .getByRole('row', { name: /first key/ })
      .getByText('Everything')
      .waitFor();
    await page.getByRole('button', { name: 'Issue a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What it is for').fill('web shop');
    for (const scope of ['Records', 'Read', 'Administration'])
      await dialog.getByLabel(scope, { exact: true }).uncheck();
    await dialog.getByRole('button', { name: 'Issue', exact: true }).click();
    const key = await dialog.getByRole('textbox', { name: 'API key' }).inputValue();
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    const row = page.getByRole('row', { name: /web shop/ });
    await row.getByText('Payments').waitFor();
    expect(await works(key)).toBe(200);
    expect((await site.test.get('/v1/webhook', key)).headers.get('x-error-code')).toBe('SCOPE');
    await site.look(page, 'keys');

    await row.getByRole('button', { name: 'Replace' }).click();
    await dialog.getByLabel('Hours for which the former key still works').fill('0');
    await dialog.getByRole('button', { name: 'Replace' }).click();
    const second = await dialog.getByRole('textbox', { name: 'API key' }).inputValue();
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    site.test.advance(1_000);
    expect([await works(key), await works(second)]).toEqual([401, 200]);
    await row.first().getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByLabel('Reason').fill('not needed');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await row.first().getByText('Revoked').waitFor();
    site.test.advance(1_000);
    expect(await works(second)).toBe(401);
  });

  it('show what they made, which ends with a key that leaked', async () => {
    const leaked = contentOf(await site.test.post('/v1/key', { name: 'leaked' }, psp.apiKey));
    const made = contentOf(await site.test.post('/v1/key', { name: 'by the thief' }, leaked.apiKey));
    const page = await site.openAs(ada, '/keys');
    // Whoever integrates finds the documentation from any page.
    await page.getByRole('button', { name: /account menu/ }).click();
    const documentation = page.getByRole('menuitem', { name: 'Documentation' });
    expect(await documentation.getAttribute('href')).toBe('/docs');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'leaked' }).click();
    const row = page.getByRole('row', { name: /by the thief/ });
    await row.getByText('Active').waitFor();
    await page.getByRole('heading', { level: 1, name: 'leaked' }).waitFor();
    await row.getByRole('link', { name: 'leaked', exact: true }).waitFor();
    await page.getByText('Everything', { exact: true }).waitFor();
    await site.look(page, 'key');
    await page.getByRole('button', { name: 'Revoke after a leak' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Leaked since (UTC)').fill('2026-11-01T00:00');
    await dialog.getByLabel('Reason').fill('found in a public repository');
    await dialog.getByRole('button', { name: 'Revoke after a leak' }).click();
    await row.getByText('Ended').waitFor();
    await page.getByText('The key is revoked, and 1 thing it made has ended').waitFor();
    site.test.advance(1_000);
    expect([await works(leaked.apiKey), await works(made.apiKey), await works(psp.apiKey)]).toEqual([401, 401, 200]);
  });

  it('lead to what was called with them, and why it was refused', async () => {
    const { apiKey } = contentOf(await site.test.post('/v1/key', { name: 'web shop 2' }, psp.apiKey));
    const order = {
      ...{ ref: 'order-1042', totalAmount: '107,50', currency: 'NGN', countryCode: 'NG', transactionFee: 1.5 },
      ...{ paymentMethods: { card: 107.5 }, customer: { email: 'jane.roe@example.com' } },
    };
    const refused = await site.test.post('/v1/transaction/verifyTransaction', order, apiKey);
    const requestId = refused.headers.get('x-request-id') as string;
    await site.test.get('/v1/transaction?limit=1', apiKey);
    await until('both are logged', async () => {
      const [n] = await site.test.database.admin.query(
        'SELECT count(*)::int AS n FROM request_log r JOIN api_keys k ON k.id = r.key_id WHERE k.name = $1',
        ['web shop 2'],
      );
      return n?.n === 2;
    });
    const page = await site.openAs(ada, '/keys');
    await page.getByRole('link', { name: 'web shop 2' }).click();
    await page.getByRole('link', { name: 'Its requests' }).click();
    const table = page.getByRole('region', { name: 'Requests', exact: true });
    await table.getByText('FIELD_INVALID in totalAmount').waitFor();
    await expect.poll(() => table.getByRole('row').count()).toBe(3);
    await expect.poll(() => table.textContent()).not.toContain('jane.roe');
    await page.getByRole('textbox', { name: 'Code' }).fill('field_invalid');
    await until('the filter is applied', async () => (await table.getByRole('row').count()) === 2);
    await table.getByText('order-1042').waitFor();
    await site.look(page, 'requests');

    const go = await site.openAs(ada, `/go/${requestId}`);
    await go.getByRole('region', { name: 'Requests', exact: true }).getByText('order-1042').waitFor();
    await go.keyboard.press('Control+k');
    await go.getByRole('dialog').getByRole('combobox').fill(requestId);
    await go.getByRole('option', { name: /verifyTransaction/ }).waitFor();
  });

  it('are only looked at by an auditor', async () => {
    const auditor = await site.makePerson({ role: 'auditor', name: 'Uche Auditor', psp });
    const page = await site.openAs(auditor, '/keys');
    await page.getByRole('row', { name: /first key/ }).waitFor();
    for (const name of ['Issue a key', 'Replace', 'Revoke'])
      await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0);
  });
});
