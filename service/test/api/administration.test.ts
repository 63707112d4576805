// Changes by the operator's staff to accounts, keys, standing and holds (decisions 5, 6 and 13).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { firstStart } from '../../src/modules/accounts/first-start.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  limitsText,
  refusesWrongTypes,
  requiresFields,
  strangeKey,
  type Wire,
} from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, rowCount, told, uuidOf } from '../support/journal.ts';

let t: TestApp;
let operator: Account;
let psp: Account;
let client: Account;
let n = 0;
const post = (path: string, body: unknown, key = operator.apiKey) => t.post(`/v1/admin/${path}`, body, key);
const get = (path: string, key = operator.apiKey) => t.get(`/v1/admin/${path}`, key);
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;
const status = async (a: Account) => contentOf(await t.get('/v1/client/verifyClientStatus', a.apiKey));
const verify = async (key: string) => {
  const r = await t.post(
    '/v1/transaction/verifyTransaction',
    {
      ref: `order-${++n}`,
      totalAmount: 10,
      currency: 'NGN',
      countryCode: 'NG',
      paymentMethods: { card: 10 },
      transactionFee: 0,
    },
    key,
  );
  return r.status === 200 ? contentOf(r).status : r.status;
};
const absentAccount = () => toWire('client', t.app.services.ids.next());
const standing = (a: Account, body: Record<string, unknown>) =>
  post(`account/${a.id}/standing`, { reason: 'r', ...body });
const iso = (ms: number) => new Date(ms).toISOString();

/** Only an operator's key gets in: a PSP and a client are told so, whatever they ask about. */
function forOperatorsOnly(wire: Wire, operationId: string): void {
  it('refuses the keys of PSPs and clients, known account or not', async () => {
    const before = await entryCount(t);
    for (const { apiKey } of [psp, client]) {
      const r =
        wire.method === 'GET' ? await t.get(wire.path, apiKey) : await t.post(wire.path, await wire.body?.(), apiKey);
      expectRefusal(r, 403, 'AUDIENCE', `${operationId} is for an operator's key`);
    }
    expect(await entryCount(t)).toBe(before);
  });
}

/** Where an account stands in the address, an unknown one is not found. */
function refusesUnknownAccounts(path: (id: string) => string, body?: Record<string, unknown>): void {
  it('answers not found for an account that does not exist, is malformed or names another kind of thing', async () => {
    for (const id of [absentAccount(), 'nobody', toWire('transaction', t.app.services.ids.next())]) {
      const r = body ? await post(path(id), body) : await get(path(id));
      expectRefusal(r, 404, 'NOT_FOUND', 'not found, or not yours to see');
    }
  });
}

