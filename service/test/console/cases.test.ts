// Cases in the console: the queue, and a case that is noted on, given a file, acted from and closed by two.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';
import { readersAtEnd } from '../support/journal.ts';
import { becomes } from '../support/look.ts';
import { makeRecords, type Records } from './records.ts';

let site: Site;
let records: Records;
let ngozi: Person;
let caseId: string;

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
const cases = async (): Promise<any[]> => contentOf(await site.test.get('/v1/case', records.psp.apiKey)).items;

beforeAll(async () => {
  site = await openSite();
  records = await makeRecords(site.test);
  ngozi = await site.makePerson({ name: 'Ngozi Eze', role: 'reviewer' });
  await records.sale({ ref: 'large-order', totalAmount: 20000000, paymentMethods: { card: 19000000 } });
  await readersAtEnd(site.test, ['reviews', 'cases']);
  caseId = (await cases()).find((c) => c.alerts === 2).caseId;
});
afterAll(() => site?.stop());

describe('the queue of cases', () => {
  it('shows an operator those of every PSP, and leads to each', async () => {
    const page = await site.openAs(ngozi, '/cases');
    await page.getByRole('table').getByText(records.pspName).first().waitFor();
    await page
      .getByRole('row', { name: /Case 1 / })
      .getByText('Large amount')
      .waitFor();
    await page.getByRole('link', { name: 'Case 1' }).click();
    await page.getByRole('heading', { level: 1, name: 'Case 1' }).waitFor();
    await page.getByRole('link', { name: 'Large amount' }).waitFor();
  });

  it('names the key that a case is assigned to, and whose it is', async () => {
    const assign = (assignee?: null) => site.test.post(`/v1/case/${caseId}/assign`, { assignee }, records.psp.apiKey);
    contentOf(await assign());
    const page = await site.openAs(ngozi, '/cases');
    await page
      .getByRole('row', { name: /Case 1 / })
      .getByText(`first key of ${records.pspName}`)
      .waitFor();
    contentOf(await assign(null));
  });

  it('is read at both widths and in both schemes, and says that nothing is overdue', async () => {
    const page = await site.openAs(ngozi, '/cases?show=overdue');
    await page.getByText('Nothing is overdue').waitFor();
    await site.go(page, '/cases');
    await page.getByRole('link', { name: 'Case 1' }).waitFor();
    await site.look(page, 'cases');
  });
});

