// Proposing a rate in the console, without a file: the row, its new terms, what changes, and what it would have done.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';
import { totalled } from '../totals/life.ts';
import { makeRecords, type Records } from './records.ts';

let site: Site;
let records: Records;
let ada: Person;
let kofi: Person;
let sale: string;
beforeAll(async () => {
  site = await openSite({ startAt: '2026-10-20T10:00:00Z' });
  records = await makeRecords(site.test);
  sale = await records.sale();
  await totalled(site.test);
  site.test.advance(32 * 86_400_000);
  ada = await site.makePerson({ name: 'Ada Okafor' });
  kofi = await site.makePerson({ name: 'Kofi Mensah' });
});
afterAll(() => site?.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
const proposals = async (): Promise<any[]> =>
  contentOf(await site.test.get('/v1/admin/proposal', site.operator.apiKey)).items;
const dialogOf = (page: Page) => page.getByRole('dialog');

/** What both forms ask for. */
async function fillTerms(page: Page, rate: string) {
  const dialog = dialogOf(page);
  await dialog.getByLabel('New rate, %').fill(rate);
  await dialog.getByLabel('Valid from').fill('2027-01-01');
  await dialog.getByLabel('Law', { exact: true }).fill('Finance Act 2026, s. 12');
  await dialog.getByLabel('Title of the source').fill('Finance Act 2026');
  await dialog.getByLabel('Publisher').fill('The Republic');
  await dialog.getByLabel('Address').fill('https://law.example/2026');
}

describe('a change of a rate', () => {
  it('is made of a row, shows what ends and what begins, and is proposed', async () => {
    const page = await site.openAs(ada, '/rates?tab=proposals');
    await page.getByRole('button', { name: 'Propose a tax change' }).click();
    await page.getByRole('heading', { name: 'Rows in force in Nigeria' }).waitFor();
    // Operations in the words of every page.
    await page.getByText('sale, deposit, withdrawal').first().waitFor();
    expect(await dialogOf(page).or(page.getByRole('main')).first().textContent()).not.toContain('verify transaction');
    await page.getByRole('button', { name: 'Change rate of NG-VAT-STANDARD-2026' }).waitFor();
    await site.look(page, 'rows-in-force');
    await page.getByRole('button', { name: 'Change rate of NG-VAT-STANDARD-2026' }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole('button', { name: 'Show what changes' }).click();
    await dialog.getByText('A day, such as 2027-01-01').waitFor();
    await fillTerms(page, '10');
    await dialog.getByLabel('Amount, NGN').fill('110');
    await dialog.getByLabel('Tax of it, NGN').fill('10');
    await site.look(page, 'change-rate');
    await dialog.getByRole('button', { name: 'Show what changes' }).click();
    const rows = dialog.getByRole('list', { name: 'Rows that change' }).getByRole('listitem');
    await rows.first().waitFor();
    const texts = await rows.allTextContents();
    expect(texts).toHaveLength(2);
    expect(texts[0]).toMatch(/^Ends NG-VAT-STANDARD-2026/);
    expect(texts[0]).toContain('1 Jan 2026 to 31 Dec 2026');
    expect(texts[1]).toMatch(/^Begins NG-VAT-STANDARD-2027/);
    for (const said of ['10%', '1 Jan 2027 on', 'Finance Act 2026, s. 12', '10 of 110 NGN'])
      expect(texts[1]).toContain(said);
    await site.look(page, 'rate-diff');
    await dialog.getByRole('button', { name: 'Back to the form' }).click();
    await expect.poll(() => dialog.getByLabel('New rate, %').inputValue()).toBe('10');
    await dialog.getByRole('button', { name: 'Show what changes' }).click();
    await dialog.getByLabel('Reason').fill('the Finance Act 2026');
    await dialog.getByRole('button', { name: 'Propose', exact: true }).click();
    await page.getByText('Taxes of NG').waitFor();
    expect(await proposals()).toMatchObject([{ kind: 'TAX', subject: 'NG', state: 'OPEN', proposedBy: ada.userId }]);
  });

  it('shows whoever decides it what it would have changed last month, with the records', async () => {
    const page = await site.openAs(kofi, '/rates?tab=proposals');
    await page
      .getByRole('row', { name: /Taxes of NG/ })
      .getByRole('button', { name: 'Look' })
      .click();
    const effect = page.getByRole('region', { name: 'Effect on last month' });
    await effect.getByText('1 of 1 records would have borne other taxes').waitFor();
    // 10/110 of 107.50 in place of 7.5/107.5.
    await effect.getByText('2.27').first().waitFor();
    const example = effect.getByRole('link');
    await expect.poll(() => example.getAttribute('title')).toBe(sale);
    await expect.poll(() => example.getAttribute('href')).toBe(`/console/p/${records.psp.id}/transactions/${sale}`);
    await site.look(page, 'effect');
    await dialogOf(page).getByRole('button').first().click();
    const [{ proposalId }] = (await proposals()) as [{ proposalId: string }];
    await site.test.post(`/v1/admin/proposal/${proposalId}/reject`, { reason: 'seen' }, site.operator.apiKey);
  });

  it('is refused by the service with its reason, and the form stays', async () => {
    const page = await site.openAs(ada, '/rates?tab=proposals&propose=NG');
    await page.getByRole('button', { name: 'End NG-VAT-STANDARD-2026' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('First day without it').fill('2027-01-01');
    await dialog.getByRole('button', { name: 'Show what changes' }).click();
    await dialog.getByText('Ends', { exact: true }).waitFor();
    await dialog.getByLabel('Reason').fill('by mistake');
    await dialog.getByRole('button', { name: 'Propose', exact: true }).click();
    await page.getByText('no sale rule for verifyTransaction on 2027-01-01').waitFor();
    await expect.poll(() => dialog.getByLabel('Reason').inputValue()).toBe('by mistake');
  });
});

describe('a new row', () => {
  it('is limited to what it names, and proposed', async () => {
    const page = await site.openAs(ada, '/rates?tab=proposals&propose=KE');
    await page.getByRole('button', { name: 'Add a row' }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole('combobox', { name: 'Only what is sold' }).click();
    await page.getByRole('option', { name: 'Newspapers' }).click();
    await fillTerms(page, '5');
    await site.look(page, 'add-row');
    await dialog.getByRole('button', { name: 'Show what changes' }).click();
    await dialog.getByText('KE-VAT-NEWSPAPERS-REDUCED-2027').waitFor();
  });
});

it('a file is still proposed under More', async () => {
  const page = await site.openAs(ada, '/rates?tab=proposals');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: "Propose a country's taxes from a file" }).click();
  await dialogOf(page).getByRole('button', { name: 'Choose the country file (JSON)' }).waitFor();
});

it('of a file shows every field in which a row differs, named in words or as the file names it', async () => {
  const file = JSON.parse(readFileSync(new URL('../../data/tax/NG.json', import.meta.url), 'utf8'));
  const differing = { bearer: 'MERCHANT', sunsetOn: '2030-12-31', legalRef: null };
  const rules = file.rules.map((r: { ruleId: string }) =>
    r.ruleId === 'NG-VAT-STANDARD-2026' ? { ...r, ...differing } : r,
  );
  const asked = { reason: 'a file', country: { ...file, rules } };
  const { proposalId } = contentOf(await site.test.post('/v1/admin/proposal', asked, site.operator.apiKey));
  const page = await site.openAs(kofi, '/rates?tab=proposals');
  await page.getByRole('button', { name: 'Look' }).first().click();
  const rows = dialogOf(page).getByRole('list', { name: 'Rows that change' }).getByRole('listitem');
  await rows.first().waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  const facts = await rows.locator('dl > div').evaluateAll((all) => all.map((e) => e.textContent));
  const law = file.rules.find((r: { ruleId: string }) => r.ruleId === 'NG-VAT-STANDARD-2026').legalRef;
  expect(facts).toEqual(
    expect.arrayContaining(['bearerCUSTOMER MERCHANT', 'sunsetOnnone 2030-12-31', `Law${law} none`]),
  );
  await site.test.post(`/v1/admin/proposal/${proposalId}/reject`, { reason: 'seen' }, site.operator.apiKey);
});

it('is not for those who only read', async () => {
  const auditor = await site.makePerson({ role: 'auditor' });
  const page = await site.openAs(auditor, '/rates?tab=proposals&propose=NG');
  await page.getByRole('heading', { name: 'Proposals' }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Propose a tax change' }).count()).toBe(0);
});