beforeAll(async () => {
  t = await makeTestApp();
  operator = await t.makeOperator();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

describe('createPsp', () => {
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    path: '/v1/admin/psp',
    caller: () => operator,
    body: () => ({ name: 'Example Pay', countryCode: 'NG' }),
  };
  describe('accepts', () => {
    it('creates a PSP whose key works at once and who may register clients', async () => {
      const c = contentOf(await post('psp', { name: 'Example Pay', countryCode: 'nga' }));
      expect(Object.keys(c)).toEqual(['pspId', 'apiKey', 'secret']);
      expect(c.pspId).toMatch(/^psp_/);
      const made: Account = { id: c.pspId, uuid: uuidOf(c.pspId), apiKey: c.apiKey, secret: c.secret };
      expect(await status(made)).toMatchObject({
        clientId: c.pspId,
        registeredName: 'Example Pay',
        countryCode: 'NG',
        acceptable: true,
      });
      expect(await verify(c.apiKey)).toBe('APPROVED');
      expect((await t.makeClient(made)).id).toMatch(/^cli_/);
    });
  });
  describe('validates', () => {
    requiresFields(wire, ['name', 'countryCode']);
    refusesWrongTypes(wire, { text: ['name', 'countryCode'] });
    limitsText(wire, { name: 300, countryCode: 3 });
    it('refuses a country that does not exist', async () => {
      expectRefusal(await post('psp', { name: 'X', countryCode: 'ZZ' }), 400, 'UNKNOWN_COUNTRY');
    });
  });
  describe('authorises', () => forOperatorsOnly(wire, 'createPsp'));
  describe('tells', () => {
    it('writes entries for the PSP and its key, in the name of the operator', async () => {
      const { pspId, apiKey, secret } = contentOf(await post('psp', { name: 'Told Pay', countryCode: 'NG' }));
      const [entry] = await told(t, pspId);
      expect([entry?.seq, entry?.kind]).toEqual([1, 'client.created']);
      expect(entry?.body.actor.by).toMatch(/^key_/);
      expect(entry?.body.actor.account).toContain(operator.id.slice(4));
      for (const hidden of [apiKey, apiKey.split('_').slice(2, -1).join('_'), secret.slice(6)])
        expect(entry?.text).not.toContain(hidden);
    });
  });
});

describe('listAccounts', () => {
  const wire: Wire = { app: () => t, method: 'GET', path: '/v1/admin/account', caller: () => operator };
  describe('accepts', () => {
    it('lists the PSPs and clients of all, newest first, and no operator', async () => {
      const house = await t.makePsp();
      const shop = await t.makeClient(house);
      const { items } = contentOf(await get('account?limit=2'));
      expect(items.map((a: { clientId: string }) => a.clientId)).toEqual([shop.id, house.id]);
      const all = contentOf(await get('account?limit=200')).items.map((a: { clientId: string }) => a.clientId.slice(4));
      expect(all).not.toContain(operator.id.slice(4));
    });

    it('filters by PSP, kind and standing', async () => {
      const house = await t.makePsp();
      const [one, two] = [await t.makeClient(house), await t.makeClient(house)];
      contentOf(await standing(one, { operationalStanding: 'SUSPENDED' }));
      const ids = async (q: string) =>
        contentOf(await get(`account?pspId=${house.id}${q}`)).items.map((a: { clientId: string }) => a.clientId);
      expect(await ids('')).toEqual([two.id, one.id, house.id]);
      expect(await ids('&kind=client')).toEqual([two.id, one.id]);
      expect(await ids('&operationalStanding=SUSPENDED')).toEqual([one.id]);
      expect(await ids('&kind=psp')).toEqual([house.id]);
    });

    it('filters by a blocking hold in force, as lists of one PSP do', async () => {
      const mine = contentOf(await post('psp', { name: 'Holding Pay', countryCode: 'NG' }));
      const [free, held, later, noted] = await Promise.all(
        [1, 2, 3, 4].map(() => t.makeClient({ ...psp, id: mine.pspId, apiKey: mine.apiKey })),
      );
      const hold = (a: Account | undefined, more: object) =>
        post(`account/${a?.id}/hold`, { code: 'AML_REVIEW', reason: 'a pattern', blocking: true, ...more });
      contentOf(await hold(held, {}));
      contentOf(await hold(later, { from: new Date(t.now() + 86_400_000).toISOString() }));
      contentOf(await hold(noted, { blocking: false }));
      const ids = async (path: string, key: string) =>
        contentOf(await t.get(path, key))
          .items.map((a: { clientId: string }) => a.clientId)
          .sort();
      const all = (onHold: string) => `/v1/admin/account?kind=client&pspId=${mine.pspId}&onHold=${onHold}`;
      const others = [free?.id, later?.id, noted?.id].sort();
      expect(await ids('/v1/client?onHold=true', mine.apiKey)).toEqual([held?.id]);
      expect(await ids('/v1/client?onHold=false', mine.apiKey)).toEqual(others);
      expect(await ids(all('true'), operator.apiKey)).toEqual([held?.id]);
      expect(await ids(all('false'), operator.apiKey)).toEqual(others);
      const listed = contentOf(await t.get(all('true'), operator.apiKey)).items[0];
      expect(listed.pspId).toBe(mine.pspId);
      expectRefusal(await t.get('/v1/client?onHold=maybe', mine.apiKey), 400, 'QUERY_INVALID');
    });

    it("shows a client's standing together with its PSP's", async () => {
      const house = await t.makePsp();
      const shop = await t.makeClient(house);
      contentOf(await standing(house, { operationalStanding: 'SUSPENDED' }));
      const [item] = contentOf(await get(`account?pspId=${house.id}&kind=client`)).items;
      expect(item).toMatchObject({
        clientId: shop.id,
        operationalStanding: 'ACTIVE',
        acceptable: false,
        reason: "the client's PSP is suspended",
      });
    });
  });
  describe('validates', () => {
    it.each(['kind=operator', 'operationalStanding=active', 'limit=0', 'limit=201', 'limit=x', 'cursor=x'])(
      'refuses %s',
      async (q) => expectRefusal(await get(`account?${q}`), 400, 'QUERY_INVALID'),
    );
    it('answers not found for a pspId that is not one', async () => {
      expectRefusal(await get('account?pspId=nobody'), 404, 'NOT_FOUND');
    });
  });
  describe('authorises', () => forOperatorsOnly(wire, 'listAccounts'));
});

describe('setStanding', () => {
  const path = (id: string) => `account/${id}/standing`;
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    get path() {
      return `/v1/admin/${path(client.id)}`;
    },
    caller: () => operator,
    body: () => ({ verificationLevel: 'BASIC', reason: 'checked' }),
  };
  describe('accepts', () => {
    it('suspends from the moment it answers, and activates again', async () => {
      const someone = await t.makeClient(psp);
      expect(await verify(someone.apiKey)).toBe('APPROVED');
      const r = contentOf(await standing(someone, { operationalStanding: 'SUSPENDED' }));
      expect(r).toMatchObject({ clientId: someone.id, operationalStanding: 'SUSPENDED', acceptable: false });
      expect(await verify(someone.apiKey)).toBe('DECLINED');
      contentOf(await standing(someone, { operationalStanding: 'ACTIVE' }));
      expect(await verify(someone.apiKey)).toBe('APPROVED');
    });

    it('suspends in another process on the same database just as at once', async () => {
      const env = { ASSAY_MASTER_KEY: 'cd'.repeat(32) };
      const one = await makeTestApp({ env });
      try {
        const two = await makeTestApp({ env, database: one.database });
        try {
          const house = await one.makePsp();
          const shop = await one.makeClient(house);
          const chief = await one.makeOperator();
          const ask = async (ref: string) =>
            contentOf(
              await two.post(
                '/v1/transaction/verifyTransaction',
                {
                  ref,
                  totalAmount: 10,
                  currency: 'NGN',
                  countryCode: 'NG',
                  paymentMethods: { card: 10 },
                  transactionFee: 0,
                },
                shop.apiKey,
              ),
            ).status;
          expect(await ask('before')).toBe('APPROVED');
          contentOf(
            await one.post(
              `/v1/admin/account/${shop.id}/standing`,
              { operationalStanding: 'SUSPENDED', reason: 'r' },
              chief.apiKey,
            ),
          );
          expect(await ask('after')).toBe('DECLINED');
          await expectJournalComplete(one);
        } finally {
          await two.stop();
        }
      } finally {
        await one.stop();
      }
    });

    it('changes the verification level alone', async () => {
      const someone = await t.makeClient(psp);
      contentOf(await standing(someone, { verificationLevel: 'ENHANCED' }));
      expect(await status(someone)).toMatchObject({ verificationLevel: 'ENHANCED', operationalStanding: 'ACTIVE' });
    });

    it('closes for good', async () => {
      const someone = await t.makeClient(psp);
      contentOf(await standing(someone, { operationalStanding: 'CLOSED' }));
      const closed = 'the account is closed and cannot be changed';
      for (const change of [
        { operationalStanding: 'ACTIVE' },
        { operationalStanding: 'CLOSED' },
        { verificationLevel: 'ENHANCED' },
      ])
        expectRefusal(await standing(someone, change), 409, 'STATE_CONFLICT', closed);
      expectRefusal(
        await post(`account/${someone.id}/hold`, { code: 'LATE', reason: 'r' }),
        409,
        'STATE_CONFLICT',
        closed,
      );
      expect(await status(someone)).toMatchObject({ operationalStanding: 'CLOSED', acceptable: false });
      expect(await verify(someone.apiKey)).toBe('DECLINED');
    });
  });
  describe('validates', () => {
    requiresFields(wire, ['reason']);
    limitsText(wire, { reason: 500 });
    it('refuses unknown standings and levels, and a change of nothing', async () => {
      expectRefusal(await standing(client, { operationalStanding: 'PAUSED' }), 400, 'FIELD_INVALID');
      expectRefusal(await standing(client, { verificationLevel: null }), 400, 'FIELD_REQUIRED');
      expectRefusal(
        await standing(client, {}),
        400,
        'FIELD_REQUIRED',
        "the field 'operationalStanding' or 'verificationLevel' is required",
      );
    });
    refusesUnknownAccounts(path, { operationalStanding: 'ACTIVE', reason: 'r' });
  });
  describe('authorises', () => forOperatorsOnly(wire, 'setStanding'));
  describe('tells', () => {
    it('writes a Client Change with the new standing, who changed it and why', async () => {
      const someone = await t.makeClient(psp);
      const shown = contentOf(await standing(someone, { operationalStanding: 'SUSPENDED', reason: 'licence lapsed' }));
      const entry = (await told(t, someone.id)).at(-1);
      expect(entry?.body).toMatchObject({
        type: 'client.updated',
        event: 'Client Change',
        version: 2,
        evidence: { reason: 'licence lapsed' },
      });
      expect(entry?.body.actor.account).toContain(operator.id.slice(4));
      expect(entry?.body.data).toEqual(shown);
    });

    it('loses none of many concurrent changes', async () => {
      const someone = await t.makeClient(psp);
      const changes = Array.from({ length: 10 }, (_, i) =>
        i % 2 ? { operationalStanding: 'SUSPENDED' } : { verificationLevel: 'ENHANCED' },
      );
      for (const r of await Promise.all(changes.map((c) => standing(someone, c)))) contentOf(r);
      expect((await told(t, someone.id)).map((e) => e.body.version)).toEqual(
        Array.from({ length: 11 }, (_, i) => i + 1),
      );
      expect(await status(someone)).toMatchObject({ operationalStanding: 'SUSPENDED', verificationLevel: 'ENHANCED' });
    });
  });
});

