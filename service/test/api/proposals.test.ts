// Proposals of rate changes: one person proposes, another approves, and only then do the rates apply.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, issueKey, limitsText, refusesWrongTypes, type Wire } from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, rowCount, told } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
/** Two people of the operator. */
let one: string;
let two: string;
let staff: Account;
let n = 0;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  staff = await t.makeOperator();
  one = staff.apiKey;
  two = (await issueKey(t, staff)).apiKey;
});
afterAll(() => t?.stop());

/** Each in a year of its own: rows for the same calls must not overlap. */
const fee = (over: object = {}) => ({
  feeId: `PROPOSED-${++n}`,
  percent: '2',
  validFrom: `${2100 + n}-01-01`,
  validTo: `${2101 + n}-01-01`,
  ...over,
});
function nigeria(rate: string): { rules: { ruleId: string; rate: string }[] } {
  const country = JSON.parse(readFileSync(new URL('../../data/tax/NG.json', import.meta.url), 'utf8'));
  for (const r of country.rules) if (r.ruleId === 'NG-VAT-STANDARD-2026') r.rate = rate;
  return country;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;
const propose = async (body: object, key = one): Promise<Shown> =>
  contentOf(await t.post('/v1/admin/proposal', { reason: 'contract', ...body }, key));
const decide = (p: Shown, act: 'approve' | 'reject', key = two, body: object = { reason: 'checked' }) =>
  t.post(`/v1/admin/proposal/${p.proposalId}/${act}`, body, key);
const detail = async (p: Shown): Promise<Shown> => contentOf(await t.get(`/v1/admin/proposal/${p.proposalId}`, one));
const feeIds = async (): Promise<string[]> =>
  contentOf(await t.get('/v1/admin/fee', one)).items.map((f: Shown) => f.feeId);
const vat = async (): Promise<number> => {
  const sale = { ref: `s${++n}`, totalAmount: 1000, paymentMethods: {}, currency: 'NGN', countryCode: 'NG' };
  const r = await t.post('/v1/transaction/verifyTransaction', { ...sale, transactionFee: 0 }, client.apiKey);
  return contentOf(r).vatAmount;
};

describe('openProposal', () => {
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    path: '/v1/admin/proposal',
    caller: () => staff,
    body: () => ({ reason: 'contract', fee: fee() }),
  };

  it('accepts a fee row, and changes nothing', async () => {
    const asked = fee({ pspId: psp.id, countries: ['NGA'] });
    const p = await propose({ fee: asked });
    expect(p).toEqual({
      proposalId: expect.stringMatching(/^prp_/),
      kind: 'FEE',
      subject: asked.feeId,
      reason: 'contract',
      state: 'OPEN',
      account: staff.id,
      proposedBy: expect.stringMatching(/^key_/),
      decidedBy: null,
      decisionReason: null,
      version: 1,
      createdAt: new Date(t.now()).toISOString(),
      updatedAt: new Date(t.now()).toISOString(),
    });
    expect(await feeIds()).not.toContain(asked.feeId);
    expect(await detail(p)).toMatchObject({ proposed: { feeId: asked.feeId, countries: ['NG'] }, inForce: null });
  });

  it('accepts a country, and shows what it would supersede', async () => {
    const before = await vat();
    const p = await propose({ country: nigeria('12') });
    expect(p).toMatchObject({ kind: 'TAX', subject: 'NG' });
    const { proposed, inForce } = await detail(p);
    const rateOf = (c: Shown) => c.rules.find((r: Shown) => r.ruleId === 'NG-VAT-STANDARD-2026').rate;
    expect([rateOf(proposed), rateOf(inForce)]).toEqual(['12', rateOf(nigeria(rateOf(inForce)))]);
    expect(rateOf(inForce)).not.toBe('12');
    expect(await vat()).toBe(before);
    contentOf(await decide(p, 'reject'));
  });

  it('shows what it superseded once it is approved, also after the next one', async () => {
    const rateOf = (c: Shown) => c.rules.find((r: Shown) => r.ruleId === 'NG-VAT-STANDARD-2026').rate;
    const sides = async (p: Shown) => {
      const { proposed, inForce } = await detail(p);
      return [rateOf(inForce), rateOf(proposed)];
    };
    const made: Shown[] = [];
    // A rate that comes back superseded another one each time.
    for (const rate of ['11', '13', '11', '14', '13']) {
      const p = await propose({ country: nigeria(rate) });
      const shown = await sides(p);
      contentOf(await decide(p, 'approve'));
      made.push({ p, shown });
    }
    expect(made.slice(1).map((m) => m.shown)).toEqual([
      ['11', '13'],
      ['13', '11'],
      ['11', '14'],
      ['14', '13'],
    ]);
    for (const { p, shown } of made) expect(await sides(p)).toEqual(shown);
    contentOf(await decide(await propose({ country: nigeria(made[0].shown[0]) }), 'approve'));
    for (const { p, shown } of made) expect(await sides(p)).toEqual(shown);
  });

  it('validates', async () => {
    expectRefusal(
      await t.post('/v1/admin/proposal', { reason: 'x' }, one),
      400,
      'FIELD_INVALID',
      "a proposal has one of the fields 'country', 'fee', 'feeEnd', 'correction', 'risk', 'level', 'operator', 'operatorKey', 'authority' and 'erasure'",
    );
    expectRefusal(
      await t.post('/v1/admin/proposal', { reason: 'x', fee: fee(), country: nigeria('9') }, one),
      400,
      'FIELD_INVALID',
    );
    const wrong = nigeria('nine');
    expectRefusal(await t.post('/v1/admin/proposal', { reason: 'x', country: wrong }, one), 400, 'RATES_INVALID');
    expectRefusal(
      await t.post('/v1/admin/proposal', { reason: 'x', fee: fee({ percent: '200' }) }, one),
      400,
      'RATES_INVALID',
    );
    expectRefusal(
      await t.post('/v1/admin/proposal', { reason: 'x', fee: fee({ pspId: client.id }) }, one),
      404,
      'NOT_FOUND',
    );
    expectRefusal(
      await t.post('/v1/admin/proposal', { fee: fee() }, one),
      400,
      'FIELD_REQUIRED',
      "the field 'reason' is required",
    );
  });
  refusesWrongTypes(wire, { text: ['reason', 'fee.percent'], object: ['fee'] });
  limitsText(wire, { reason: 500 });

  it('authenticates, and authorises operators alone', async () => {
    expectRefusal(await t.post('/v1/admin/proposal', { reason: 'x', fee: fee() }), 401, 'KEY_MISSING');
    for (const key of [psp.apiKey, client.apiKey])
      expectRefusal(await t.post('/v1/admin/proposal', { reason: 'x', fee: fee() }, key), 403, 'AUDIENCE');
  });

  it('repeats the same proposal, and takes one at a time about one thing', async () => {
    const asked = { fee: fee() };
    const p = await propose(asked);
    const before = await entryCount(t);
    const again = await t.post('/v1/admin/proposal', { reason: 'contract', ...asked }, one);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(contentOf(again)).toEqual(p);
    for (const [body, key] of [
      [{ reason: 'other', ...asked }, one],
      [{ reason: 'contract', ...asked }, two],
      [{ reason: 'contract', fee: { ...asked.fee, percent: '3' } }, one],
    ] as const)
      expectRefusal(
        await t.post('/v1/admin/proposal', body, key),
        409,
        'STATE_CONFLICT',
        `${p.subject} has an open proposal: ${p.proposalId}; approve or reject it first`,
      );
    expect(await entryCount(t)).toBe(before);
    contentOf(await decide(p, 'reject'));
    expect((await propose(asked)).proposalId).not.toBe(p.proposalId);
  });

  it('tells', async () => {
    const p = await propose({ fee: fee() });
    const [entry] = await told(t, p.proposalId);
    expect(entry).toMatchObject({
      kind: 'proposal.opened',
      body: { actor: { account: staff.id, by: p.proposedBy }, data: p, evidence: { reason: 'contract' } },
    });
    expect(entry?.body.evidence.content.feeId).toBe(p.subject);
  });
});

