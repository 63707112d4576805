// Benchmark of the console: how long each page takes in a browser until its data is shown and it can be used, on a
// running service such as a demo of 100,000 transactions: `npm run demo -- --scale 20`.
// node bench/pages.ts --url http://127.0.0.1:8080 --email administrator@demo.example --password …
import chromium from '@sparticuz/chromium';
import { chromium as driver, type Page } from 'playwright-core';
import { Assay } from '../client/src/index.ts';

const option = (name: string, otherwise: string): string => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : (process.argv[at + 1] as string);
};
const url = option('url', 'http://127.0.0.1:8080');
const email = option('email', 'administrator@demo.example');
const password = option('password', '');
const rounds = Number(option('rounds', '5'));

const browser = await driver.launch({
  executablePath: await chromium.executablePath(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
const page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage();

/**
 * Resolves when the heading is shown, no request is in flight and the browser is idle; ms since the navigation began.
 */
const ready = `new Promise((done) => {
  const look = () => {
    if (document.querySelector('h1') && !document.querySelector('[aria-busy="true"]'))
      requestIdleCallback(() => done(performance.now()));
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Base path of the pages; with a PSP after one is chosen. */
let root = '/console';

async function time(path: string): Promise<number> {
  await page.goto(`${url}${root}${path}`, { waitUntil: 'commit' });
  return page.evaluate<number>(ready);
}

const first = await time('/');
await page.getByLabel('E-mail').fill(email);
await page.getByRole('textbox', { name: 'Password' }).fill(password);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('heading', { name: 'Last 15 minutes' }).waitFor();

const { chosen, ids, searches, staff } = await busiest(page);
root = `/console/p/${chosen}`;

const paths = [
  '/',
  '/transactions',
  '/transactions?q=a',
  '/transactions?sort=amount',
  `/transactions/${ids.transaction}`,
  `/go/${ids.transaction}`,
  `/persons/${ids.person}`,
  '/baskets',
  `/baskets/${ids.basket}`,
  '/gaming',
  '/gaming/payouts',
  '/reviews',
  '/clients',
  `/clients/${ids.client}`,
  '/rates',
  '/audit',
  '/people',
  '/webhooks',
  `/webhooks/${ids.webhook}`,
  '/cdr',
  '/cdr/records',
  '/cdr/analysis',
  '/cdr/periods',
  '/cdr/declarations',
  '/cdr/logins',
  '/reports',
  '/reports/new',
  `/reports/${ids.report}`,
  '/settlement',
  '/settlement/outstanding',
].filter((path) => !path.endsWith('undefined'));

console.log(`first load to the sign-in ${first.toFixed(0)} ms`);
const slow: string[] = [];
for (const path of paths) {
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) times.push(await time(path));
  times.sort((a, b) => a - b);
  const [middle, longest] = [times[Math.floor(rounds / 2)] as number, times.at(-1) as number];
  if (middle > 1000) slow.push(path);
  console.log(
    `${path.replace(/[a-z]+_[0-9a-z]{26}/, '…').padEnd(26)} ${middle.toFixed(0).padStart(5)} ms, at most ${longest.toFixed(0)} ms`,
  );
}
console.log(`to reach: 1,000 ms; over it: ${slow.length === 0 ? 'none' : slow.join(', ')}`);
for (const [what, q] of searches) {
  const times: number[] = [];
  let found = 0;
  for (let i = 0; i < rounds; i++) {
    const begun = performance.now();
    found = (await staff.searchAll({ q })).items.length;
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const [middle, longest] = [times[Math.floor(rounds / 2)] as number, times.at(-1) as number];
  console.log(
    `search by ${what.padEnd(16)} ${middle.toFixed(0).padStart(5)} ms, at most ${longest.toFixed(0)} ms, ${found} found`,
  );
}
console.log('to reach by a search over all PSPs: 200 ms');
await browser.close();

/** The PSP with the most transactions and one record of each kind, found with the session of the browser. */
async function busiest(from: Page): Promise<{
  chosen: string;
  ids: Record<string, string | undefined>;
  searches: readonly (readonly [what: string, q: string])[];
  staff: Assay;
}> {
  const cookie = (await from.context().cookies()).map((c) => `${c.name}=${c.value}`).join('; ');
  const keeping: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('cookie', cookie);
    return fetch(input, { ...init, headers });
  };
  const staff = new Assay({ baseUrl: url, session: true, fetch: keeping });
  const { items } = await staff.listAccounts({ kind: 'psp', limit: 200 });
  const busy = await Promise.all(
    items.map(async (psp) => ({
      psp,
      approved: (await staff.getOverview({}, { pspId: psp.clientId })).counts.approved,
    })),
  );
  const { psp, approved } = busy.sort((x, y) => y.approved - x.approved)[0] as (typeof busy)[number];
  console.log(`${psp.registeredName}: ${approved} approved in 30 days`);
  const as = { pspId: psp.clientId };
  const one = async (asked: Promise<{ items: readonly object[] }>, field: string) =>
    (((await asked).items[0] ?? {}) as Record<string, string>)[field];
  const [newest] = (await staff.listTransactions({ limit: 1, type: 'verifyTransaction' }, as)).items;
  const [paid] = (await staff.listTransactions({ limit: 1, type: 'deposit' }, as)).items;
  const recordId = paid?.transactionId;
  const named = recordId === undefined ? [] : (await staff.listRecordPersons({ recordId }, as)).items;
  const [client] = (await staff.listClients({ limit: 1 }, as)).items;
  return {
    chosen: psp.clientId,
    staff,
    searches: [
      ['id', newest?.transactionId ?? 'txn_'],
      ['ref', newest?.ref ?? 'order-1'],
      ['beginning of ref', (newest?.ref ?? 'order-1').slice(0, 4)],
      ['amount', `${newest?.totalAmount} ${newest?.currency}`],
      ['round amount', '100'],
      ['client', client?.registeredName.split(' ')[0] ?? 'a'],
      ['one letter', 'a'],
      ['e-mail', 'nobody@example.com'],
    ],
    ids: {
      person: named[0]?.personId,
      transaction: await one(staff.listTransactions({ limit: 1 }, as), 'transactionId'),
      basket: await one(staff.listBaskets({ limit: 1 }, as), 'basketId'),
      client: await one(staff.listClients({ limit: 1 }, as), 'clientId'),
      webhook: await one(staff.listWebhooks({ limit: 1 }, as), 'webhookId'),
      report: await one(staff.listReports({ limit: 1 }, as), 'reportId'),
    },
  };
}
