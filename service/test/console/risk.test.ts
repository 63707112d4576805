// Risk rules in the console: the book is read, a PSP lets rules decline, and a next version is written, checked, replayed
// and put in force by another person.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';
import { makeRecords, type Records } from './records.ts';

let site: Site;
let records: Records;
let ada: Person;
let bola: Person;
let kemi: Person;

beforeAll(async () => {
  site = await openSite();
  records = await makeRecords(site.test);
  ada = await site.makePerson();
  bola = await site.makePerson({ name: 'Bola Ade', role: 'reviewer' });
  kemi = await site.makePerson({ name: 'Kemi Bello', psp: records.psp });
});
afterAll(() => site?.stop());

describe('the risk book', () => {
  it('is listed and found by words, and each rule says what it reads, and whence', async () => {
    const page = await site.openAs(ada, '/risk');
    await page.getByRole('link', { name: 'CUSTOMER_VELOCITY' }).waitFor();
    // Its name as cases have it, above its id.
    await page.getByRole('link', { name: 'Customer velocity' }).waitFor();
    await site.look(page, 'risk-rules');
    await page.getByLabel('Search').fill('twenty or more');
    await page.getByRole('link', { name: 'LARGE_AMOUNT' }).waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'CUSTOMER_VELOCITY' }).click();
    await page.getByRole('heading', { level: 1, name: 'CUSTOMER_VELOCITY' }).waitFor();
    await page.getByText('counters.lastHour >= 20').waitFor();
    await page.getByText(/number of deposits, .* of the same customer within an hour/).waitFor();
    await page.getByText('Practice of this service').waitFor();
    await site.look(page, 'risk-rule');
  });

  it('declines what a PSP says, which its administrators change and staff only read', async () => {
    const page = await site.openAs(kemi, '/risk');
    const policy = page.getByRole('region', { name: 'Rules that decline' });
    await policy.getByText('None: no rule declines').waitFor();
    await policy.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('CUSTOMER_VELOCITY').check();
    await dialog.getByLabel('Reason').fill('machines were seen');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await policy.getByRole('link', { name: 'CUSTOMER_VELOCITY' }).waitFor();
    const { declining } = contentOf(await site.test.get('/v1/risk-policy', records.psp.apiKey));
    expect(declining).toEqual(['CUSTOMER_VELOCITY']);
    const staff = await site.openAs(ada, '/risk', { choose: { id: records.psp.id, name: records.pspName } });
    const read = staff.getByRole('region', { name: 'Rules that decline' });
    await read.getByText('machines were seen').waitFor();
    await expect.poll(() => read.getByRole('button', { name: 'Change' }).count()).toBe(0);
  });

  it('overwrites nothing that another person saved meanwhile, and forgets what was not applied', async () => {
    const page = await site.openAs(kemi, '/risk');
    const policy = page.getByRole('region', { name: 'Rules that decline' });
    const dialog = page.getByRole('dialog');
    await policy.getByRole('button', { name: 'Change' }).click();
    await dialog.getByLabel('CUSTOMER_VELOCITY').uncheck();
    await dialog.getByLabel('Reason').fill('none is needed');
    const [path, key] = ['/v1/risk-policy', records.psp.apiKey];
    const kept = ['CUSTOMER_VELOCITY', 'WALLET_VELOCITY'];
    contentOf(await site.test.post(path, { declining: kept, holding: [], reason: 'wallets too' }, key));
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Somebody has changed this since you opened it.').waitFor();
    expect(contentOf(await site.test.get(path, key)).declining).toEqual(kept);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await policy.getByRole('link', { name: 'WALLET_VELOCITY' }).waitFor();
    await policy.getByRole('button', { name: 'Change' }).click();
    for (const rule of kept) await expect.poll(() => dialog.getByLabel(rule).isChecked()).toBe(true);
    await expect.poll(() => dialog.getByLabel('Reason').inputValue()).toBe('');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('says that a rule which only counts by now is without effect, and lets the policy be changed', async () => {
    const [path, key] = ['/v1/risk-policy', records.psp.apiKey];
    const on = { declining: ['CUSTOMER_VELOCITY', 'WALLET_VELOCITY'], holding: [], reason: 'both' };
    contentOf(await site.test.post(path, on, key));
    const { rule } = contentOf(await site.test.get('/v1/risk-rule?id=WALLET_VELOCITY', key)).items[0];
    const risk = { ...rule, version: rule.version + 1, action: 'observe' };
    const asked = { reason: 'too many are declined', risk };
    const { proposalId } = contentOf(await site.test.post('/v1/admin/proposal', asked, site.operator.apiKey));
    const other = (await site.test.makeOperator()).apiKey;
    contentOf(await site.test.post(`/v1/admin/proposal/${proposalId}/approve`, {}, other));
    const page = await site.openAs(kemi, '/risk');
    const policy = page.getByRole('region', { name: 'Rules that decline' });
    await policy.getByText(/^WALLET_VELOCITY · without effect since the rule was changed$/).waitFor();
    await policy.getByText(/^CUSTOMER_VELOCITY$/).waitFor();
    await policy.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('LISTED_WALLET').check();
    await dialog.getByLabel('Reason').fill('listed ones too');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await policy.getByRole('link', { name: 'LISTED_WALLET' }).waitFor();
    expect(contentOf(await site.test.get(path, key)).declining.toSorted()).toEqual([
      'CUSTOMER_VELOCITY',
      'LISTED_WALLET',
    ]);
  });

  it('offers no proposal to the people of a PSP', async () => {
    const page = await site.openAs(kemi, '/risk/CUSTOMER_VELOCITY');
    await page.getByText('counters.lastHour >= 20').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Propose the next version' }).count()).toBe(0);
  });
});

