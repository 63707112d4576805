// Lists in the console: one is begun, searched word by word, loaded from a file, and a match is excepted from its alert on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { openSite, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';
import { makeRecords, type Records } from './records.ts';

let site: Site;
let records: Records;
let ada: Person;
let kemi: Person;

beforeAll(async () => {
  site = await openSite();
  records = await makeRecords(site.test);
  ada = await site.makePerson();
  kemi = await site.makePerson({ name: 'Kemi Bello', psp: records.psp });
});
afterAll(() => site?.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;
const matches = async (): Promise<Shown[]> =>
  contentOf(await site.test.get('/v1/list-matches', records.psp.apiKey)).items;

describe('lists', () => {
  it('are begun, shown, and changed entry by entry by those whose they are', async () => {
    const page = await site.openAs(ada, '/lists');
    await page.getByRole('button', { name: 'Begin a list' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'List' }).fill('OWN_BLOCK');
    await dialog.getByLabel('Number of the entry').fill('B-1');
    await dialog.getByRole('textbox', { name: 'Names' }).fill('Belladonna Merchandise\nBella Trading');
    await dialog.getByRole('combobox', { name: 'Kind of the exact values' }).click();
    await page.getByRole('option', { name: 'IP address or network' }).click();
    await dialog.getByRole('textbox', { name: 'Exact values' }).fill('198.51.100.0/24');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('link', { name: 'OWN_BLOCK' }).waitFor();
    await page.getByRole('button', { name: 'Load a file' }).click();
    const text = 'Ref,Type,Name,Aliases,Born,Countries,Keys\nP-1,PERSON,Adam Minister,A. Minister,1960-05-01,NG,\n';
    const file = { name: 'pep-ng.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('dialog').getByRole('textbox', { name: 'List' }).fill('PEP_NG');
    await page.getByRole('dialog').getByRole('button', { name: 'Load', exact: true }).click();
    await page.getByText('PEP_NG: 1 added, 0 changed, 0 removed').waitFor();
    await page.getByRole('cell', { name: 'Politically exposed persons' }).waitFor();
    await site.look(page, 'lists');
    // As spreadsheets save it: the letters of its names are read in its own encoding.
    const spanish = Buffer.from('Ref,Type,Name\nP-2,PERSON,José Muñoz Ibáñez\n', 'latin1');
    await page.getByRole('button', { name: 'Load a file' }).click();
    await page.locator('input[type=file]').setInputFiles({ name: 'pep-es.csv', mimeType: 'text/csv', buffer: spanish });
    await page.getByRole('dialog').getByRole('textbox', { name: 'List' }).fill('PEP_ES');
    await page.getByRole('dialog').getByRole('button', { name: 'Load', exact: true }).click();
    await page.getByText('PEP_ES: 1 added, 0 changed, 0 removed').waitFor();
    const [entry] = contentOf(await site.test.get('/v1/lists/PEP_ES/entries', site.operator.apiKey)).items;
    expect(entry.names[0].name).toBe('José Muñoz Ibáñez');
    await page.getByRole('link', { name: 'OWN_BLOCK' }).click();
    await page.getByText('IP address or network: 198.51.100.0/24').waitFor();
    await page.getByText('Bella Trading').waitFor();
    await site.look(page, 'list');
  });

  it('are searched by a name with the score word by word, and by an exact value', async () => {
    const page = await site.openAs(ada, '/lists?tab=search');
    await page.getByLabel('Name', { exact: true }).fill('Minster Adam');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const score = page.getByRole('table', { name: 'Score of P-1 of PEP_NG' });
    await score.getByRole('row', { name: 'adam adam Equal 100%' }).waitFor();
    await score.getByRole('row', { name: /minster minister (Sounds|Spelled) alike/ }).waitFor();
    await site.look(page, 'lists-search');
    expect(page.url()).not.toContain('Minster');
    await page.getByLabel('Name', { exact: true }).fill('');
    await page.getByRole('combobox', { name: 'Kind of exact value' }).click();
    await page.getByRole('option', { name: 'IP address or network' }).click();
    await page.getByRole('textbox', { name: 'Exact value', exact: true }).fill('198.51.100.7');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('table', { name: 'Score of B-1 of OWN_BLOCK' }).waitFor();
  });

  it('that are for all PSPs are read by the people of one, who do not change them', async () => {
    const page = await site.openAs(kemi, '/lists/OWN_BLOCK');
    await page.getByText('Bella Trading').waitFor();
    for (const name of ['Add an entry', 'Remove'])
      await expect.poll(() => page.getByRole('button', { name, exact: true }).count()).toBe(0);
    const auditor = await site.makePerson({ role: 'auditor' });
    const read = await site.openAs(auditor, '/lists');
    await read.getByRole('link', { name: 'OWN_BLOCK' }).waitFor();
    await expect.poll(() => read.getByRole('button', { name: /Load a file|Begin a list/ }).count()).toBe(0);
  });
});

describe('a match', () => {
  it('is reached from its alert and from its client, excepted with who, why and until, and opened again', async () => {
    const { id } = await site.test.makeClient(records.psp, { registeredName: 'Belladona Merchandise' });
    await until('the client matches', async () => (await matches()).find((m) => m.clientId === id));
    const [review] = contentOf(await site.test.get(`/v1/review?clientId=${id}`, records.psp.apiKey)).items;
    const page = await site.openAs(kemi, `/reviews/${review.reviewId}`);
    await page.getByRole('link', { name: 'The match and its score' }).click();
    const dialog = page.getByRole('dialog', { name: 'Match with a list' });
    await dialog.getByRole('row', { name: /belladona belladonna Sounds alike/ }).waitFor();
    await site.look(page, 'match');
    await dialog.getByLabel('Why it is somebody else').fill('registered in another country');
    await dialog.getByLabel('Until').fill('2027-06-01');
    await dialog.getByRole('button', { name: 'It is somebody else' }).click();
    await dialog.getByRole('button', { name: 'End the exception' }).waitFor();
    expect(await matches()).toMatchObject([
      { state: 'EXCEPTED', exception: { reason: 'registered in another country', until: '2027-06-01T00:00:00.000Z' } },
    ]);
    await dialog.getByRole('button', { name: 'End the exception' }).click();
    const asked = page.getByRole('dialog', { name: 'End the exception of this match?' });
    await asked.getByLabel('Reason').fill('the papers were forged');
    await asked.getByRole('button', { name: 'End the exception' }).click();
    await dialog.getByLabel('Why it is somebody else').waitFor();
    await site.go(page, `/clients/${id}`);
    await page.getByRole('link', { name: 'Matches with lists' }).click();
    await page.getByRole('cell', { name: 'Belladona Merchandise' }).first().waitFor();
    await site.look(page, 'matches');
  });

  it('ends when its entry is removed here', async () => {
    const page = await site.openAs(ada, '/lists/OWN_BLOCK');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No entries').waitFor();
    await until('the match has ended', async () => (await matches()).every((m) => m.state === 'ENDED'));
  });
});