describe('approveProposal', () => {
  it('accepts the word of another person, and the rates are in force', async () => {
    const p = await propose({ fee: fee({ pspId: psp.id, percent: '1.25' }) });
    const approved = contentOf(await decide(p, 'approve', two, {}));
    expect(approved).toMatchObject({ state: 'APPROVED', version: 2, decisionReason: null, decidedBy: /^/ });
    expect(approved.decidedBy).not.toBe(p.proposedBy);
    expect(await feeIds()).toContain(p.subject);

    const before = await vat();
    const country = await propose({ country: nigeria('15') });
    contentOf(await decide(country, 'approve'));
    expect(await vat()).toBeGreaterThan(before);
    expect(await vat()).toBe(130.43);
  });

  it('refuses the person who asked, who may take it back', async () => {
    const p = await propose({ fee: fee() });
    expectRefusal(
      await decide(p, 'approve', one),
      409,
      'STATE_CONFLICT',
      'a proposal is approved by another person than the one who made it',
    );
    expect(await feeIds()).not.toContain(p.subject);
    expect(contentOf(await decide(p, 'reject', one)).state).toBe('REJECTED');
  });

  it('is not given for what a key proposed that was revoked since', async () => {
    const leaked = await issueKey(t, staff);
    const p = await propose({ fee: fee() }, leaked.apiKey);
    contentOf(await t.post(`/v1/admin/key/${leaked.keyId}/revoke`, { reason: 'leaked' }, one));
    expectRefusal(await decide(p, 'approve'), 409, 'STATE_CONFLICT', /key .* was revoked since/);
    expect(await feeIds()).not.toContain(p.subject);
    contentOf(await decide(p, 'reject'));
  });

  it('checks it again against what is in force by then', async () => {
    const asked = fee();
    const p = await propose({ fee: asked });
    contentOf(await t.post('/v1/admin/fee', { ...asked, reason: 'at once' }, one));
    expectRefusal(await decide(p, 'approve'), 400, 'RATES_INVALID');
    expect((await detail(p)).state).toBe('OPEN');
    contentOf(await decide(p, 'reject'));
  });

  it('is decided once, however many decide at once', async () => {
    const p = await propose({ fee: fee() });
    const three = (await issueKey(t, staff)).apiKey;
    const answers = await Promise.all([
      decide(p, 'approve', two),
      decide(p, 'approve', three),
      decide(p, 'reject', three),
      decide(p, 'reject', one),
    ]);
    expect(answers.filter((r) => r.status === 200)).toHaveLength(1);
    for (const r of answers.filter((a) => a.status !== 200))
      expect(r.headers.get('x-error-code')).toMatch(/STATE_CONFLICT|RATES_INVALID/);
    const { state } = await detail(p);
    expect((await feeIds()).includes(p.subject)).toBe(state === 'APPROVED');
    expect(await rowCount(t, 'fee_rules', 'fee_id = $1', [p.subject])).toBe(state === 'APPROVED' ? 1 : 0);
  });
});

