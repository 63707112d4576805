// People as administrators manage them, what each role may do, and staff who view the console as a PSP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { roles } from '../../src/core/roles.ts';
import { clearPast } from '../../src/modules/subjects/retention.ts';
import { firstAdministrator } from '../../src/modules/users/index.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { expectJournalComplete, rowCount, told } from '../support/journal.ts';
import { enter, type Person, type SignedIn, signIn, trySignIn } from '../support/people.ts';

let t: TestApp;
let operator: Account;
let psp: Account;
let other: Account;
let administrator: SignedIn & Person;
let auditor: SignedIn & Person;
let pspAdministrator: SignedIn & Person;

beforeAll(async () => {
  t = await makeTestApp();
  operator = await t.makeOperator();
  [psp, other] = [await t.makePsp('Own'), await t.makePsp('Other')];
  administrator = await enter(t, operator, 'administrator');
  auditor = await enter(t, operator, 'auditor');
  pspAdministrator = await enter(t, psp, 'administrator');
});
afterAll(() => t?.stop());

let n = 0;
const somebody = (over: Record<string, unknown> = {}) => ({
  email: `Somebody-${++n}@Example.com`,
  name: 'Ada Obi',
  role: 'reviewer',
  ...over,
});
const create = async (over: Record<string, unknown> = {}, by: SignedIn = administrator) =>
  contentOf(await by.post('/v1/admin/user', somebody(over)));

