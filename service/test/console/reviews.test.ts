// Reviews in the console: the queue, assigning, noting, resolving, and opening one manually.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';
import { readersAtEnd } from '../support/journal.ts';
import { makeRecords, type Records } from './records.ts';

let site: Site;
let records: Records;
let ngozi: Person;
let large: string;

beforeAll(async () => {
  site = await openSite();
  records = await makeRecords(site.test);
  ngozi = await site.makePerson({ name: 'Ngozi Eze', role: 'reviewer' });
  large = await records.sale({ ref: 'large-order', totalAmount: 20000000, paymentMethods: { card: 19000000 } });
  await readersAtEnd(site.test, ['reviews']);
  expect(await reviewsOf(large)).toHaveLength(2);
});
afterAll(() => site?.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
const reviewsOf = async (transactionId: string): Promise<any[]> =>
  contentOf(await site.test.get(`/v1/review?transactionId=${transactionId}`, records.psp.apiKey)).items;
const review = async (rule: string) => (await reviewsOf(large)).find((r) => r.rule === rule);

describe('the queue of reviews', () => {
  it('shows an operator those of every PSP, and leads to each', async () => {
    const page = await site.openAs(ngozi, '/reviews');
    await page.getByRole('table').getByText(records.pspName).first().waitFor();
    await page.getByRole('link', { name: 'Large amount' }).click();
    await page.getByRole('heading', { level: 1, name: 'Large amount' }).waitFor();
    await page.getByText('A large amount: about 10,000 US dollars or more.').waitFor();
    await page.getByText('adds up exactly').waitFor();
  });

  it('is read at both widths and in both schemes, without faults of accessibility', async () => {
    const page = await site.openAs(ngozi, '/reviews');
    await page.getByRole('link', { name: 'Large amount' }).waitFor();
    await site.look(page, 'reviews');
  });

  it('says so when it is empty', async () => {
    const page = await site.openAs(ngozi, '/reviews?queue=mine');
    await page.getByText('You have no open reviews').waitFor();
  });
});

describe('a review', () => {
  it('is assigned, noted and resolved', async () => {
    const { reviewId } = await review('LARGE_UNEXPLAINED');
    const page = await site.openAs(ngozi, `/reviews/${reviewId}`);
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByRole('button', { name: 'Unassign' }).waitFor();
    await page.getByLabel('Another note').fill('the invoice is asked for');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByRole('list', { name: 'Notes' }).getByText('the invoice is asked for').waitFor();
    await site.look(page, 'review');
    await page.getByLabel('Cleared: nothing is wrong').check();
    await page.getByRole('textbox', { name: 'Why' }).fill('a voucher made up the rest');
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('button', { name: 'Resolve' }).waitFor({ state: 'hidden' });
    expect(await review('LARGE_UNEXPLAINED')).toMatchObject({
      state: 'RESOLVED',
      outcome: 'CLEARED',
      assignee: ngozi.userId,
      notes: [
        { by: ngozi.userId, text: 'the invoice is asked for' },
        { by: ngozi.userId, text: 'a voucher made up the rest' },
      ],
    });
    await site.go(page, '/reviews?queue=resolved');
    await page.getByRole('link', { name: 'Large unexplained' }).waitFor();
  });

  it('leads an operator to the whole transaction, as its PSP', async () => {
    const { reviewId } = await review('LARGE_AMOUNT');
    const page = await site.openAs(ngozi, `/reviews/${reviewId}`);
    await page.getByRole('link', { name: 'Open transaction' }).click();
    await page.getByRole('heading', { level: 1, name: 'large-order' }).waitFor();
    await page.getByRole('list', { name: 'History' }).getByText('Review opened').first().waitFor();
  });

  it('is opened manually on the page of a transaction, for a reason', async () => {
    const id = await records.sale({ ref: 'odd-order' });
    const page = await site.openAs(ngozi, `/transactions/${id}`, {
      choose: { id: records.psp.id, name: records.pspName },
    });
    await page.getByRole('button', { name: 'Open a review' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('the customer never bought this');
    await page.getByRole('dialog').getByRole('button', { name: 'Open a review' }).click();
    await page.getByRole('heading', { level: 1, name: 'Manual' }).waitFor();
    await page.getByText('the customer never bought this').waitFor();
    expect(await reviewsOf(id)).toMatchObject([{ rule: 'BY_HAND', openedBy: ngozi.userId }]);
  });

  it('is only read by an auditor', async () => {
    const auditor = await site.makePerson({ role: 'auditor' });
    const { reviewId } = await review('LARGE_AMOUNT');
    const page = await site.openAs(auditor, `/reviews/${reviewId}`);
    await page.getByText('adds up exactly').waitFor();
    for (const name of ['Assign to me', 'Add note', 'Resolve'])
      await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0);
  });
});