describe.each([
  ['approve', 'APPROVED', 'REJECTED'],
  ['reject', 'REJECTED', 'APPROVED'],
] as const)('a proposal: %s', (act, state, other) => {
  it('validates', async () => {
    const p = await propose({ fee: fee() });
    expectRefusal(await decide(p, act, two, { reason: ' ' }), 400, 'FIELD_INVALID');
    expectRefusal(await decide({ proposalId: 'x' }, act), 404, 'NOT_FOUND');
    expectRefusal(await decide({ proposalId: 'prp_01h455vb4pex5vsknk084sn02q' }, act), 404, 'NOT_FOUND');
  });

  it('authenticates and authorises', async () => {
    const p = await propose({ fee: fee() });
    expectRefusal(await t.post(`/v1/admin/proposal/${p.proposalId}/${act}`, { reason: 'x' }), 401, 'KEY_MISSING');
    expectRefusal(await decide(p, act, client.apiKey), 403, 'AUDIENCE');
    // A PSP decides its own erasures, and learns of nothing else.
    expectRefusal(await decide(p, act, psp.apiKey), 404, 'NOT_FOUND');
    expect((await detail(p)).state).toBe('OPEN');
    const elsewhere = await t.makeOperator();
    expect(contentOf(await decide(p, act, elsewhere.apiKey)).state).toBe(state);
  });

  it('repeats its answer to whoever decided, and refuses the opposite', async () => {
    const p = await propose({ fee: fee() });
    const first = contentOf(await decide(p, act));
    const before = await entryCount(t);
    const again = await decide(p, act);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(contentOf(again)).toEqual(first);
    const opposite = act === 'approve' ? 'reject' : 'approve';
    expectRefusal(await decide(p, opposite), 409, 'STATE_CONFLICT', new RegExp(`^the proposal is ${state}: `));
    expect((await detail(p)).state).not.toBe(other);
    expect(await entryCount(t)).toBe(before);
  });

  it('tells', async () => {
    const p = await propose({ fee: fee() });
    const before = await entryCount(t);
    const after = contentOf(await decide(p, act));
    expect((await told(t, p.proposalId)).at(-1)).toMatchObject({
      kind: 'proposal.decided',
      body: {
        version: 2,
        data: after,
        actor: { account: staff.id, by: after.decidedBy },
        evidence: { reason: 'checked' },
      },
    });
    expect(await entryCount(t)).toBe(before + (act === 'approve' ? 2 : 1));
    if (act === 'approve') {
      const [changed] = contentOf(await t.get('/v1/journal?kind=rates.changed&limit=1&expand=data', one)).items;
      expect(changed).toMatchObject({
        reason: 'contract',
        data: { fee: { feeId: p.subject } },
        evidence: { proposalId: p.proposalId, proposedBy: p.proposedBy },
      });
    }
  });
});