describe('placeHold', () => {
  const path = (id: string) => `account/${id}/hold`;
  const place = (a: Account, body: Record<string, unknown> = {}) =>
    post(path(a.id), { code: 'SANCTIONS_REVIEW', reason: 'name match', ...body });
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    get path() {
      return `/v1/admin/${path(client.id)}`;
    },
    caller: () => operator,
    body: () => ({ code: 'NOTE', reason: 'for the record', blocking: false }),
  };
  describe('accepts', () => {
    it('holds at once and without end where no dates are given, and blocks', async () => {
      const someone = await t.makeClient(psp);
      const c = contentOf(await place(someone));
      expect(c.flags).toEqual([
        {
          id: expect.stringMatching(/^hld_/),
          code: 'SANCTIONS_REVIEW',
          reason: 'name match',
          blocking: true,
          since: iso(t.now()),
          until: null,
          shownToClient: { code: 'UNDER_REVIEW', reason: 'the account is under review' },
          setBy: expect.stringMatching(/^key_/),
        },
      ]);
      expect(c).toMatchObject({
        acceptable: false,
        reason: 'the client is on hold (UNDER_REVIEW): the account is under review',
      });
      expect(await verify(someone.apiKey)).toBe('DECLINED');
      t.advance(365 * 86_400_000);
      expect(await verify(someone.apiKey)).toBe('DECLINED');
    });

    it('is in force from its first moment to the one before its end', async () => {
      const someone = await t.makeClient(psp);
      const from = t.now() + 60_000;
      contentOf(await place(someone, { from: iso(from), until: iso(from + 60_000) }));
      expect(await verify(someone.apiKey)).toBe('APPROVED');
      t.advance(59_999);
      expect(await verify(someone.apiKey)).toBe('APPROVED');
      t.advance(1);
      expect(await verify(someone.apiKey)).toBe('DECLINED');
      t.advance(59_999);
      expect(await verify(someone.apiKey)).toBe('DECLINED');
      t.advance(1);
      expect(await verify(someone.apiKey)).toBe('APPROVED');
    });

    it('reads dates of any zone as the moment they mean', async () => {
      const someone = await t.makeClient(psp);
      const c = contentOf(await place(someone, { from: '2099-01-01T01:00:00+01:00', until: '2099-01-01T00:00:00.5Z' }));
      expect(c.flags[0]).toMatchObject({ since: '2099-01-01T00:00:00.000Z', until: '2099-01-01T00:00:00.500Z' });
    });

    it('lets several holds stand beside each other', async () => {
      const someone = await t.makeClient(psp);
      contentOf(await place(someone, { code: 'ONE', blocking: false }));
      contentOf(await place(someone, { code: 'TWO' }));
      const shown = contentOf(await place(someone, { code: 'LICENCE_REQUIRED' }));
      expect(shown.flags.map((f: Shown) => [f.code, f.shownToClient?.code ?? null])).toEqual([
        ['ONE', null],
        ['TWO', 'UNDER_REVIEW'],
        ['LICENCE_REQUIRED', 'LICENCE_REQUIRED'],
      ]);
      const { flags } = contentOf(await t.get('/v1/client/verifyClientStatus', someone.apiKey));
      expect(flags.map((f: Shown) => f.code)).toEqual(['UNDER_REVIEW', 'LICENCE_REQUIRED']);
      expect(await verify(someone.apiKey)).toBe('DECLINED');
    });

    it('shows the client the public code that was chosen for it', async () => {
      const someone = await t.makeClient(psp);
      contentOf(await place(someone, { publicCode: 'INFORMATION_REQUIRED' }));
      const r = await t.get('/v1/client/verifyClientStatus', someone.apiKey);
      expect(r.body.message).toBe(
        'not acceptable: the client is on hold (INFORMATION_REQUIRED): information about the account is required',
      );
    });

    it('tells a client of a hold that begins later where its public code says what to do about it', async () => {
      const someone = await t.makeClient(psp);
      const from = iso(t.now() + 60_000);
      contentOf(await place(someone, { from }));
      contentOf(await place(someone, { from, publicCode: 'INFORMATION_REQUIRED' }));
      const { flags, acceptable } = await status(someone);
      expect(acceptable).toBe(true);
      expect(flags.map((f: Shown) => [f.code, f.since])).toEqual([['INFORMATION_REQUIRED', from]]);
    });

    it("holds a PSP's clients along with the PSP", async () => {
      const house = await t.makePsp();
      const shop = await t.makeClient(house);
      contentOf(await place(house));
      expect(await verify(shop.apiKey)).toBe('DECLINED');
      expect((await status(shop)).flags).toEqual([]);
    });
  });
  describe('validates', () => {
    requiresFields(wire, ['code', 'reason']);
    refusesWrongTypes(wire, { text: ['code', 'reason', 'from', 'until'], boolean: ['blocking'] });
    limitsText(wire, { reason: 500 });
    it.each(['lower', 'A', '1ST', 'HAS SPACE', 'Ä_CODE', 'X'.repeat(41)])("refuses '%s' as a code", async (code) => {
      expectRefusal(await place(client, { code }), 400, 'FIELD_INVALID');
    });
    it.each(['soon', '2026-11-21', '2026-02-30T00:00:00Z', '2026-11-21T10:00:00', '0000-01-01T00:00:00Z'])(
      "refuses '%s' as a date",
      async (from) => {
        expectRefusal(await place(client, { from }), 400, 'FIELD_INVALID', /^the field 'from' must be an ISO 8601/);
      },
    );
    it('refuses an end that is not after the start', async () => {
      for (const until of [iso(t.now()), iso(t.now() - 1)])
        expectRefusal(
          await place(client, { until }),
          400,
          'FIELD_INVALID',
          "the field 'until' must be later than 'from'",
        );
    });
    it('refuses the hundred and first hold', async () => {
      const someone = await t.makeClient(psp);
      const all = await Promise.all(Array.from({ length: 101 }, () => place(someone, { blocking: false })));
      expect(all.filter((r) => r.status === 200)).toHaveLength(100);
      expectRefusal(all.find((r) => r.status !== 200)!, 409, 'LIMIT_REACHED', 'an account can have at most 100 holds');
      // One that ended makes room: a client of many years can still be put on hold.
      const [first] = contentOf(all.find((r) => r.status === 200)!).flags;
      const end = `/v1/admin/account/${someone.id}/hold/${first.id}/release`;
      const ended = await t.post(end, { reason: 'seen' }, operator.apiKey);
      expect(ended.body.message).toBe('hold ended');
      contentOf(await place(someone, { code: 'SANCTIONS_REVIEW' }));
    });
    refusesUnknownAccounts(path, { code: 'NOTE', reason: 'r' });
  });
  describe('authorises', () => forOperatorsOnly(wire, 'placeHold'));
  describe('tells', () => {
    it('writes a Client Change with the flag', async () => {
      const someone = await t.makeClient(psp);
      contentOf(await place(someone));
      const entry = (await told(t, someone.id)).at(-1);
      expect(entry?.body).toMatchObject({
        event: 'Client Change',
        version: 2,
        evidence: { reason: 'name match', holds: [{ code: 'SANCTIONS_REVIEW', reason: 'name match' }] },
      });
      expect(entry?.body.data).toEqual(contentOf(await t.get(`/v1/client/${someone.id}`, someone.apiKey)));
    });

    it.each([
      ['a remark', { blocking: false }],
      ['a hold that begins later', { from: '2099-01-01T00:00:00Z' }],
    ])('writes %s where operators alone read it', async (_, body) => {
      const someone = await t.makeClient(psp);
      const own = () => t.get(`/v1/client/${someone.id}`, someone.apiKey);
      const before = (await own()).text;
      t.advance(1000);
      const { flags } = contentOf(await place(someone, body));
      contentOf(await post(`account/${someone.id}/hold/${flags[0].id}/release`, { reason: 'cleared' }));
      expect((await own()).text).toBe(before);
      const entries = (await told(t, someone.id)).slice(1);
      expect(entries.map((e) => [e.kind, e.body.event, e.body.evidence.reason])).toEqual([
        ['client.changed_privately', undefined, 'name match'],
        ['client.changed_privately', undefined, 'cleared'],
      ]);
      const kinds = async (key: string) =>
        contentOf(await t.get(`/v1/journal?clientId=${someone.id}`, key)).items.map((e: Shown) => e.kind);
      expect(await kinds(operator.apiKey)).toContain('client.changed_privately');
      expect(await kinds(psp.apiKey)).not.toContain('client.changed_privately');
    });
  });
});

