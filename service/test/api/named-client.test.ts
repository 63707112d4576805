// A PSP that names one of its clients by the header x-client-id acts for that client: no id in a path leads it to a
// record, a person or the data of another one. The operations are those of the published document.
import { afterAll, beforeAll, expect, it } from 'vitest';
import document from '../../../openapi.json' with { type: 'json' };
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { aCall } from '../support/calls.ts';
import { contentOf } from '../support/guarantees.ts';
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
  const cdr = { cdr_id: 'CDR-1', ...aCall };
  ids.clientId = mine.id;
  ids.userId = (await enter(t, mine, 'member')).userId;
  ids.keyId = (await post('/v1/key', { name: 'checkout', scopes: ['payments'] })).keyId;
  ids.cdrId = (await post('/v1/telecom/recordCDR', cdr)).cdrId ?? '';
  ids.reportId = (await post('/v1/report', example('/v1/report'))).reportId;
  ids.webhookId = (
    await post('/v1/client/subscribeToClient', { webhookUrl: 'https://hooks.example.com/assay' })
  ).webhookId;
});
afterAll(() => t?.stop());

const called = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Documented>)
    .filter(([, o]) => o.operationId !== undefined && o['x-audience']?.includes('psp') && path.includes('{'))
    .filter(() =>
      [...path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) =>
        ['clientId', 'userId', 'keyId', 'cdrId', 'reportId', 'webhookId'].includes(name),
      ),
    )
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
    const named = await t.get(at, psp.apiKey, { 'x-client-id': mine.id });
    expect(named.status, named.text).not.toBe(403);
  },
);

it('lists the people of the client named, and nobody for a client of nobody', async () => {
  const list = (id: string) => t.get('/v1/admin/user', psp.apiKey, { 'x-client-id': id });
  expect(contentOf(await list(mine.id)).items.map((u: { userId: string }) => u.userId)).toEqual([ids.userId]);
  expect(contentOf(await list(other.id)).items).toEqual([]);
  expect((await list('cli_01h455vb4pex5vsknk084sn02q')).status).toBe(404);
});
