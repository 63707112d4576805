// The day of a compliance officer, with a second person: payments split below a threshold, a wallet and a director that OFAC
// lists, a licence that ends next week and a player who excluded himself, each from its alert to the end, and for one of
// them the report to the intelligence unit, from the first alert to the exported file.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { warnOfLicences } from '../../src/modules/verification/index.ts';
import { until } from '../durability/support/conditions.ts';
import type { Account } from '../support/app.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { goamlFaults, readGoaml } from '../support/goaml.ts';
import { contentOf, issueKey } from '../support/guarantees.ts';

let site: Site;
let psp: Account;
let ngozi: Person;
let bola: Person;
/** By what is found of them. */
const clients = {} as Record<'split' | 'wallet' | 'director' | 'licence' | 'player', Account>;

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;
const post = (path: string, body: object, by: Account) => site.test.post(path, body, by.apiKey);
const cases = async (of: keyof typeof clients): Promise<Shown[]> =>
  contentOf(await site.test.get(`/v1/case?clientId=${clients[of].id}`, psp.apiKey)).items;
/** The case of a client once it has so many alerts. */
const caseOf = (of: keyof typeof clients, alerts = 1): Promise<Shown> =>
  until(`the case of ${of}`, async () => (await cases(of)).find((c) => c.alerts >= alerts));

const listedWallet = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
const sdn = `<?xml version="1.0" standalone="yes"?>
<sdnList><publshInformation><Publish_Date>11/20/2026</Publish_Date></publshInformation>
  <sdnEntry><uid>9001</uid><firstName>Ivan</firstName><lastName>MADEUP</lastName><sdnType>Individual</sdnType>
    <idList><id><uid>1</uid><idType>Digital Currency Address - ETH</idType><idNumber>${listedWallet}</idNumber></id></idList></sdnEntry>
  <sdnEntry><uid>9002</uid><firstName>Yury Petrovich</firstName><lastName>SHEVCHENKOV</lastName><sdnType>Individual</sdnType>
    <dateOfBirthList><dateOfBirthItem><uid>2</uid><dateOfBirth>02 Apr 1961</dateOfBirth></dateOfBirthItem></dateOfBirthList></sdnEntry>
</sdnList>`;

/** Splits of 120,000 euros, each just below 10,000. */
const splits = 12;
const deposit = (ref: string, totalAmount: number, email: string) => ({
  ...{ ref, totalAmount, currency: 'EUR', countryCode: 'MT', transactionFee: 0, paymentMethods: { card: totalAmount } },
  customer: { email, name: 'Jean Valjean', phoneNumber: '+35621000001' },
});

beforeAll(async () => {
  site = await openSite();
  const t = site.test;
  psp = await t.makePsp('Harbour Pay');
  for (const [of, registeredName] of [
    ['split', 'Casino Grand Harbour'],
    ['wallet', 'Coin Harbour Exchange'],
    ['director', 'Petrovich Trading'],
    ['licence', 'Valletta Games'],
    ['player', 'Sliema Bets'],
  ] as const)
    clients[of] = await t.makeClient(psp, { registeredName, classification: 'IGAMING_GLOBAL', countryCode: 'MT' });
  ngozi = await site.makePerson({ name: 'Ngozi Eze', role: 'reviewer' });
  bola = await site.makePerson({ name: 'Bola Ade', role: 'reviewer' });
  contentOf(await post('/v1/lists', { name: 'sdn.xml', text: sdn }, site.operator));
  // The shipped rule only counts what is split: two people let it open alerts.
  const [{ rule }] = contentOf(await t.get('/v1/risk-rule?id=STRUCTURING_EU', site.operator.apiKey)).items;
  const risk = { ...rule, version: rule.version + 1, action: 'review' };
  const asked = contentOf(await post('/v1/admin/proposal', { reason: 'alerts are wanted', risk }, site.operator));
  const second = { apiKey: (await issueKey(t, site.operator)).apiKey };
  const approved = await t.post(`/v1/admin/proposal/${asked.proposalId}/approve`, { reason: 'yes' }, second.apiKey);
  contentOf(approved);
  for (let i = 1; i <= splits; i++)
    contentOf(
      await post('/v1/payment/deposit', deposit(`split-${i}`, 9990 + i / 2, 'jean@example.com'), clients.split),
    );
  contentOf(
    await post(
      '/v1/payment/cryptoWithdrawal',
      {
        ...{ ref: 'coins-1', totalAmount: 0.2, currency: 'ETH', countryCode: 'MT', transactionFee: 0 },
        blochainHash: `0x${'9f'.repeat(32)}`,
        customer: { email: 'ivan@example.com' },
        toAddress: listedWallet.toLowerCase(),
      },
      clients.wallet,
    ),
  );
  const owners = [{ name: 'Юрий Петрович Шевченков', sharePercent: '0', dateOfBirth: '1961-04-02', director: true }];
  contentOf(await post(`/v1/client/${clients.director.id}/owners`, { owners }, psp));
  const { licences } = contentOf(
    await post(
      `/v1/client/${clients.licence.id}/licence`,
      {
        ...{ activity: 'GAMING', authority: 'MGA', number: 'MGA/B2C/394/2017', countryCode: 'MT' },
        validUntil: new Date(t.now() + 7 * 86_400_000).toISOString().slice(0, 10),
      },
      psp,
    ),
  );
  const accept = `/v1/client/${clients.licence.id}/licence/${licences[0].licenceId}/accept`;
  contentOf(await post(accept, {}, site.operator));
  await warnOfLicences(t.app.services);
  contentOf(await post('/v1/player/policy', { exclusions: 'OBSERVE' }, psp));
  contentOf(await post('/v1/player/exclude', { subjects: ['email:luc@example.com'], source: 'PLAYER' }, psp));
  contentOf(await post('/v1/payment/deposit', deposit('luc-1', 50, 'luc@example.com'), clients.player));
});
afterAll(() => site?.stop());

