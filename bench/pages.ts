// Benchmark of the console: how long each page of its table takes in a browser until its data is shown and it can be used,
// on a running service such as a demo of 100,000 transactions: `npm run demo -- --scale 8 --days 75`. Whoever signs in sees
// the pages that are theirs. `--only cases,returns` takes the pages whose address has one of these words; `--requests 200`
// names the requests of a page that took so many ms or longer.
// node bench/pages.ts --url http://127.0.0.1:8080 --email administrator@demo.example --password …
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as driver, type Response } from 'playwright-core';
import { Assay } from '../client/src/index.ts';

const option = (name: string, otherwise: string): string => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : (process.argv[at + 1] as string);
};
const url = option('url', 'http://127.0.0.1:8080');
const email = option('email', 'administrator@demo.example');
const password = option('password', '');
const rounds = Number(option('rounds', '5'));
const only = option('only', '').split(',');
const slowMs = Number(option('requests', 'Infinity'));

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

/** Requests of the page that took long, as ms and the address. */
let long: string[] = [];
page.on('requestfinished', (request) => {
  const tookMs = request.timing().responseEnd;
  if (tookMs >= slowMs) long.push(`${tookMs.toFixed(0)} ms ${request.url().slice(url.length, url.length + 150)}`);
});
/** Requests that were refused, once each. */
const refused = new Set<string>();
page.on('response', (response: Response) => {
  if (response.status() >= 400) refused.add(`${response.status()} ${new URL(response.url()).pathname}`);
});

const measured = await page.context().newCDPSession(page);
await measured.send('Performance.enable', { timeDomain: 'threadTicks' });
/** Processor time of the page's own thread since it was opened, which other work on the machine does not lengthen. */
const processorMs = async (): Promise<number> => {
  const { metrics } = await measured.send('Performance.getMetrics');
  return 1000 * (metrics.find((m) => m.name === 'TaskDuration')?.value ?? 0);
};

/** @returns ms until it can be used, and how many of them the page's thread worked */
async function open(path: string): Promise<readonly [ms: number, worked: number]> {
  await page.goto(`${url}${root}${path}`, { waitUntil: 'commit' });
  const before = await processorMs();
  const ms = await page.evaluate<number>(ready);
  return [ms, (await processorMs()) - before];
}

const [first] = await open('/');
refused.clear();
await page.getByLabel('E-mail').fill(email);
await page.getByRole('textbox', { name: 'Password' }).fill(password);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('navigation').first().waitFor();

const cookie = (await page.context().cookies()).map((c) => `${c.name}=${c.value}`).join('; ');
const keeping: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('cookie', cookie);
  return fetch(input, { ...init, headers });
};
const person = new Assay({ baseUrl: url, session: true, fetch: keeping });
const { account } = await person.getSession();
const as = account.kind === 'operator' ? { pspId: await busiest() } : {};
if ('pspId' in as) root = `/console/p/${as.pspId}`;

type Row = Readonly<Record<string, string | undefined>>;
const nothing: Row = {};

/** The first record of a list; nothing where there is none, or the person may not see the list. */
async function one(asked: Promise<{ readonly items: readonly object[] }>): Promise<Row> {
  const { items } = await asked.catch(() => ({ items: [] }));
  return (items[0] ?? nothing) as Row;
}
const only1 = { limit: 1 };
const sale = await one(person.listTransactions({ ...only1, type: 'verifyTransaction' }, as));
const deposit = await one(person.listTransactions({ ...only1, type: 'deposit' }, as));
const record = account.kind === 'authority' ? await one(person.listAuthorityRecords(only1)) : nothing;
const webhook = await one(person.listWebhooks(only1, as));
const declined = await one(person.listTransactions({ ...only1, status: 'DECLINED' }, as));
const basket = await one(person.listBaskets(only1, as));
const made = await one(person.listReports({ ...only1, kind: 'vatReturn' }, as));
const any = sale.transactionId ? sale : deposit;