describe('a case', () => {
  it('offers the holds of its client, by code and reason, to propose the end of one', async () => {
    const hold = { code: 'AML_REVIEW', reason: 'papers are looked at', blocking: false };
    contentOf(await site.test.post(`/v1/admin/account/${records.client.id}/hold`, hold, site.operator.apiKey));
    const page = await site.openAs(ngozi, `/cases/${caseId}`);
    await page.getByRole('button', { name: 'Act', exact: true }).click();
    await page.getByRole('combobox', { name: 'What to do' }).click();
    await page.getByRole('option', { name: 'Propose to end a hold' }).click();
    await page.getByRole('combobox', { name: 'Hold' }).click();
    await page.getByRole('option', { name: 'AML review: papers are looked at' }).waitFor();
  });

  it('opens its dialogs by keys on their first field, and has the focus back after them', async () => {
    const page = await site.openAs(ngozi, `/cases/${caseId}`);
    for (const [button, field] of [
      ['Act', 'What to do'],
      ['Write a report', 'It reports'],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog').filter({ visible: true });
      const has = (role: 'combobox' | 'button', name: string, from: typeof dialog | typeof page) =>
        expect
          .poll(() => from.getByRole(role, { name, exact: true }).evaluate((e) => e.matches(':focus')), {
            timeout: 60_000,
          })
          .toBe(true);
      await has('combobox', field, dialog);
      await page.keyboard.press('Escape');
      // The keys of the field's own list take the first one.
      if (await dialog.count()) await page.keyboard.press('Escape');
      await has('button', button, page);
    }
  });

  it('is assigned, noted on, given a file, linked, acted from and closed', async () => {
    const page = await site.openAs(ngozi, `/cases/${caseId}`);
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByRole('button', { name: 'Unassign' }).waitFor();
    await page.getByLabel('Another note').fill('Ada Obi was asked for the invoice');
    await page.getByRole('button', { name: 'Add note' }).click();
    const list = page.getByRole('list', { name: 'Notes, files and actions' });
    await list.getByText('Ada Obi was asked').waitFor();
    // The button is disabled until something is written; the next Tab begins near it, not at the top of the page.
    await becomes(
      page,
      'document.activeElement.matches("section") && /Add note/.test(document.activeElement.textContent)',
    );
    const file = { name: 'invoice.txt', mimeType: 'text/plain', buffer: Buffer.from('Invoice 1001') };
    await page.locator('input[type=file]').setInputFiles(file);
    await list.getByRole('link', { name: 'invoice.txt' }).waitFor();
    const [{ transactionId }] = contentOf(await site.test.get(`/v1/case/${caseId}`, records.psp.apiKey)).reviews;
    await page.getByLabel('Link a record or case').fill(transactionId);
    await page.getByRole('button', { name: 'Link', exact: true }).click();
    await list.getByText('Linked').waitFor();
    await page.getByRole('button', { name: 'Act', exact: true }).click();
    await page.getByRole('combobox', { name: 'What to do' }).click();
    await page.getByRole('option', { name: 'Decline a transaction' }).click();
    await page.getByRole('combobox', { name: 'Transaction' }).click();
    await page.getByRole('option').first().click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('the card was stolen');
    await page.getByRole('button', { name: 'Do it' }).click();
    await list.getByText('the card was stolen').waitFor();
    await site.look(page, 'case');
    await page.getByLabel('Confirmed: something is').check();
    await page.getByRole('textbox', { name: 'Why' }).fill('a stolen card');
    await page.getByRole('button', { name: 'Close the case' }).click();
    // A case of high severity is closed by two.
    await page.getByRole('heading', { name: 'A second person decides' }).waitFor();
    await page.getByRole('region', { name: 'State' }).getByText('Default', { exact: true }).waitFor();
    await page.reload();
    const history = page.getByRole('list', { name: 'History' });
    for (const what of ['Case assigned', 'Note added to a case', 'File added to a case', 'Closing of a case proposed'])
      await history.getByText(what, { exact: true }).first().waitFor();
    await expect.poll(() => history.getByText('Case changed').count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Agree' }).count()).toBe(0);
    const second = await site.openAs(await site.makePerson({ name: 'Bola Ade', role: 'reviewer' }), `/cases/${caseId}`);
    await second.getByRole('button', { name: 'Agree' }).click();
    await second.getByRole('dialog').getByRole('button', { name: 'Agree' }).click();
    await second.getByRole('button', { name: 'Reopen the case' }).click();
    await second.getByRole('dialog').getByText('Kept sealed with the case').waitFor();
    expect((await cases()).find((c) => c.caseId === caseId)).toMatchObject({ state: 'CLOSED', outcome: 'CONFIRMED' });
  });

  it('is only read by an auditor', async () => {
    const auditor = await site.makePerson({ role: 'auditor' });
    const page = await site.openAs(auditor, `/cases/${caseId}`);
    await page.getByRole('link', { name: 'Large amount' }).waitFor();
    for (const name of ['Assign to me', 'Add note', 'Reopen the case', 'Act'])
      await expect.poll(() => page.getByRole('button', { name, exact: true }).count()).toBe(0);
  });

  it('shows a few of many alerts, so that the decision is near, and the others when asked', async () => {
    const busy = await site.test.makeClient(records.psp, { registeredName: 'Busy Fabrics' });
    for (let i = 0; i < 4; i++)
      contentOf(
        await site.test.post(
          '/v1/transaction/verifyTransaction',
          {
            ...{ ref: `busy-${i}`, totalAmount: 20000000, transactionFee: 0, currency: 'NGN', countryCode: 'NG' },
            paymentMethods: { card: 19000000 },
          },
          busy.apiKey,
        ),
      );
    await readersAtEnd(site.test, ['reviews', 'cases']);
    const { caseId: of, alerts } = (await cases()).find((c) => c.clientId === busy.id);
    expect(alerts).toBeGreaterThan(5);
    const page = await site.openAs(ngozi, `/cases/${of}`);
    const shown = page.locator('a[href*="/reviews/"]');
    await shown.first().waitFor();
    await expect.poll(() => shown.count()).toBe(5);
    await page.getByRole('button', { name: `Show ${alerts - 5} more alert` }).click();
    await expect.poll(() => shown.count(), { timeout: 60_000 }).toBe(alerts);
  });

  it('chooses for a report as many transactions of its alerts as one takes, and keeps the form short', async () => {
    const page = await site.openAs(ngozi, '/cases');
    await page.route(`**/v1/case/${caseId}`, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      const [one] = json.content.reviews;
      const idOf = (kind: string, i: number) => `${kind}_01m7y980t4e0mvjv9gkc8${String(i).padStart(5, '0')}`;
      json.content.reviews = Array.from({ length: 502 }, (_, i) => ({
        ...one,
        ...{ reviewId: idOf('rev', i), transactionId: idOf('txn', i) },
      }));
      await route.fulfill({ response, json });
    });
    await site.go(page, `/cases/${caseId}`);
    await page.getByRole('button', { name: 'Write a report' }).click();
    const chosen = page.getByRole('dialog').locator('[class*=Pill-root]');
    await expect.poll(() => chosen.count(), { timeout: 60_000 }).toBe(500);
    const list = await page.getByRole('dialog').locator('[class*=pillsList]').boundingBox();
    expect(list?.height).toBeLessThan(260);
  });
});
