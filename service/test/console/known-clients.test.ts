// What a client has to show, in the console: requirements, documents, licences and owners, a level that two people raise, and
// what a change of standing would have turned, before it is made.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../support/app.ts';
import { openSite, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';

const who = { registeredName: 'Valletta Games', classification: 'IGAMING_GLOBAL', countryCode: 'MT' };
let site: Site;
let psp: Account;
let client: Account;
let ada: Person;
let bola: Person;
beforeAll(async () => {
  site = await openSite({ env: { REQUIRE_TWO_PERSONS: 'levels' } });
  psp = await site.test.makePsp('Example Pay');
  client = await site.test.makeClient(psp, who);
  ada = await site.makePerson({ name: 'Ada Okafor' });
  bola = await site.makePerson({ name: 'Bola Ade', role: 'reviewer' });
});
afterAll(() => site.stop());

const choose = () => ({ choose: { id: psp.id, name: 'Example Pay' } });
const open = (person: Person) => site.openAs(person, `/clients/${client.id}`, choose());
const deposit = (ref: string) =>
  site.test.post(
    '/v1/payment/deposit',
    {
      ...{ ref, totalAmount: 107.5, currency: 'EUR', countryCode: 'MT', transactionFee: 1 },
      customer: { email: 'player@example.com' },
    },
    client.apiKey,
  );

describe('a client in the console', () => {
  it('has documents, which are added here and decided by staff', async () => {
    const page = await open(ada);
    const asked = page.getByRole('row', { name: /document: proof of address/i }).first();
    await asked.getByText('Missing').waitFor();
    await page.getByRole('button', { name: 'Add a document' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'bill.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7 a bill'),
    });
    await dialog.getByRole('button', { name: 'Add the document' }).click();
    await asked.getByText('To be decided').waitFor();
    const { items } = contentOf(await site.test.get(`/v1/client/${client.id}/document`, psp.apiKey));
    expect(items).toMatchObject([{ kind: 'PROOF_OF_ADDRESS', contentType: 'application/pdf', bytes: 15 }]);
    const reviewing = await open(bola);
    await reviewing
      .getByRole('row', { name: /Proof of address.*To be decided.*Accept/ })
      .getByRole('button', { name: 'Accept' })
      .click();
    await reviewing.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
    await reviewing
      .getByRole('row', { name: /document: proof of address/i })
      .first()
      .getByText('Shown')
      .waitFor();
    await expect.poll(() => reviewing.getByRole('button', { name: 'Add a document' }).count()).toBe(0);
  });

  it('has licences and owners', async () => {
    const page = await open(ada);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add a licence' }).click();
    await dialog.getByLabel('Authority').fill('MGA');
    await dialog.getByLabel('Number').fill('MGA/B2C/394/2017');
    await dialog.getByLabel('Last day on which it is valid').fill('2028-08-31');
    await dialog.getByRole('button', { name: 'Add the licence' }).click();
    await page
      .getByRole('row', { name: /MGA\/B2C/ })
      .getByRole('button', { name: 'Accept' })
      .click();
    await dialog.getByText(/the client is on hold until a new licence is accepted/).waitFor();
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await page
      .getByRole('row', { name: /licence for gaming/ })
      .getByText('Shown')
      .waitFor();
    await page.getByRole('button', { name: 'Set the owners' }).click();
    await dialog.getByLabel('Name').fill('Grace Hopper');
    await dialog.getByLabel('Percent').fill('60.5');
    await dialog.getByLabel('Born').fill('1980-12-09');
    await dialog.getByRole('button', { name: 'Set the owners' }).click();
    await page.getByRole('row', { name: /Grace Hopper.*60.5%/ }).waitFor();
    await page.getByText('Not shown by Grace Hopper').waitFor();
    await page.getByRole('button', { name: 'Add a document' }).click();
    await dialog.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Owner identity' }).click();
    await dialog.getByRole('combobox', { name: 'Owner' }).click();
    await page.getByRole('option', { name: 'Grace Hopper' }).click();
    const passport = { name: 'passport.txt', mimeType: 'text/plain', buffer: Buffer.from('a passport') };
    await dialog.locator('input[type=file]').setInputFiles(passport);
    await dialog.getByRole('button', { name: 'Add the document' }).click();
    const row = page.getByRole('row', { name: /Owner identity.*Grace Hopper/ });
    await row.getByRole('button', { name: 'Accept' }).click();
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('Not shown by Grace Hopper').waitFor({ state: 'detached' });
    await site.look(page, 'client-known');
  });

  it('is raised by a proposal', async () => {
    for (const kind of ['CERTIFICATE_OF_INCORPORATION', 'BANK_ACCOUNT']) {
      const content = Buffer.from(kind).toString('base64');
      const path = `/v1/client/${client.id}/document`;
      const added = await site.test.post(path, { kind, contentType: 'text/plain', content }, client.apiKey);
      const { documentId } = contentOf(added);
      contentOf(await site.test.post(`${path}/${documentId}/accept`, {}, site.operator.apiKey));
    }
    const page = await open(ada);
    await page.getByRole('button', { name: 'Change level' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Level' }).or(dialog.getByLabel('Level')).first().click();
    await page.getByRole('option', { name: 'Enhanced' }).click();
    await dialog.getByText(/another person approves it/).waitFor();
    await dialog.getByLabel('Reason').fill('all was shown');
    await dialog.getByRole('button', { name: 'Propose the level' }).click();
    await page.getByText('Proposed; another person has to approve it').waitFor();
    const { items } = contentOf(await site.test.get('/v1/admin/proposal', site.operator.apiKey));
    expect(items).toMatchObject([{ kind: 'LEVEL', subject: client.id, state: 'OPEN' }]);
  });

  it('shows what a suspension would have declined before it is made', async () => {
    for (const ref of ['one', 'two']) contentOf(await deposit(ref));
    const page = await open(ada);
    await page.getByRole('button', { name: 'Suspend' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 of 2 decisions would have been declines').waitFor();
    await dialog.getByText('215.00').waitFor();
    await site.look(page, 'client-preview');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(contentOf(await deposit('three')).status).toBe('APPROVED');
  });

  it('says of what was not shown in time that it is overdue', async () => {
    const late = await site.test.makeClient(psp, { ...who, registeredName: 'Late Games' });
    site.test.advance(31 * 86_400_000);
    const page = await site.openAs(await site.makePerson({ role: 'auditor' }), `/clients/${late.id}`, choose());
    const row = (of: RegExp) => page.getByRole('row', { name: of }).first();
    await row(/certificate of incorporation/)
      .getByText('Overdue')
      .waitFor();
    expect(await row(/bank account/).textContent()).not.toContain('Overdue');
  });
});
