// Exchange rates at the console: what is stored of whom, a file that staff load, and one that is refused with its line.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../support/app.ts';
import { openSite, type Person, type Site } from '../support/browser.ts';

let site: Site;
let psp: Account;
let ada: Person;

beforeAll(async () => {
  site = await openSite();
  psp = await site.test.makePsp('Lagos Pay', 'NG');
  ada = await site.makePerson({ name: 'Ada Okafor' });
});
afterAll(() => site?.stop());

const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
const hist = 'Date,USD,GBP,\n2024-01-03,1.0919,0.8637,\n2024-01-02,1.0956,0.8665,\n';

describe('exchange rates in the console', () => {
  it('are loaded from published files by staff, and found by currency', async () => {
    const page = await site.openAs(ada, '/rates?tab=exchange');
    await page.getByText('No exchange rates').waitFor();
    await page
      .locator('input[type=file]')
      .setInputFiles([file('eurofxref-hist.csv', hist), file('broken.csv', hist.replace('1.0956', 'dear'))]);
    await page.getByText("broken.csv was refused, nothing of it is loaded: line 3: the rate 'dear' of USD").waitFor();
    await page.getByRole('cell', { name: 'European Central Bank (ECB)' }).waitFor();
    await page.getByRole('textbox', { name: 'Currency' }).fill('gbp');
    await page.getByRole('cell', { name: '1 EUR = 0.8665 GBP' }).waitFor();
    await page.getByRole('cell', { name: '1 EUR = 1.0919 USD' }).waitFor({ state: 'detached' });
    await site.look(page, 'exchange-rates');
  });

  it('are shown to a PSP’s people, who load none', async () => {
    const kofi = await site.makePerson({ name: 'Kofi Mensah', psp });
    const page = await site.openAs(kofi, '/rates?tab=exchange');
    await page.getByRole('cell', { name: 'European Central Bank (ECB)' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Load published files' }).count()).toBe(0);
    const tabs = ['Taxes', 'Changes', 'Exchange rates', 'Crypto assets'];
    await expect.poll(() => page.getByRole('tab').allTextContents()).toEqual(tabs);
  });
});