/** Opens a case from the queue of its client, as from the client's page. */
async function openCase(person: Person, of: keyof typeof clients, alerts = 1): Promise<Page> {
  const found = await caseOf(of, alerts);
  const page = await site.openAs(person, `/cases?clientId=${clients[of].id}`);
  await page.getByRole('link', { name: `Case ${found.number}`, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: `Case ${found.number}`, exact: true }).waitFor();
  return page;
}
const inCase = (page: Page) => page.getByRole('list', { name: 'Notes, files and actions' });

describe('a compliance officer', () => {
  it('sees all five in the queue, and takes the first', async () => {
    for (const of of Object.keys(clients)) await caseOf(of as 'split');
    const page = await site.openAs(ngozi, '/cases');
    expect(
      await page
        .getByRole('table')
        .getByRole('link', { name: /^Case \d$/ })
        .count(),
    ).toBeGreaterThanOrEqual(5);
    const first = await openCase(ngozi, 'split', splits - 2);
    await first.getByRole('button', { name: 'Assign to me' }).click();
    await first.getByRole('button', { name: 'Unassign' }).waitFor();
  });

  it('is led from the alert of a listed wallet to the match with its entry, however the address was written', async () => {
    const page = await openCase(ngozi, 'wallet');
    await page.getByRole('link', { name: 'The match and its score' }).click();
    const dialog = page.getByRole('dialog', { name: 'Match with a list' });
    await dialog.getByText('OFAC_SDN').first().waitFor();
    await dialog
      .getByText(/0x098b716b8aaf21512996dc57eb0615e2383e2f96/i)
      .first()
      .waitFor();
  });

  it('reads why a director in Cyrillic letters matches an entry in Latin ones, word by word', async () => {
    const page = await openCase(ngozi, 'director');
    await page.getByRole('link', { name: 'The match and its score' }).click();
    const dialog = page.getByRole('dialog', { name: 'Match with a list' });
    await dialog.getByText('Юрий Петрович Шевченков').first().waitFor();
    await dialog.getByText('Yury Petrovich SHEVCHENKOV').first().waitFor();
    await dialog.getByText('1961-04-02').first().waitFor();
  });

  it('hears of a licence a week before it ends, and is led to it', async () => {
    const page = await openCase(ngozi, 'licence');
    const alerts = page.getByRole('region', { name: 'Alerts' });
    await alerts.getByText(/The licence MGA\/B2C\/394\/2017 of MGA \(GAMING\) ends on .*, in 7 days/).waitFor();
    await page.getByRole('link', { name: 'The client’s licences' }).click();
    await page.getByRole('row', { name: /MGA\/B2C\/394\/2017/ }).waitFor();
    // That the licence ends is no hold yet: what was done is told.
    await site.walk(page, `/audit?clientId=${clients.licence.id}`);
    await page
      .getByRole('row', { name: /^Licence accepted/ })
      .getByText(/ accepted a licence of Valletta Games$/)
      .waitFor();
    await expect.poll(() => page.getByRole('table').getByText('Hold placed').count()).toBe(0);
  });

  it('sees the deposit of a player who excluded himself, and lets him be no longer let in', async () => {
    const page = await openCase(ngozi, 'player');
    await page
      .getByRole('region', { name: 'Alerts' })
      .getByText(/A player who is excluded from gambling/)
      .waitFor();
    const { transactionId } = contentOf(await site.test.get(`/v1/case/${(await caseOf('player')).caseId}`, psp.apiKey))
      .reviews[0];
    await page.getByRole('button', { name: 'Act', exact: true }).click();
    await page.getByRole('combobox', { name: 'What to do' }).click();
    await page.getByRole('option', { name: 'Decline a transaction' }).click();
    await page.getByRole('combobox', { name: 'Transaction' }).click();
    await page.getByRole('option', { name: /luc-1 · 50.00 EUR/ }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('the player is excluded');
    await page.getByRole('button', { name: 'Do it' }).click();
    await inCase(page).getByText('the player is excluded').waitFor();
    const { status } = contentOf(await site.test.get(`/v1/transaction/${transactionId}`, psp.apiKey));
    expect(status).toBe('DECLINED');
  });

  it('holds the client, writes the report of the split payments, exports it and notes that it was sent', async () => {
    const page = await openCase(ngozi, 'split', splits - 2);
    await page.getByRole('button', { name: 'Act', exact: true }).click();
    await page.getByRole('combobox', { name: 'What to do' }).click();
    await page.getByRole('option', { name: 'Place a hold on the client' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('payments are split');
    await page.getByRole('button', { name: 'Do it' }).click();
    await inCase(page).getByText('payments are split').waitFor();
    await page.getByRole('button', { name: 'Write a report' }).click();
    const dialog = page.getByRole('dialog');
    const fill = (name: string, text: string) => dialog.getByLabel(name).fill(text);
    // The transactions of the alerts are chosen; the first two, which no rule matched, are added.
    for (const ref of ['split-1', 'split-2']) {
      await dialog.getByRole('combobox', { name: 'Transactions' }).fill(`${ref} `);
      await page.getByRole('option', { name: new RegExp(`^${ref} · 9,99`) }).click();
    }
    await fill('Number of the reporting entity', '3177');
    await fill('Currency', 'EUR');
    await fill('Why it is suspicious', 'Twelve deposits of Jean Valjean within a day, each just below 10,000 euros.');
    await fill('What was done', 'The client is on hold.');
    await fill('Indicators', 'STRUCTURING, CASINO');
    await fill('Address of the client', '1 Strait Street');
    await fill('Town or city', 'Valletta');
    await fill('Kind of funds', 'CARD');
    await site.look(page, 'write-report');
    await dialog.getByRole('button', { name: 'Write the report' }).click();
    const link = inCase(page).getByRole('link', { name: /^str-\d+-1\.xml$/ });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const xml = await readFile(await download.path(), 'utf8');
    expect(goamlFaults(readGoaml(xml))).toEqual([]);
    expect(xml.match(/<transaction>/g)).toHaveLength(splits);
    expect(xml).toMatch(/<reporting_person><first_name>Ngozi<.*<last_name>Eze</);
    expect(xml).toMatch(/<amount_local>9990\.50?</);
    expect(xml).toContain('<indicator>STRUCTURING</indicator><indicator>CASINO</indicator>');
    await inCase(page).getByRole('button', { name: 'It was sent' }).click();
    await dialog.getByLabel('Sent on').fill(new Date(site.test.now()).toISOString().slice(0, 10));
    await dialog.getByLabel('Reference of the intelligence unit').fill('FIAU-2026-118');
    await dialog.getByRole('button', { name: 'Note it' }).click();
    await inCase(page)
      .getByText(/str-\d+-1\.xml, sent on .*: FIAU-2026-118/)
      .waitFor();
    await expect.poll(() => inCase(page).getByRole('button', { name: 'It was sent' }).count()).toBe(0);
    await site.look(page, 'reported');
  });

  it('closes the case when a second person agrees, who read the report too', async () => {
    const page = await openCase(ngozi, 'split', splits - 2);
    await page.getByLabel('Confirmed: something is').check();
    await page.getByRole('textbox', { name: 'Why' }).fill('reported as FIAU-2026-118');
    await page.getByRole('button', { name: 'Close the case' }).click();
    await page.getByRole('heading', { name: 'A second person decides' }).waitFor();
    const second = await openCase(bola, 'split', splits - 2);
    await inCase(second)
      .getByRole('link', { name: /^str-\d+-1\.xml$/ })
      .waitFor();
    await second.getByRole('button', { name: 'Agree' }).click();
    await second.getByRole('dialog').getByRole('button', { name: 'Agree' }).click();
    await second.getByRole('button', { name: 'Reopen the case' }).waitFor();
    const [closed] = await cases('split');
    expect(closed).toMatchObject({ state: 'CLOSED', outcome: 'CONFIRMED' });
    const { reviews } = contentOf(await site.test.get(`/v1/case/${closed.caseId}`, psp.apiKey));
    expect(new Set(reviews.map((r: Shown) => r.outcome))).toEqual(new Set(['CONFIRMED']));
  });

  it('leaves the clients without a word of it', async () => {
    for (const [of, client] of Object.entries(clients)) {
      const seen = await Promise.all(
        ['/v1/event', '/v1/transaction', '/v1/client/verifyClientStatus'].map((path) =>
          site.test.get(path, client.apiKey),
        ),
      );
      expect(seen.map((a) => a.text).join(), of).not.toMatch(
        /STRUCTURING|OFAC|case_|cas_|FIAU|split are|payments are split/,
      );
    }
  });
});