describe('an administrator', () => {
  it('lets a person sign in with a password that is shown once', async () => {
    const made = await create();
    expect(made).toEqual({
      user: {
        userId: expect.stringMatching(/^usr_/),
        accountId: operator.id,
        email: `somebody-${n}@example.com`,
        name: 'Ada Obi',
        role: 'reviewer',
        state: 'ACTIVE',
        mustChangePassword: true,
        lockedUntil: null,
        createdAt: new Date(t.now()).toISOString(),
        updatedAt: new Date(t.now()).toISOString(),
        signedInAt: null,
        secondFactor: false,
      },
      password: expect.stringMatching(/^[\w-]{24}$/),
    });
    expect((await trySignIn(t, { email: made.user.email, password: made.password })).status).toBe(200);
    await t.app.services.sessions.flushUse();
    const { items } = contentOf(await administrator.get('/v1/admin/user?limit=1'));
    expect(items).toEqual([
      { ...made.user, signedInAt: made.user.createdAt, seenAt: made.user.createdAt, seenNetwork: null },
    ]);
    expect(JSON.stringify(items)).not.toContain(made.password);
  });

  it('sees when and from which network each person last made a call, never the address', async () => {
    const person = await enter(t, operator, 'auditor');
    t.advance(60_000);
    contentOf(await person.get('/v1/session'));
    const at = new Date(t.now()).toISOString();
    await t.app.services.sessions.flushUse();
    const answer = await administrator.get('/v1/admin/user?limit=1');
    const [listed] = contentOf(answer).items;
    expect(listed).toMatchObject({ email: person.email, seenAt: at, seenNetwork: '127.0.0.0/24' });
    expect(answer.text).not.toContain('127.0.0.1');
  });

  it('gives an e-mail to one person only of an account, even where two ask at once', async () => {
    const email = `twice-${++n}@example.com`;
    const answers = await Promise.all([
      pspAdministrator.post('/v1/admin/user', somebody({ email })),
      pspAdministrator.post('/v1/admin/user', somebody({ email: email.toUpperCase() })),
    ]);
    expect(answers.map((r) => r.status).sort()).toEqual([200, 409]);
    expectRefusal(await pspAdministrator.post('/v1/admin/user', somebody({ email })), 409, 'ALREADY_REGISTERED');
  });

  it('is not told by any answer whether an e-mail signs in to another account, and each signs in to their own', async () => {
    const [staff, elsewhere, unknown] = [`staff-${++n}@example.com`, `other-${n}@example.com`, `new-${n}@example.com`];
    const first = await create({ email: staff, role: 'auditor' });
    await create({ email: elsewhere, accountId: other.id, role: 'auditor' });
    const plain = (text: string) => text.replace(/"(userId|email|password)":"[^"]+"/g, '"$1"');
    const answers: string[] = [];
    for (const email of [staff, elsewhere, unknown]) {
      const made = await pspAdministrator.post('/v1/admin/user', somebody({ email }));
      const { user, password } = contentOf(made);
      const steps = [
        made,
        await trySignIn(t, { email, password: 'not the password' }),
        await trySignIn(t, { email, password }),
        await pspAdministrator.post(`/v1/admin/user/${user.userId}/disable`, { reason: 'left' }),
        await trySignIn(t, { email, password }),
        await pspAdministrator.post(`/v1/admin/user/${user.userId}/enable`, { reason: 'back' }),
        await pspAdministrator.post(`/v1/admin/user/${user.userId}/password`, { reason: 'forgotten' }),
        await pspAdministrator.post('/v1/admin/user', somebody({ email })),
      ];
      answers.push(steps.map((r) => `${r.status} ${plain(r.text).replace(/"(csrfToken)":"[^"]+"/g, '')}`).join('\n'));
    }
    expect(answers[0]).toBe(answers[2]);
    expect(answers[1]).toBe(answers[2]);
    const own = contentOf(await trySignIn(t, { email: staff, password: first.password }));
    expect([own.user.userId, own.account.accountId]).toEqual([first.user.userId, operator.id]);
  });

  it('finds people by the e-mail they sign in with, and only those that it may see', async () => {
    const email = 'found-by-e-mail@example.com';
    const ids = [
      (await create({ email, accountId: psp.id })).user.userId,
      (await create({ email, accountId: other.id })).user.userId,
    ];
    await create({ email: `x${email}` });
    const found = async (by: SignedIn, asked: string) =>
      contentOf(await by.get(`/v1/admin/user?email=${encodeURIComponent(asked)}`)).items.map(
        (u: { userId: string }) => u.userId,
      );
    expect(await found(administrator, ` ${email.toUpperCase()}`)).toEqual(ids.toReversed());
    expect(await found(pspAdministrator, email)).toEqual([ids[0]]);
    expect(await found(administrator, '%@example.com')).toEqual([]);
  });

  it('takes no longer for an e-mail of several accounts: their passwords are of one salt, however they were given', async () => {
    const email = `both-${++n}@example.com`;
    const salts = async () =>
      (
        await t.database.admin.query(
          "SELECT count(*) AS n, count(DISTINCT split_part(password_scrypt, '$', 5)) AS salts FROM users WHERE email = $1",
          [email],
        )
      ).map((r) => [Number(r.n), Number(r.salts)]);
    const one = await create({ email });
    const two = await create({ email }, pspAdministrator);
    expect(await salts()).toEqual([[2, 1]]);
    await administrator.post(`/v1/admin/user/${one.user.userId}/password`, { reason: 'forgotten' });
    expect(await salts()).toEqual([[2, 1]]);
    const session = await signIn(t, { email, password: two.password });
    const next = { currentPassword: two.password, newPassword: 'blue-tractor-kindly' };
    expect((await session.post('/v1/session/password', next)).status).toBe(200);
    expect(await salts()).toEqual([[2, 1]]);
  });

  it('has an account named where one e-mail has the same password at several', async () => {
    const [email, password] = [`same-${++n}@example.com`, 'blue-tractor-kindly'];
    for (const by of [administrator, pspAdministrator]) {
      const made = await create({ email }, by);
      const session = await signIn(t, { email, password: made.password });
      await session.post('/v1/session/password', { currentPassword: made.password, newPassword: password });
    }
    const at = async (accountId?: string) => {
      const r = await t.post('/v1/session', { email, password, ...(accountId ? { accountId } : {}) });
      return r.status === 200 ? r.body.content.account.accountId : r.status;
    };
    expect([await at(operator.id), await at(psp.id), await at(other.id), await at('nothing')]).toEqual([
      ...[operator.id, psp.id, 401, 401],
    ]);
  });

  it('names what is missing or wrong', async () => {
    const key = operator.apiKey;
    expectRefusal(await t.post('/v1/admin/user', {}, key), 400, 'FIELD_REQUIRED', "the field 'email' is required");
    for (const wrong of [{ email: 'no address' }, { role: 'owner' }, { name: '' }])
      expectRefusal(await t.post('/v1/admin/user', somebody(wrong), key), 400, 'FIELD_INVALID');
    const client = await t.makeClient(psp);
    // People of a client are administrators or members.
    expectRefusal(
      await t.post('/v1/admin/user', somebody({ accountId: client.id }), key),
      400,
      'FIELD_INVALID',
      /member/,
    );
    for (const accountId of ['psp_01h455vb4pex5vsknk084sn02q', 'none'])
      expectRefusal(await t.post('/v1/admin/user', somebody({ accountId }), key), 404, 'NOT_FOUND');
  });

  it('keeps a person out at once, and lets them in again', async () => {
    const person = await enter(t, operator, 'auditor');
    const path = `/v1/admin/user/${person.userId}`;
    expect((await person.get('/v1/admin/account')).status).toBe(200);
    expect(contentOf(await administrator.post(`${path}/disable`, { reason: 'left' })).state).toBe('DISABLED');
    expectRefusal(await person.get('/v1/admin/account'), 401, 'SESSION_INVALID');
    expectRefusal(await trySignIn(t, person), 401, 'SIGN_IN_FAILED');
    expect(contentOf(await administrator.post(`${path}/enable`, { reason: 'back' })).state).toBe('ACTIVE');
    expectRefusal(await person.get('/v1/admin/account'), 401, 'SESSION_INVALID');
    expect((await trySignIn(t, person)).status).toBe(200);
  });

  it('lifts a lock', async () => {
    const person = await enter(t, operator, 'auditor');
    for (let i = 0; i < 5; i++) await trySignIn(t, { ...person, password: 'wrong' });
    const path = `/v1/admin/user/${person.userId}`;
    // The last failure is counted beside its answer.
    const lockedUntil = await until('the lock is seen', async () => {
      const { items } = contentOf(await administrator.get('/v1/admin/user?limit=1'));
      return (items[0].lockedUntil as string | null) ?? undefined;
    });
    expect(lockedUntil).toBe(new Date(t.now() + 15 * 60_000).toISOString());
    expect(contentOf(await administrator.post(`${path}/enable`, { reason: 'it was me' })).lockedUntil).toBeNull();
    expect((await trySignIn(t, person)).status).toBe(200);
  });

  it('changes a role, in force at the next call', async () => {
    const person = await enter(t, operator, 'auditor');
    const ask = () => person.post('/v1/admin/psp', { name: 'Made', countryCode: 'NG' });
    expectRefusal(await ask(), 403, 'ROLE');
    const path = `/v1/admin/user/${person.userId}/role`;
    contentOf(await administrator.post(path, { role: 'administrator', reason: 'promoted' }));
    expect((await ask()).status).toBe(200);
  });

  it('gives a new one-time password, which ends the sessions', async () => {
    const person = await enter(t, operator, 'auditor');
    const path = `/v1/admin/user/${person.userId}/password`;
    const { password } = contentOf(await administrator.post(path, { reason: 'forgotten' }));
    expectRefusal(await person.get('/v1/session'), 401, 'SESSION_INVALID');
    expectRefusal(await trySignIn(t, person), 401, 'SIGN_IN_FAILED');
    const anew = await signIn(t, { email: person.email, password });
    expectRefusal(await anew.get('/v1/admin/account'), 403, 'PASSWORD_EXPIRED');
  });

  it('cannot keep themselves out', async () => {
    const path = `/v1/admin/user/${administrator.userId}`;
    for (const [verb, body] of [
      ['disable', {}],
      ['password', {}],
      ['role', { role: 'auditor' }],
    ] as const)
      expectRefusal(await administrator.post(`${path}/${verb}`, { reason: 'x', ...body }), 409, 'STATE_CONFLICT');
    expect((await administrator.get('/v1/session')).status).toBe(200);
  });

  it('of a PSP sees and reaches its own people only', async () => {
    const own = await create({}, pspAdministrator);
    expect(own.user.accountId).toBe(psp.id);
    const { items } = contentOf(await pspAdministrator.get('/v1/admin/user'));
    expect(new Set(items.map((u: { accountId: string }) => u.accountId))).toEqual(new Set([psp.id]));
    expectRefusal(await pspAdministrator.get(`/v1/admin/user?accountId=${operator.id}`), 404, 'NOT_FOUND');
    for (const [verb, body] of [
      ['disable', {}],
      ['enable', {}],
      ['password', {}],
      ['role', { role: 'auditor' }],
    ] as const) {
      const path = (id: string) => `/v1/admin/user/${id}/${verb}`;
      expectRefusal(
        await pspAdministrator.post(path(auditor.userId), { reason: 'x', ...body }),
        404,
        'NOT_FOUND',
        'not found, or not yours to see',
      );
    }
    for (const accountId of [operator.id, other.id])
      expectRefusal(await pspAdministrator.post('/v1/admin/user', somebody({ accountId })), 404, 'NOT_FOUND');
  });
});

