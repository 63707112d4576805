// The dispute of a chargeback on its transaction's page: opening it, what was sent, what the scheme decided; and the list.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';
import { becomes } from '../support/look.ts';
import { makeRecords, type Records } from './records.ts';

let site: Site;
let records: Records;
let amina: Person;

beforeAll(async () => {
  site = await openSite();
  records = await makeRecords(site.test);
  amina = await site.makePerson({ name: 'Amina Bello', role: 'administrator', psp: records.psp });
});
afterAll(() => site?.stop());

/** A sale that was charged back and is disputed. */
async function disputed(ref: string): Promise<{ transactionId: string; disputeId: string }> {
  const { test, psp } = { test: site.test, psp: records.psp };
  const transactionId = await records.sale({ ref });
  const { chargebackId } = contentOf(await test.post('/v1/transaction/chargeBack', { ref }, psp.apiKey));
  const { disputeId } = contentOf(
    await test.post(
      '/v1/dispute',
      { chargebackId, reason: 'the goods were delivered', evidenceDueAt: new Date(test.now() + 864e5).toISOString() },
      psp.apiKey,
    ),
  );
  await test.post(
    `/v1/dispute/${disputeId}/evidence`,
    { text: 'signed for at the door', documents: ['proof-of-delivery.pdf'] },
    psp.apiKey,
  );
  return { transactionId, disputeId };
}

const stateOf = async (id: string) => contentOf(await site.test.get(`/v1/dispute/${id}`, records.psp.apiKey)).state;

describe('the dispute of a chargeback', () => {
  it('shows its reason, its evidence and its steps, at both widths and in both schemes', async () => {
    const { transactionId } = await disputed('disputed-1');
    const page = await site.openAs(amina, `/transactions/${transactionId}`);
    const panel = page.getByRole('region', { name: 'Dispute of the chargeback' });
    await panel.getByText('the goods were delivered').waitFor();
    await panel.getByText('signed for at the door (proof-of-delivery.pdf)').waitFor();
    await page.getByText('Chargeback disputed').waitFor();
    await site.look(page, 'dispute');
  });

  it.each([
    ['Won', 'WON', 'the issuer accepted the proof'],
    ['Lost', 'LOST', 'the signature was of somebody else'],
  ])('is recorded as decided: %s, with what the scheme said', async (button, state, said) => {
    const { transactionId, disputeId } = await disputed(`disputed-${state}`);
    const page = await site.openAs(amina, `/transactions/${transactionId}`);
    await page.getByRole('button', { name: button, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(said);
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('region', { name: 'Dispute of the chargeback' }).getByText(said).waitFor();
    expect(await stateOf(disputeId)).toBe(state);
    await page.getByText('Dispute decided').waitFor();
    await page.getByRole('button', { name: button, exact: true }).waitFor({ state: 'detached' });
    // What had the focus is gone; the next Tab begins where the act was done, not at the top of the page.
    await becomes(
      page,
      'document.activeElement.matches("section") && /Won|Lost/.test(document.activeElement.textContent)',
    );
    await site.look(page, `dispute-${state.toLowerCase()}`);
  });

  it('is opened where the chargeback is seen, has its evidence added, and is found in the list', async () => {
    const transactionId = await records.sale({ ref: 'undisputed' });
    contentOf(await site.test.post('/v1/transaction/chargeBack', { ref: 'undisputed' }, records.psp.apiKey));
    const page = await site.openAs(amina, `/transactions/${transactionId}`);
    await page.getByRole('button', { name: 'Dispute it' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Why the chargeback is wrong').fill('the parcel was collected');
    await dialog.getByLabel('Last day for evidence (UTC)').fill('2027-01-15');
    await dialog.getByRole('button', { name: 'Dispute it' }).click();
    await page.getByRole('button', { name: 'Add evidence' }).click();
    await dialog.getByLabel('What it shows').fill('the code was entered at the locker');
    await dialog.getByLabel('Documents').fill('locker.pdf\nphoto.jpg');
    await dialog.getByRole('button', { name: 'Add evidence' }).click();
    const panel = page.getByRole('region', { name: 'Dispute of the chargeback' });
    await panel.getByText('the code was entered at the locker (locker.pdf, photo.jpg)').waitFor();
    await site.go(page, '/settlement/disputes?state=SUBMITTED');
    await page.getByRole('row', { name: /the parcel was collected.*15 Jan 2027/ }).waitFor();
    await site.look(page, 'disputes');
  });

  it('cannot be decided by an auditor', async () => {
    const { transactionId } = await disputed('disputed-2');
    const auditor = await site.makePerson({ name: 'Ada Obi', role: 'auditor', psp: records.psp });
    const page = await site.openAs(auditor, `/transactions/${transactionId}`);
    await page.getByText('the goods were delivered').first().waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Won', exact: true }).count()).toBe(0);
  });
});