describe('listProposals', () => {
  it('lists newest first, by state and kind, and to a PSP none of them', async () => {
    const open = await propose({ fee: fee() });
    const items = contentOf(await t.get('/v1/admin/proposal?state=OPEN&kind=FEE&limit=200', two)).items;
    expect(items[0]).toEqual(open);
    expect(contentOf(await t.get('/v1/admin/proposal?state=OPEN&kind=TAX', two)).items).toEqual([]);
    const page = contentOf(await t.get('/v1/admin/proposal?limit=1', two));
    const next = contentOf(await t.get(`/v1/admin/proposal?limit=1&cursor=${page.nextCursor}`, two)).items;
    expect(page.items[0].proposalId > next[0].proposalId).toBe(true);
    expect(contentOf(await t.get('/v1/overview', one)).attention.openProposals).toBe(items.length);
    expect(contentOf(await t.get('/v1/admin/proposal', psp.apiKey)).items).toEqual([]);
    expectRefusal(await t.get(`/v1/admin/proposal/${open.proposalId}`, psp.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await t.get(`/v1/admin/proposal/${open.proposalId}`, client.apiKey), 403, 'AUDIENCE');
    expectRefusal(await t.get('/v1/admin/proposal/x', one), 404, 'NOT_FOUND');
    expectRefusal(await t.get('/v1/admin/proposal?state=GONE', one), 400, 'QUERY_INVALID');
  });
});

describe('the journal', () => {
  it('tells of every proposal', async () => {
    await expectJournalComplete(t);
  });
});