describe('a role', () => {
  const filled = (path: string) => path.replace(/:\w+/g, 'none');
  const keyed = operations.filter((o) => o.access === undefined && o.audience.includes('operator'));
  const call = (who: SignedIn, o: (typeof operations)[number]) =>
    o.method === 'GET' ? who.get(filled(o.path)) : who.post(filled(o.path), {});

  it.each(keyed.map((o) => [o.id, o] as const))(
    '%s is refused to whom it is not given, and open to the rest',
    async (_id, o) => {
      const allowed = o.roles ?? (o.method === 'GET' ? roles : ['administrator']);
      for (const [role, who] of [
        ['administrator', administrator],
        ['auditor', auditor],
      ] as const) {
        t.advance(1000);
        const r = await call(who, o);
        if (allowed.includes(role)) expect([role, r.headers.get('x-error-code')]).not.toEqual([role, 'ROLE']);
        else expectRefusal(r, 403, 'ROLE', new RegExp(`^${o.id} is for the role .*; yours is auditor$`));
      }
    },
  );

  it('of an auditor looks at everything, changes nothing, and may have reports made', async () => {
    const eyes = { 'x-psp-id': psp.id };
    const before = await t.database.admin.query('SELECT count(*) AS n FROM transactions');
    const sale = operations.find((o) => o.id === 'verifyTransaction')?.example;
    expectRefusal(await auditor.post('/v1/transaction/verifyTransaction', sale, eyes), 403, 'ROLE');
    expect(await t.database.admin.query('SELECT count(*) AS n FROM transactions')).toEqual(before);
    expect((await auditor.get('/v1/transaction', eyes)).status).toBe(200);
    expect((await auditor.post('/v1/report', { kind: 'chargebacks', period: '2026-10' }, eyes)).status).toBe(200);
  });

  it('of a key is that of an administrator', async () => {
    expect((await t.post('/v1/admin/psp', { name: 'By key', countryCode: 'NG' }, operator.apiKey)).status).toBe(200);
  });
});