describe('releaseHold', () => {
  const held = async (over: Record<string, unknown> = {}) => {
    const someone = await t.makeClient(psp);
    const c = contentOf(await post(`account/${someone.id}/hold`, { code: 'REVIEW', reason: 'r', ...over }));
    return { someone, holdId: c.flags[0].id as string };
  };
  const release = (a: Account, holdId: string) => post(`account/${a.id}/hold/${holdId}/release`, { reason: 'cleared' });
  describe('accepts', () => {
    it('ends a hold from the moment it answers', async () => {
      const { someone, holdId } = await held();
      expect(await verify(someone.apiKey)).toBe('DECLINED');
      expect(contentOf(await release(someone, holdId))).toMatchObject({ acceptable: true, flags: [] });
      expect(await verify(someone.apiKey)).toBe('APPROVED');
    });

    it('ends one hold and leaves the others', async () => {
      const { someone, holdId } = await held();
      contentOf(await post(`account/${someone.id}/hold`, { code: 'OTHER', reason: 'r' }));
      const c = contentOf(await release(someone, holdId));
      expect(c.flags.map((f: { code: string }) => f.code)).toEqual(['OTHER']);
      expect(await verify(someone.apiKey)).toBe('DECLINED');
    });

    it('takes a hold back that has not started', async () => {
      const from = t.now() + 60_000;
      const { someone, holdId } = await held({ from: iso(from) });
      expect(contentOf(await release(someone, holdId)).flags).toEqual([]);
      t.advance(60_001);
      expect(await verify(someone.apiKey)).toBe('APPROVED');
    });
  });
  describe('validates', () => {
    it('answers not found for a hold that does not exist, or of another account', async () => {
      const { someone, holdId } = await held();
      for (const id of [toWire('hold', t.app.services.ids.next()), 'nonsense'])
        expectRefusal(await release(someone, id), 404, 'NOT_FOUND');
      expectRefusal(await release(client, holdId), 404, 'NOT_FOUND');
      expect(await verify(someone.apiKey)).toBe('DECLINED');
    });
    it("requires the field 'reason'", async () => {
      const { someone, holdId } = await held();
      expectRefusal(
        await post(`account/${someone.id}/hold/${holdId}/release`, {}),
        400,
        'FIELD_REQUIRED',
        "the field 'reason' is required",
      );
    });
  });
  describe('authorises', () => {
    it('refuses the keys of PSPs and clients', async () => {
      const { someone, holdId } = await held();
      for (const { apiKey } of [psp, someone])
        expectRefusal(
          await post(`account/${someone.id}/hold/${holdId}/release`, { reason: 'r' }, apiKey),
          403,
          'AUDIENCE',
        );
    });
  });
  describe('repeats', () => {
    it('never lengthens a hold that ended before', async () => {
      const { someone, holdId } = await held({ until: iso(t.now() + 1000) });
      t.advance(2000);
      contentOf(await release(someone, holdId));
      expect(await verify(someone.apiKey)).toBe('APPROVED');
    });
  });
  describe('tells', () => {
    it('writes a Client Change with the reason', async () => {
      const { someone, holdId } = await held();
      const shown = contentOf(await release(someone, holdId));
      const entry = (await told(t, someone.id)).at(-1);
      expect(entry?.body).toMatchObject({ type: 'client.updated', version: 3, evidence: { reason: 'cleared' } });
      expect(entry?.body.data).toEqual(shown);
    });
  });
});

