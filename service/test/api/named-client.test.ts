// A PSP that names one of its clients by the header x-client-id acts for that client: no id in a path leads it to a
// record, a person or the data of another one. The operations are those of the published document.
import { afterAll, beforeAll, expect, it } from 'vitest';
import document from '../../../openapi.json' with { type: 'json' };
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { aCall } from '../support/calls.ts';
import { contentOf } from '../support/guarantees.ts';
import { readersAtEnd } from '../support/journal.ts';
import { enter } from '../support/people.ts';

interface Documented {
  readonly operationId?: string;
  readonly 'x-audience'?: readonly string[];
  readonly requestBody?: { readonly content: { readonly 'application/json'?: { readonly example?: unknown } } };
}

let t: TestApp;
let psp: Account;
let mine: Account;
let other: Account;
/** Ids of what the one client has, by the name of the path's parameter. */
const ids: Record<string, string> = {};
beforeAll(async () => {
  t = await makeTestApp({ env: { ASSAY_MASTER_KEY: '5a'.repeat(32) } });
  psp = await t.makePsp();
  [mine, other] = [await t.makeClient(psp), await t.makeClient(psp)];
  const post = async (path: string, body: unknown) => contentOf(await t.post(path, body, mine.apiKey));
  const example = (path: keyof typeof document.paths) =>
    (document.paths[path] as { post: Documented }).post.requestBody?.content['application/json']?.example;
  const listed = async (path: string) => contentOf(await t.get(path, mine.apiKey)).items;
  const of = (name: string, content: Record<string, string | undefined>) => {
    expect(content[name], name).toMatch(/^[a-z]{3}_\w+$/);
    ids[name] = content[name] as string;
  };
  of('clientId', { clientId: mine.id });
  of('userId', { userId: (await enter(t, mine, 'member')).userId });
  of('keyId', await post('/v1/key', { name: 'checkout', scopes: ['payments'] }));
  await post(`/v1/client/${mine.id}/owners`, example('/v1/client/{clientId}/owners'));
  of('transactionId', await post('/v1/payment/deposit', example('/v1/payment/deposit')));
  ids.recordId = ids.transactionId as string;
  of('wagerId', await post('/captureWager', example('/captureWager')));
  of('reportId', await post('/v1/report', example('/v1/report')));
  of('loginId', await post('/v1/telecom/sftpCredentials', { name: 'files' }));
  of('restrictionId', await post('/v1/player/exclude', example('/v1/player/exclude')));
  const rhythm = example('/v1/report-schedule');
  of('scheduleId', contentOf(await t.post('/v1/report-schedule', rhythm, psp.apiKey, { 'x-client-id': mine.id })));
  await post('/v1/client/subscribeToClient', { webhookUrl: 'https://hooks.example.com/assay' });
  of('webhookId', (await listed('/v1/webhook'))[0]);
  await readersAtEnd(t, ['webhooks']);
  of('eventId', (await listed('/v1/event'))[0]);
  of(
    'reviewId',
    contentOf(await t.post('/v1/review', { transactionId: ids.transactionId, reason: 'look' }, psp.apiKey)),
  );
  await post('/v1/telecom/recordCDR', { cdr_id: 'CDR-1', ...aCall });
  of('cdrId', (await listed('/v1/telecom/cdr'))[0]);
  const [person] = (await listedFor(`/v1/record/${ids.recordId}/person`)).items;
  ids.personId = person.personId;
});
const listedFor = async (path: string) => contentOf(await t.get(path, psp.apiKey));
afterAll(() => t?.stop());

/** What paths name of a client; the test fails where one has no id. */
const named = [
  ...['clientId', 'userId', 'keyId', 'transactionId', 'recordId', 'wagerId', 'reportId', 'loginId', 'restrictionId'],
  ...['scheduleId', 'webhookId', 'eventId', 'reviewId', 'cdrId', 'personId'],
];

const called = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Documented>)
    .filter(([, o]) => o.operationId !== undefined && o['x-audience']?.includes('psp') && path.includes('{'))
    .filter(() => [...path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => named.includes(name)))
    .map(([method, o]) => ({ path, method, o })),
);

it.each(called.map((c) => [c.o.operationId, c] as const))(
  '%s reaches nothing of another client than the one named',
  async (_id, { path, method, o }) => {
    const at = path.replace(/\{(\w+)\}/g, (_, name) => ids[name] as string);
    const body = o.requestBody?.content['application/json']?.example ?? {};
    const headers = { 'x-client-id': other.id };
    const r = method === 'get' ? await t.get(at, psp.apiKey, headers) : await t.post(at, body, psp.apiKey, headers);
    expect([r.status, r.headers.get('x-error-code')], r.text).toEqual([404, 'NOT_FOUND']);
    if (method !== 'get') return;
    const own = await t.get(at, psp.apiKey, { 'x-client-id': mine.id });
    expect(own.status, own.text).not.toBe(403);
    if (!/^getReport(?:Xml|Json|Csv|Page|Xlsx)$/.test(o.operationId ?? '')) expect(own.status, own.text).not.toBe(404);
  },
);

it('lists the people of the client named, and nobody for a client of nobody', async () => {
  const list = (id: string) => t.get('/v1/admin/user', psp.apiKey, { 'x-client-id': id });
  expect(contentOf(await list(mine.id)).items.map((u: { userId: string }) => u.userId)).toEqual([ids.userId]);
  expect(contentOf(await list(other.id)).items).toEqual([]);
  expect((await list('cli_01h455vb4pex5vsknk084sn02q')).status).toBe(404);
});