/** What stands for each parameter of an address: a record of the busiest PSP, client and customer there are. */
const records: Row = {
  id: any.transactionId,
  transactionId: any.transactionId,
  clientId: any.clientId,
  basketId: basket.basketId,
  wagerId: (await one(person.listWagers(only1, as))).wagerId,
  payoutId: (await one(person.listPayouts(only1, as))).payoutId,
  personId: deposit.transactionId
    ? (await one(person.listRecordPersons({ recordId: deposit.transactionId }, as))).personId
    : undefined,
  eventId: (await one(person.listEvents(only1, as))).eventId,
  caseId: (await one(person.listCases(only1, as))).caseId,
  reviewId: (await one(person.listReviews(only1, as))).reviewId,
  list: (await one(person.listLists({}, as))).list,
  rule: 'DORMANT_CLIENT',
  keyId: (await one(person.listAllKeys(only1, as))).keyId ?? (await one(person.listOwnKeys(only1, as))).keyId,
  webhookId: webhook.webhookId,
  deliveryId: webhook.webhookId
    ? (await one(person.listDeliveries({ webhookId: webhook.webhookId, ...only1 }, as))).deliveryId
    : undefined,
  fileId: (await one(person.listCdrFiles(only1, as))).fileId,
  cdrId: (await one(person.listCdrs(only1, as))).cdrId,
  declarationId: (await one(person.listCdrDeclarations({}, as))).declarationId,
  authorityId: (await one(person.listAuthorities(only1))).authorityId,
  recordId: record.id ?? record.recordId,
  reportId: made.reportId ?? (await one(person.listReports(only1, as))).reportId,
  form: (await one(person.listFilingForms({}, as))).form,
};

const day = (before: number): string => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10);
const [currency, country] = [any.currency ?? 'NGN', any.countryCode ?? 'NG'];
const ref = any.ref ?? 'order-1';
/** What people filter lists by, and what other pages lead to with. */
const filtered = [
  '/?days=90',
  ...[
    `q=${ref.slice(0, 2)}`,
    `ref=${ref}`,
    'status=DECLINED',
    'status=APPROVED',
    'type=deposit',
    'type=withdrawal',
    'declinedFor=HOLD',
    'chargedBack=true',
    `clientId=${any.clientId}`,
    `clientId=${any.clientId}&status=DECLINED`,
    `countryCode=${country}`,
    'countryCode=ZW',
    `currency=${currency}`,
    `currency=${currency}&sort=-amount`,
    `currency=${currency}&amountFrom=1000&sort=amount`,
    'amountFrom=100000',
    'amountFrom=1&amountTo=10',
    'sort=time',
    `from=${day(60)}&to=${day(30)}`,
    `from=${day(7)}&status=DECLINED&amountFrom=1000`,
    `rule=${country}-VAT`,
  ].map((query) => `/transactions?${query}`),
  `/clients?q=${any.registeredName ?? 'a'}`,
  `/clients?countryCode=${country}`,
  '/clients?standing=HELD',
  `/baskets?clientId=${any.clientId}`,
  '/baskets?status=VERIFIED',
  '/gaming?currency=NGN',
  `/gaming?from=${day(60)}&to=${day(30)}`,
  '/cases?queue=all',
  '/cases?severity=HIGH',
  '/reviews?queue=all',
  `/audit?clientId=${any.clientId}`,
  '/audit?kind=transaction',
  `/audit?from=${day(60)}&to=${day(30)}`,
  '/keys?unused=90',
  '/keys?of=all',
  '/requests?outcome=refused',
  '/requests?status=400',
  `/requests?clientId=${any.clientId}`,
  '/cdr/records?callType=VOICE',
  '/lists?tab=matches',
  '/rates?tab=changes',
  '/rates?tab=exchange',
  '/rates?tab=fees',
  '/players?inForce=true',
  '/reports?kind=vatReturn',
  '/reports/new?kind=vatReturn',
  '/returns?show=all',
  '/settlement/disputes?state=open',
  `/settlement/outstanding?currency=${currency}`,
];