describe('issueKey', () => {
  const path = (id: string) => `account/${id}/key`;
  const issue = (a: Account, body: Record<string, unknown> = {}) => post(path(a.id), { name: 'rotation', ...body });
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    get path() {
      return `/v1/admin/${path(client.id)}`;
    },
    caller: () => operator,
    body: () => ({ name: 'further key' }),
  };
  describe('accepts', () => {
    it('issues a further key beside the others, for rotation', async () => {
      const someone = await t.makeClient(psp);
      const c = contentOf(await issue(someone));
      expect(c).toEqual({
        keyId: expect.stringMatching(/^key_[0-9a-z]{26}$/),
        apiKey: expect.stringMatching(/^asy_/),
        name: 'rotation',
        expiresAt: null,
        mode: 'live',
        scopes: ['payments', 'records', 'read', 'administration'],
        clientId: someone.id,
      });
      expect(c.apiKey).toContain(c.keyId.slice(4));
      for (const key of [someone.apiKey, c.apiKey]) expect(await verify(key)).toBe('APPROVED');
    });

    it('issues a key that ends by itself', async () => {
      const someone = await t.makeClient(psp);
      const c = contentOf(await issue(someone, { expiresAt: iso(t.now() + 5000) }));
      expect(c.expiresAt).toBe(iso(t.now() + 5000));
      t.advance(4999);
      expect(await verify(c.apiKey)).toBe('APPROVED');
      t.advance(1);
      expect(await verify(c.apiKey)).toBe(401);
      expect(await verify(someone.apiKey)).toBe('APPROVED');
    });
  });
  describe('validates', () => {
    requiresFields(wire, ['name']);
    refusesWrongTypes(wire, { text: ['name', 'expiresAt'] });
    limitsText(wire, { name: 100 });
    it.each(['tomorrow', '2026-13-01T00:00:00Z', '0000-01-01T00:00:00Z'])(
      "refuses '%s' as an end",
      async (expiresAt) => {
        expectRefusal(await issue(client, { expiresAt }), 400, 'FIELD_INVALID', /^the field 'expiresAt' must be/);
      },
    );
    refusesUnknownAccounts(path, { name: 'x' });
  });
  describe('authorises', () => forOperatorsOnly(wire, 'issueKey'));
  describe('tells', () => {
    it('writes an entry about the key, without the key', async () => {
      const { keyId, apiKey } = contentOf(await issue(client));
      const [entry, ...more] = await told(t, keyId);
      expect(more).toEqual([]);
      expect(entry?.body).toMatchObject({
        type: 'key.issued',
        event: 'Client Change',
        clientId: client.id,
        version: 1,
        data: { clientId: client.id, key: { keyId, name: 'rotation', expiresAt: null } },
      });
      expect(entry?.text).not.toContain(apiKey.split('_').slice(2, -1).join('_'));
    });
  });
});

