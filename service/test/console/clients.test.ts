// Clients in the console: registering one, suspending it so that its next transaction is declined, its keys and history.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../support/app.ts';
import { openSite, type Person, type Site } from '../support/browser.ts';

let site: Site;
let psp: Account;
let client: Account;
let ada: Person;
beforeAll(async () => {
  site = await openSite();
  psp = await site.test.makePsp('Example Pay');
  client = await site.test.makeClient(psp, { registeredName: 'Adunni Fabrics' });
  ada = await site.makePerson({ name: 'Ada Okafor' });
});
afterAll(() => site.stop());

const choose = () => ({ choose: { id: psp.id, name: 'Example Pay' } });
const verify = (ref: string) =>
  site.test.post(
    '/v1/transaction/verifyTransaction',
    {
      ref,
      totalAmount: 107.5,
      currency: 'NGN',
      countryCode: 'NG',
      paymentMethods: { card: 107.5 },
      transactionFee: 1.5,
    },
    client.apiKey,
  );

describe('clients in the console', () => {
  it('are found by name', async () => {
    const page = await site.openAs(ada, '/clients', choose());
    await page.getByLabel('Name or registration number').fill('Adunni');
    await page.getByRole('link', { name: 'Adunni Fabrics' }).waitFor();
    await site.look(page, 'clients');
    await page.getByLabel('Name or registration number').fill('nobody of this name');
    await page.getByText('No client matches').waitFor();
  });

  it('are suspended with a reason, and the next transaction is declined', async () => {
    expect((await verify('before')).body.content.status).toBe('APPROVED');
    const page = await site.openAs(ada, '/clients', choose());
    await page.getByRole('link', { name: 'Adunni Fabrics' }).click();
    await page.getByRole('heading', { level: 1, name: 'Adunni Fabrics' }).waitFor();
    await page.getByText('Would be approved').waitFor();
    await page.getByRole('button', { name: 'Suspend' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('licence lapsed');
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Would be declined').first().waitFor();
    const declined = await verify('after');
    expect(declined.body.content.status).toBe('DECLINED');
    await page.getByText('licence lapsed').first().waitFor();
    await page.getByText('by Ada Okafor').first().waitFor();
    await site.look(page, 'client');
    await page.getByRole('button', { name: 'Reactivate' }).click();
    await dialog.getByLabel('Reason').fill('licence renewed');
    await dialog.getByRole('button', { name: 'Reactivate' }).click();
    await page.getByText('Would be approved').waitFor();
    expect((await verify('renewed')).body.content.status).toBe('APPROVED');
  });

  it('are held and let go again', async () => {
    const held = await site.test.makeClient(psp, { registeredName: 'Held Fabrics', registrationNumber: 'RC-9' });
    const page = await site.openAs(ada, `/clients/${held.id}`, choose());
    await page.getByRole('button', { name: 'Place a hold' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code').fill('AML_REVIEW');
    await dialog.getByLabel('Reason').fill('pattern of the week');
    await dialog.getByRole('button', { name: 'Place the hold' }).click();
    await page.getByText('Would be declined').first().waitFor();
    await page.locator('h1 + *').getByText('On hold').waitFor();
    await site.go(page, '/clients?standing=ON_HOLD');
    const row = page.getByRole('row', { name: /Held Fabrics/ });
    await row.getByText('On hold').waitFor();
    expect(await row.getByText('Active').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Adunni Fabrics' }).count()).toBe(0);
    await site.go(page, '/clients?standing=ACTIVE');
    await page.getByRole('link', { name: 'Adunni Fabrics' }).waitFor();
    expect(await page.getByRole('link', { name: 'Held Fabrics' }).count()).toBe(0);
    await page.goto('/console/clients?standing=ON_HOLD');
    await page.getByRole('link', { name: 'Held Fabrics' }).click();
    await page.getByRole('heading', { level: 1, name: 'Held Fabrics' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/p/${psp.id}/clients/${held.id}`);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await dialog.getByLabel('Reason').fill('explained');
    await dialog.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('Would be approved').waitFor();
  });

  it('are registered, with key and secret shown once', async () => {
    const page = await site.openAs(ada, '/clients', choose());
    await page.getByRole('button', { name: 'Register a client' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Register' }).click();
    await dialog.getByText('Needed').first().waitFor();
    await dialog.getByLabel('Registered name').fill('Bola Books');
    await dialog.getByLabel('Registration number').fill('RC-77');
    await dialog.getByLabel('Country').fill('NG');
    await dialog.getByLabel('Tax identification number').fill('12345678-0001');
    await dialog.getByLabel('E-mail').fill('books@example.com');
    await dialog.getByLabel('Telephone').fill('+2348030000001');
    await dialog.getByRole('button', { name: 'Register' }).click();
    const key = await dialog.getByRole('textbox', { name: 'API key' }).inputValue();
    expect(key).toMatch(/^asy_/);
    expect((await site.test.get('/v1/client/verifyClientStatus', key)).status).toBe(200);
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('link', { name: 'Bola Books' }).waitFor();
  });

  it('get further keys, which are taken back', async () => {
    const page = await site.openAs(ada, `/clients/${client.id}`, choose());
    await page.getByRole('button', { name: 'Issue a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What it is for').fill('second shop');
    await dialog.getByRole('button', { name: 'Issue', exact: true }).click();
    const key = await dialog.getByRole('textbox', { name: 'API key' }).inputValue();
    expect((await site.test.get('/v1/client/verifyClientStatus', key)).status).toBe(200);
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    const row = page.getByRole('row', { name: /second shop/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByLabel('Reason').fill('shop closed');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    site.test.advance(1_000);
    expect((await site.test.get('/v1/client/verifyClientStatus', key)).status).toBe(401);
  });

  it('are only looked at by an auditor', async () => {
    const auditor = await site.makePerson({ role: 'auditor', name: 'Uche Auditor' });
    const page = await site.openAs(auditor, `/clients/${client.id}`, choose());
    await page.getByRole('heading', { level: 2, name: 'Standing' }).waitFor();
    expect(await page.getByRole('button', { name: 'Suspend' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Issue a key' }).count()).toBe(0);
  });
});