describe('a next version', () => {
  it('is checked with line and column while it is written, replayed, and put in force by another person', async () => {
    await records.sale({ ref: 'seen-before', totalAmount: 432, paymentMethods: { card: 432 } });
    const page = await site.openAs(ada, '/risk/LARGE_AMOUNT');
    await page.getByRole('button', { name: 'Propose the next version' }).click();
    const condition = page.getByLabel('Condition', { exact: true });
    await condition.fill('record.amount >= decimal("400") &&\nrecord.nothing == "NGN"');
    await page.getByText(/condition, line 2, column \d+/).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Propose', exact: true }).isDisabled()).toBe(true);
    await site.look(page, 'risk-propose');
    await condition.fill('atLeast(record.amount, "400")');
    await page.getByText('Nothing is wrong with it.').waitFor();
    await page.getByRole('combobox', { name: 'Severity' }).click();
    await page.getByRole('option', { name: 'High' }).click();
    await page.getByLabel('Until').fill('2027-02-01');
    await page.getByLabel('Why').fill('smaller ones were seen');
    await page.getByRole('button', { name: 'Propose', exact: true }).click();
    await page.getByText('another person has to approve it').waitFor();
    await site.go(page, '/risk');
    const own = page.getByRole('region', { name: 'Proposed versions' });
    await own.getByRole('link', { name: 'LARGE_AMOUNT' }).click();
    await page.getByRole('button', { name: 'Take back' }).waitFor();
    const atRule = await site.openAs(bola, '/risk/LARGE_AMOUNT');
    await atRule.getByRole('region', { name: 'Proposed versions' }).getByText('smaller ones were seen').waitFor();
    await site.walk(atRule, '/risk/CASH_LARGE');
    await atRule.getByRole('heading', { level: 1, name: 'CASH_LARGE' }).waitFor();
    await expect.poll(() => atRule.getByText('smaller ones were seen').count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    const path = new URL(page.url()).pathname.replace('/console', '');
    // The other person finds it among all that wait, from the first page.
    const second = await site.openAs(bola, '/');
    await second.getByRole('link', { name: 'proposal waits for a second person' }).click();
    const waiting = second.getByRole('row', { name: /Risk rule LARGE_AMOUNT/ });
    await waiting.getByText('smaller ones were seen').waitFor();
    await site.look(second, 'approvals-waiting');
    await waiting.getByRole('link', { name: 'Look and decide' }).click();
    await expect.poll(() => new URL(second.url()).pathname).toBe(`/console${path}`);
    await second.getByRole('table', { name: 'What changes' }).getByText('atLeast(record.amount, "400")').waitFor();
    // In words, and not as the API has them.
    const changes = second.getByRole('table', { name: 'What changes' });
    await expect
      .poll(async () =>
        (await changes.getByRole('row').allTextContents()).filter((row) => !row.startsWith('Condition')),
      )
      .toEqual([...['FieldBeforeProposed', 'Untilno end1 Feb 2027', 'SeverityMediumHigh']]);
    await second.getByRole('row', { name: /Newly matched 1 .*432/ }).waitFor();
    await site.look(second, 'risk-proposal');
    await second.getByRole('button', { name: 'Approve' }).click();
    await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await second.getByText('The rule is in force').waitFor();
    // Whoever looks later sees what was approved, and who was too late sees that it is decided.
    await second.getByRole('table', { name: 'What changes' }).getByText('atLeast(record.amount, "400")').waitFor();
    await second.getByText(/^Version 2 was compared with version 1, the one before it/).waitFor();
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('a better one follows');
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('button', { name: 'Take back' }).first().waitFor({ state: 'detached' });
    await page.getByText('Approved', { exact: true }).waitFor();
    const [live] = contentOf(await site.test.get('/v1/risk-rule?id=LARGE_AMOUNT', records.psp.apiKey)).items;
    expect(live).toMatchObject({ origin: 'operator', rule: { condition: 'atLeast(record.amount, "400")' } });
  });
});