describe('listKeys', () => {
  const path = (id: string) => `account/${id}/key`;
  const wire: Wire = {
    app: () => t,
    method: 'GET',
    get path() {
      return `/v1/admin/${path(client.id)}`;
    },
    caller: () => operator,
  };
  describe('accepts', () => {
    it('lists the keys of an account with their states, newest first, never the keys themselves', async () => {
      const someone = await t.makeClient(psp);
      const spare = contentOf(await post(path(someone.id), { name: 'spare', expiresAt: iso(t.now() + 9_000_000) }));
      contentOf(await post(`key/${spare.keyId}/revoke`, { reason: 'r' }));
      expect(await verify(someone.apiKey)).toBe('APPROVED');
      await t.app.services.keys.flushUse();
      const r = await get(path(someone.id));
      const { items } = contentOf(r);
      expect(items).toEqual([
        {
          keyId: spare.keyId,
          name: 'spare',
          createdAt: iso(t.now()),
          expiresAt: iso(t.now() + 9_000_000),
          revokedAt: iso(t.now()),
          lastUsedAt: null,
          lastUsedNetwork: null,
          mode: 'live',
          scopes: ['payments', 'records', 'read', 'administration'],
        },
        {
          keyId: expect.stringMatching(/^key_/),
          name: 'first key',
          createdAt: iso(t.now()),
          expiresAt: null,
          revokedAt: null,
          lastUsedAt: iso(t.now()),
          // Not the address itself.
          lastUsedNetwork: '127.0.0.0/24',
          mode: 'live',
          scopes: ['payments', 'records', 'read', 'administration'],
        },
      ]);
      for (const key of [someone.apiKey, spare.apiKey])
        expect(r.text).not.toContain(key.split('_').slice(2, -1).join('_'));
      expect(r.text).not.toContain('hash');
    });
  });
  describe('validates', () => refusesUnknownAccounts(path));
  describe('authorises', () => forOperatorsOnly(wire, 'listKeys'));
});