describe('the eyes of a PSP', () => {
  const sale = (ref: string) => ({
    ref,
    totalAmount: 107.5,
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: { card: 107.5 },
    transactionFee: 0,
  });
  const path = '/v1/transaction/verifyTransaction';

  it('show staff exactly what the PSP sees, with a key and with a session', async () => {
    contentOf(await t.post(path, sale('seen-1'), psp.apiKey));
    const seen = contentOf(await t.get('/v1/transaction', psp.apiKey));
    expect(contentOf(await auditor.get('/v1/transaction', { 'x-psp-id': psp.id }))).toEqual(seen);
    expect(contentOf(await t.get('/v1/transaction', operator.apiKey, { 'x-psp-id': psp.id }))).toEqual(seen);
    expect(contentOf(await auditor.get('/v1/transaction', { 'x-psp-id': other.id })).items).toEqual([]);
  });

  it('are narrowed to a client of the PSP by x-client-id', async () => {
    const client = await t.makeClient(psp);
    contentOf(await t.post(path, sale('seen-2'), client.apiKey));
    const eyes = { 'x-psp-id': psp.id, 'x-client-id': client.id };
    const { items } = contentOf(await auditor.get('/v1/transaction', eyes));
    expect(items.map((x: { ref: string }) => x.ref)).toEqual(['seen-2']);
    expectRefusal(
      await auditor.get('/v1/transaction', { ...eyes, 'x-psp-id': other.id }),
      404,
      'NOT_FOUND',
      'not found, or not yours to see',
    );
  });

  it('record for the PSP, and the journal names the person and their account', async () => {
    const { transactionId } = contentOf(await administrator.post(path, sale('by-staff'), { 'x-psp-id': psp.id }));
    const [entry] = await told(t, transactionId);
    expect(entry?.body).toMatchObject({
      clientId: psp.id,
      actor: { account: operator.id, by: administrator.userId },
    });
    expect(contentOf(await t.get(`/v1/transaction/${transactionId}`, psp.apiKey)).ref).toBe('by-staff');
  });

  it('are for staff: no key or person of a PSP or client has them, not even for their own', async () => {
    const client = await t.makeClient(psp);
    for (const { apiKey } of [psp, client])
      for (const { id } of [psp, other])
        expectRefusal(
          await t.get('/v1/transaction', apiKey, { 'x-psp-id': id }),
          403,
          'AUDIENCE',
          'the header x-psp-id is for staff only',
        );
    expectRefusal(await pspAdministrator.get('/v1/transaction', { 'x-psp-id': other.id }), 403, 'AUDIENCE');
  });

  it('are of a PSP that exists, and for what PSPs do', async () => {
    const client = await t.makeClient(psp);
    for (const id of ['psp_01h455vb4pex5vsknk084sn02q', operator.id, client.id, 'x', ''])
      expectRefusal(
        await auditor.get('/v1/transaction', { 'x-psp-id': id }),
        404,
        'NOT_FOUND',
        'not found, or not yours to see',
      );
    expectRefusal(
      await administrator.get('/v1/admin/account', { 'x-psp-id': psp.id }),
      403,
      'AUDIENCE',
      'the header x-psp-id does not go with listAccounts',
    );
    expectRefusal(await auditor.get('/v1/session', { 'x-psp-id': psp.id }), 403, 'AUDIENCE');
    expectRefusal(await auditor.get('/v1/transaction'), 403, 'AUDIENCE', /name the PSP by the header x-psp-id$/);
  });
});

