// What an upgrade must preserve: records in every table, made over HTTP by every operation that records, and the
// replies of the release that made them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations } from '../../src/adapters/http/operations.ts';
import type { Operation } from '../../src/modules/kernel/operation.ts';
import { shippedTax } from '../../src/platform/data-files.ts';
import { until } from '../durability/support/conditions.ts';
import { sale } from '../durability/support/storm.ts';
import { soundCall } from '../fuzz/sound-calls.ts';
import { type Account, type KeyKind, makeTestApp, type TestApp, type TestDatabase } from '../support/app.ts';
import { allSealed, keyOf } from '../support/audit.ts';
import { cdrRow, cdrText, dataDirOf, drop } from '../support/cdr-files.ts';
import { enter } from '../support/people.ts';
import { quiet } from '../support/reports.ts';
import { caughtUp } from '../support/webhooks.ts';

/** What every fixture is sealed under: it protects nothing. */
export const fixtureMasterKey = '0f'.repeat(32);

/** The countries whose rates a fixture keeps; those of the others come with every start. */
export const fixtureCountries = ['LI', 'NG'];

/** One question to the service and what it answered. */
export interface Asked {
  readonly operation: string;
  readonly path: string;
  readonly as: KeyKind;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the wire says
  readonly answer: any;
}

export interface Answers {
  /** The service's clock when all was made. */
  readonly endedAt: string;
  readonly psp: Account;
  readonly client: Account;
  readonly operator: Account;
  /** Of the subscribed client, whose deliveries wait. */
  readonly awaited: Account & { readonly webhookId: string; readonly eventIds: readonly string[] };
  readonly testKey: string;
  readonly auditKey: string;
  readonly person: { readonly email: string; readonly password: string };
  readonly asked: readonly Asked[];
}

/** Told differently at another time, or as the world goes on. */
const unsteady = new Set([
  'getOverview',
  'getSession',
  'listJournal',
  'getCheckpoint',
  'getConsistency',
  'listWebhooks',
  'getWebhook',
  'listDeliveries',
  'getDelivery',
  'listEvents',
  'getEvent',
  'listKeys',
  'listUsers',
  'listReportKinds',
  'taxRates',
  'listTaxChanges',
  'getTaxChangesFeed',
  'taxQuote',
]);

const of = (o: Operation): KeyKind => (o.audience.includes('psp') ? 'psp' : (o.audience[0] as KeyKind));