describe('revokeKey', () => {
  const spare = async (a: Account) => contentOf(await post(`account/${a.id}/key`, { name: 'spare' }));
  const revoke = (keyId: string, key?: string) => post(`key/${keyId}/revoke`, { reason: 'leaked' }, key);
  describe('accepts', () => {
    it('refuses the key from the moment it answers', async () => {
      const { keyId, apiKey } = await spare(client);
      expect(await verify(apiKey)).toBe('APPROVED');
      expect(contentOf(await revoke(keyId))).toEqual({ keyId, revokedAt: iso(t.now()) });
      expect(await verify(apiKey)).toBe(401);
      expect(await verify(client.apiKey)).toBe('APPROVED');
    });

    it('is told of in the log with whose it is and who did it, for whoever restores an older backup; what was refused is not', async () => {
      const before = t.logged.length;
      const { keyId } = contentOf(await post(`account/${psp.id}/key`, { name: 'spare' }));
      contentOf(await revoke(keyId));
      contentOf(await standing(client, { operationalStanding: 'ACTIVE' }));
      expect((await revoke(`key_${'0'.repeat(26)}`)).status).toBe(404);
      contentOf(await get(`account/${psp.id}/key`));
      const lines = t.logged.slice(before).map((l) => JSON.parse(l));
      const by = `key_${operator.apiKey.split('_')[1]}`;
      expect(lines.filter((l) => l.msg === 'administered').map((l) => [l.operation, l.of, l.by])).toEqual([
        ['issueKey', { accountId: psp.id }, by],
        ['revokeKey', { keyId }, by],
        ['setStanding', { accountId: client.id }, by],
      ]);
    });

    it("revokes an operator's own key as well", async () => {
      const leaving = await t.makeOperator();
      const keyId = `key_${leaving.apiKey.split('_')[1]}`;
      contentOf(await revoke(keyId));
      expectRefusal(await t.get('/v1/admin/account', leaving.apiKey), 401, 'KEY_INVALID');
    });
  });
  describe('validates', () => {
    it('answers not found for a key that does not exist', async () => {
      for (const id of [toWire('key', t.app.services.ids.next()), 'nonsense', client.id])
        expectRefusal(await revoke(id), 404, 'NOT_FOUND', 'not found, or not yours to see');
    });
    it("requires the field 'reason'", async () => {
      const { keyId } = await spare(client);
      expectRefusal(await post(`key/${keyId}/revoke`, {}), 400, 'FIELD_REQUIRED', "the field 'reason' is required");
    });
  });
  describe('authorises', () => {
    it('refuses the keys of PSPs and clients, also for their own keys', async () => {
      const { keyId, apiKey } = await spare(client);
      for (const key of [client.apiKey, psp.apiKey]) expectRefusal(await revoke(keyId, key), 403, 'AUDIENCE');
      expectRefusal(await revoke(keyId, strangeKey(t)), 401, 'KEY_INVALID');
      expect(await verify(apiKey)).toBe('APPROVED');
    });
  });
  describe('repeats', () => {
    it('answers the same again and records nothing new', async () => {
      const { keyId } = await spare(client);
      const first = await revoke(keyId);
      const before = await entryCount(t);
      t.advance(1000);
      expect((await revoke(keyId)).text).toBe(first.text);
      expect(await entryCount(t)).toBe(before);
    });

    it('revokes once under concurrent calls', async () => {
      const { keyId } = await spare(client);
      for (const r of await Promise.all(Array.from({ length: 10 }, () => revoke(keyId)))) contentOf(r);
      expect((await told(t, keyId)).map((e) => e.kind)).toEqual(['key.issued', 'key.revoked']);
      expect(await rowCount(t, 'api_keys', 'id = $1 AND revoked_at IS NOT NULL', [uuidOf(keyId)])).toBe(1);
    });
  });
  describe('tells', () => {
    it('writes an entry with the reason', async () => {
      const { keyId } = await spare(client);
      contentOf(await revoke(keyId));
      const entry = (await told(t, keyId)).at(-1);
      expect(entry?.body).toMatchObject({
        type: 'key.revoked',
        event: 'Client Change',
        clientId: client.id,
        version: 2,
        data: { clientId: client.id, key: { keyId, name: 'spare' } },
        evidence: { reason: 'leaked' },
      });
    });

    it('keeps records and journal one to one, numbered without gaps', async () => {
      await expectJournalComplete(t);
    });
  });
});

describe('the first start', () => {
  it('creates one PSP with a working key over an empty database, and none ever after', async () => {
    const fresh = await makeTestApp();
    try {
      const { services } = fresh.app;
      const made = await firstStart(services);
      expect(made).toBeDefined();
      const r = await fresh.get('/v1/client/verifyClientStatus', made?.apiKey);
      expect(contentOf(r)).toMatchObject({ registeredName: 'Demo PSP', acceptable: true });
      expect(await firstStart(services)).toBeUndefined();
      expect(await rowCount(fresh, 'accounts')).toBe(1);
      expect(fresh.logged.join()).not.toContain(made?.apiKey.split('_').slice(2, -1).join('_'));
      await expectJournalComplete(fresh);
    } finally {
      await fresh.stop();
    }
  });
});