describe('the first start', () => {
  it('makes one administrator where nobody signs in, though two processes start at once', async () => {
    const one = await makeTestApp();
    try {
      const s = one.app.services;
      const made = await Promise.all([firstAdministrator(s), firstAdministrator(s)]);
      const [administratorMade, ...more] = made.filter((m) => m !== undefined);
      expect(more).toEqual([]);
      expect(administratorMade).toEqual({ email: 'admin@localhost', password: expect.stringMatching(/^[\w-]{24}$/) });
      const first = await signIn(one, administratorMade as Person);
      expectRefusal(await first.get('/v1/admin/account'), 403, 'PASSWORD_EXPIRED');
      expect((await first.get('/v1/session')).body.content).toMatchObject({
        user: { role: 'administrator', mustChangePassword: true },
        account: { kind: 'operator', name: 'Staff' },
      });
      expect(await firstAdministrator(s)).toBeUndefined();
      // Nobody has a key of the staff's account until one is issued.
      const keys = await one.database.admin.query('SELECT 1 FROM api_keys');
      expect(keys).toEqual([]);
      await expectJournalComplete(one);
    } finally {
      await one.stop();
    }
  });

  it('leaves sessions long past to be forgotten, and the journal to remember', async () => {
    const one = await makeTestApp();
    try {
      const person = await enter(one, await one.makeOperator(), 'auditor');
      const { services: s } = one.app;
      one.advance(30 * 86_400_000);
      await clearPast(s);
      expect(await rowCount(one, 'sessions')).toBe(1);
      one.advance(86_400_000);
      await clearPast(s);
      expect(await rowCount(one, 'sessions')).toBe(0);
      expect((await told(one, person.userId)).map((e) => e.kind)).toEqual(['user.created', 'user.signed_in']);
    } finally {
      await one.stop();
    }
  });
});

describe('what is told', () => {
  it('is every change with who made it and why, and neither e-mail nor name in clear', async () => {
    const made = await create();
    const path = `/v1/admin/user/${made.user.userId}`;
    await administrator.post(`${path}/role`, { role: 'auditor', reason: 'less to do' });
    await administrator.post(`${path}/disable`, { reason: 'left' });
    await administrator.post(`${path}/disable`, { reason: 'left again' });
    await t.post(`${path}/enable`, { reason: 'back' }, operator.apiKey);
    await administrator.post(`${path}/password`, { reason: 'forgotten' });
    const entries = await told(t, made.user.userId);
    const key = `key_${operator.apiKey.split('_')[1]}`;
    expect(entries.map((e) => [e.kind, e.body.actor, e.body.evidence?.reason])).toEqual(
      (
        [
          ['user.created', administrator.userId, undefined],
          ['user.updated', administrator.userId, 'less to do'],
          ['user.updated', administrator.userId, 'left'],
          ['user.updated', key, 'back'],
          ['user.password_changed', administrator.userId, 'forgotten'],
        ] as const
      ).map(([kind, by, reason]) => [kind, { account: operator.id, by }, reason]),
    );
    const text = entries.map((e) => e.text).join();
    for (const canary of [made.user.email, made.user.name, made.password]) expect(text).not.toContain(canary);
    expect(entries[0]?.body.sealed).toMatch(/^p2\./);
    await expectJournalComplete(t);
  });

  it('names the person in whatever else they do', async () => {
    const { pspId } = contentOf(await administrator.post('/v1/admin/psp', { name: 'Told', countryCode: 'NG' }));
    const entries = await told(t, pspId);
    expect(entries.map((e) => e.body.actor)).toEqual([{ account: operator.id, by: administrator.userId }]);
  });
});