/** Makes the world in a migrated database that nobody has used. */
export async function makeUpgradeWorld(database: TestDatabase): Promise<Answers> {
  const receiver = createServer((request, response) => {
    request.resume();
    response.statusCode = request.url === '/refuses' ? 500 : 200;
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const env = { ASSAY_MASTER_KEY: fixtureMasterKey, WEBHOOK_ALLOW_HTTP: 'true', LOG_LEVEL: 'error' };
  const start = (startAt: string, more: Record<string, string> = {}) =>
    makeTestApp({ database, startAt, env: { ...env, ...more } });
  try {
    const first = await start('2026-11-21T10:00:00Z', { WEBHOOK_CONCURRENCY: '8' });
    const cast = await fill(first, url).finally(() => first.stop());
    const last = await start('2026-11-22T12:00:00Z');
    return await tellOf(last, cast).finally(() => last.stop());
  } finally {
    receiver.close();
  }
}

interface Filled {
  readonly psp: Account;
  readonly client: Account;
  readonly operator: Account;
  readonly awaited: Account;
  readonly webhookId: string;
}

const asking = (t: TestApp) => async (path: string, body: unknown, key: string) => {
  const r = await t.post(path, body, key);
  if (r.status !== 200) throw new Error(`${path} answered ${r.status}: ${r.text}`);
  return r.body.content;
};

async function fill(t: TestApp, receiver: string): Promise<Filled> {
  const [psp, operator] = [await t.makePsp(), await t.makeOperator()];
  const client = await t.makeClient(psp);
  const awaited = await t.makeClient(psp);
  const ask = asking(t);
  const keys = { psp: psp.apiKey, client: client.apiKey, operator: operator.apiKey };
  for (const path of ['/takes', '/refuses'])
    await ask('/v1/client/subscribeToClient', { webhookUrl: receiver + path }, awaited.apiKey);
  const hooks = (await t.get('/v1/webhook', awaited.apiKey)).body.content.items as { webhookId: string; url: string }[];
  const webhookId = hooks.find((h) => h.url.endsWith('/takes'))?.webhookId as string;
  await ask('/v1/transaction/verifyTransaction', sale('told-1', 107.5), awaited.apiKey);
  await until('the first announcements were tried', async () => {
    const rows = await t.database.admin.query("SELECT 1 FROM webhook_deliveries WHERE state = 'pending'");
    return rows.length === 0;
  });

  // A call of each kind that records, with what it needs made before.
  const country = JSON.parse(shippedTax().find((text) => text.includes('"jurisdiction": "LI"')) as string);
  const spare = await ask(`/v1/admin/account/${client.id}/key`, { name: 'spare' }, operator.apiKey);
  const places: Readonly<Record<string, string>> = { accountId: client.id, keyId: spare.keyId };
  for (const o of operations.filter((x) => x.method === 'POST' && x.access === undefined)) {
    const { params, query, body, key } = await soundCall({ t, psp, keys, country }, operations, o);
    const path = o.path.replace(/:(\w+)/g, (_, name) => params?.[name] ?? places[name] ?? 'none');
    const audience = o.audience.includes('client') ? 'client' : (o.audience[0] as KeyKind);
    await ask(query ? `${path}?${query}` : path, body ?? {}, key ?? keys[audience]);
    t.advance(1000);
  }

  // A ref that is verified anew on another day, a file with a warning, rates that were wrong.
  await ask('/v1/transaction/verifyTransaction', sale('again-1', 107.5), client.apiKey);
  await ask('/v1/transaction/declineTransaction', { ref: 'again-1' }, client.apiKey);
  t.advance(86_400_000);
  await ask('/v1/transaction/verifyTransaction', sale('again-1', 107.5), client.apiKey);
  drop(dataDirOf(t), client, 'calls.csv', cdrText(cdrRow('w-1'), cdrRow('w-2', { receiver_number: '112' })));
  await t.app.services.cdrIntake.pickUp();
  await correctRates(t, psp, operator);
  await quiet(t);
  await Promise.all([caughtUp(t), allSealed(t)]);
  return { psp, client, operator, awaited, webhookId };
}

/** Nigeria's rate was 10 % from the first of November on, as one sees now. */
async function correctRates(t: TestApp, psp: Account, operator: Account): Promise<void> {
  const country = JSON.parse(shippedTax().find((text) => text.includes('"jurisdiction": "NG"')) as string);
  const old = country.rules.find((r: { ruleId: string }) => r.ruleId === 'NG-VAT-STANDARD-2026');
  country.rules.push({ ...old, ruleId: 'NG-VAT-STANDARD-2026-11', rate: '10', validFrom: '2026-11-01' });
  old.validTo = '2026-11-01';
  const ask = asking(t);
  await ask('/v1/admin/tax', { reason: 'overlooked', country }, operator.apiKey);
  const days = { countryCode: 'NG', from: '2026-11-01', to: '2026-11-30' };
  await ask('/v1/correction', { clientId: psp.id, ...days, reason: 'overlooked' }, operator.apiKey);
}

async function tellOf(t: TestApp, { psp, client, operator, awaited, webhookId }: Filled): Promise<Answers> {
  const ask = asking(t);
  const eventIds: string[] = [];
  for (const ref of ['waits-1', 'waits-2']) {
    await ask('/v1/transaction/verifyTransaction', sale(ref, 107.5), awaited.apiKey);
    await caughtUp(t);
    eventIds.push((await t.get('/v1/event?limit=1', awaited.apiKey)).body.content.items[0].eventId);
  }
  const person = await enter(t, psp, 'administrator');
  const test = await ask(`/v1/admin/account/${psp.id}/key`, { name: 'tests', mode: 'test' }, operator.apiKey);
  await ask('/v1/transaction/verifyTransaction', sale('decline-1', 107.5), test.apiKey);
  await until('the totals are made', async () => {
    const days = 'dayFrom=2026-11-01&dayTo=2026-11-30';
    return (await t.get(`/v1/totals?${days}`, psp.apiKey)).body.content.entriesBehind === 0;
  });
  await Promise.all([caughtUp(t), allSealed(t)]);
  const keys = { psp: psp.apiKey, client: client.apiKey, operator: operator.apiKey };
  return {
    endedAt: new Date(t.now()).toISOString(),
    psp,
    client,
    operator,
    awaited: { ...awaited, webhookId, eventIds },
    testKey: test.apiKey,
    auditKey: await keyOf(t, psp),
    person: { email: person.email, password: person.password },
    asked: await askAll(t, keys),
  };
}

const asksMore: Readonly<Record<string, string>> = {
  listCdrAnalyses: 'period=2026-11',
  listTotals: 'dayFrom=2026-11-01&dayTo=2026-11-30',
  listTaxTotals: 'dayFrom=2026-11-01&dayTo=2026-11-30',
  listAccrualTotals: 'dayFrom=2026-11-01&dayTo=2026-11-30',
  getStatement: 'dayFrom=2026-11-01&dayTo=2026-11-30',
};

/** Every list, and a few of what each list names in detail. */
async function askAll(t: TestApp, keys: Readonly<Record<KeyKind, string>>): Promise<Asked[]> {
  const asked: Asked[] = [];
  const known = new Map<string, Set<string>>();
  const note = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(note);
    else if (typeof value === 'object' && value !== null)
      for (const [name, v] of Object.entries(value)) {
        if (name.endsWith('Id') && typeof v === 'string') known.set(name, (known.get(name) ?? new Set()).add(v));
        note(v);
      }
  };
  const put = async (o: Operation, path: string) => {
    const r = await t.get(path, keys[of(o)]);
    // Not every record has every document.
    if (r.status !== 200) return;
    note(r.body?.content);
    if (!unsteady.has(o.id)) asked.push({ operation: o.id, path, as: of(o), answer: r.body ?? r.text });
  };
  const gets = operations.filter((o) => o.method === 'GET' && o.access === undefined);
  for (const o of gets.filter((x) => !x.path.includes(':')))
    await put(o, asksMore[o.id] ? `${o.path}?${asksMore[o.id]}` : `${o.path}`);
  for (const o of gets.filter((x) => x.path.includes(':'))) {
    const name = /:(\w+)/.exec(o.path)?.[1] as string;
    const ids = [...(known.get(name === 'recordId' ? 'transactionId' : name) ?? [])].slice(0, 3);
    for (const id of ids) await put(o, o.path.replace(`:${name}`, id));
  }
  return asked;
}