const table = readFileSync(join(import.meta.dirname, '../console/src/routes.tsx'), 'utf8').matchAll(/path: '([^']+)'/g);
const inTable = [...table].map(([, path]) => path as string);
const without: string[] = [];
const paths: string[] = [];
for (const path of [...inTable, ...filtered]) {
  const filled = path.replace(/\$(\w+)/g, (_, name: string) => records[name] ?? 'undefined');
  if (only.some((word) => path.includes(word))) (filled.includes('undefined') ? without : paths).push(filled);
}

console.log(`${email}: first load to the sign-in ${first.toFixed(0)} ms`);
const slow: string[] = [];
let longest = 0;
for (const path of paths) {
  const opened: (readonly [ms: number, worked: number])[] = [];
  refused.clear();
  for (let i = 0; i < rounds; i++) {
    long = [];
    opened.push(await open(path));
  }
  if ((await page.locator('h1').first().innerText()) === 'No such page') continue;
  opened.sort(([a], [b]) => a - b);
  const [middle, worked] = opened[Math.floor(rounds / 2)] as readonly [number, number];
  const [last] = opened.at(-1) as readonly [number, number];
  longest = Math.max(longest, middle);
  if (middle > 1000) slow.push(path);
  console.log(
    `${path.replace(/[a-z]+_[0-9a-z]{26}/, '…').padEnd(52)} ${middle.toFixed(0).padStart(5)} ms, at most ${last.toFixed(0)} ms, ${worked.toFixed(0)} ms of processor time`,
  );
  for (const what of [...long, ...refused]) console.log(`    ${what}`);
}
console.log(
  `to reach: 1,000 ms; slowest ${longest.toFixed(0)} ms; over it: ${slow.length === 0 ? 'none' : slow.join(', ')}`,
);
if (without.length > 0) console.log(`nothing to show here: ${without.join(', ')}`);
const searches = account.kind === 'authority' || option('only', '') !== '' ? [] : await searched();
for (const [what, q] of searches) {
  const times: number[] = [];
  let found = 0;
  for (let i = 0; i < rounds; i++) {
    const begun = performance.now();
    found = (await person.searchAll({ q })).items.length;
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const [middle, last] = [times[Math.floor(rounds / 2)] as number, times.at(-1) as number];
  console.log(
    `search by ${what.padEnd(16)} ${middle.toFixed(0).padStart(5)} ms, at most ${last.toFixed(0)} ms, ${found} found`,
  );
}
console.log(
  `to reach by a search: 200 ms; load of the machine ${loadavg()
    .map((l) => l.toFixed(1))
    .join(', ')}`,
);
await browser.close();

/** The PSP with the most transactions. */
async function busiest(): Promise<string> {
  const { items } = await person.listAccounts({ kind: 'psp', limit: 200 });
  const busy = await Promise.all(
    items.map(async (psp) => ({
      psp,
      approved: (await person.getOverview({}, { pspId: psp.clientId })).counts.approved,
    })),
  );
  const { psp, approved } = busy.sort((x, y) => y.approved - x.approved)[0] as (typeof busy)[number];
  console.log(`${psp.registeredName}: ${approved} approved in 30 days`);
  return psp.clientId;
}

async function searched(): Promise<readonly (readonly [what: string, q: string])[]> {
  const client = await one(person.listClients(only1, as));
  return [
    ['id', any.transactionId ?? 'txn_'],
    ['ref', ref],
    ['beginning of ref', ref.slice(0, 4)],
    ['amount', `${any.totalAmount} ${any.currency}`],
    ['round amount', '100'],
    ['client', client.registeredName?.split(' ')[0] ?? 'a'],
    ['one letter', 'a'],
    ['e-mail', 'nobody@example.com'],
    ['declined', declined.ref ?? ref],
  ];
}
