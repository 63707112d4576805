// Tests of guarantees that the four deposits and withdrawals share, grouped like their test files.
import { expect, it } from 'vitest';
import { FeeSchedule } from '../../src/core/fee.ts';
import type { Account } from './app.ts';
import { contentOf, expectRefusal, put, send, setStanding, type Wire } from './guarantees.ts';
import { entryCount, expectJournalComplete, rowCount, told } from './journal.ts';

export interface MovementWire extends Wire {
  readonly operationId: string;
  /** First words of the messages, as in "crypto deposit approved". */
  readonly noun: string;
  readonly psp: () => Account;
  readonly body: () => Record<string, unknown>;
}

/** Returns the transaction as verifyTransactionStatus shows it. */
export async function shown(w: MovementWire, transactionId: string, expand = '') {
  const path = `/v1/transaction/verifyTransactionStatus?transactionId=${transactionId}${expand && `&expand=${expand}`}`;
  return contentOf(await w.app().get(path, w.psp().apiKey));
}

export function acceptsMovement(w: MovementWire): void {
  it('answers with exactly the fields of the specification, in its order', async () => {
    const body = w.body();
    const r = await send(w, w.caller().apiKey, body);
    const c = contentOf(r);
    expect(Object.keys(c)).toEqual(['transactionId', 'vatAmount', 'processingFee', 'netAmount', 'status', 'ref']);
    expect(c).toMatchObject({ status: 'APPROVED', ref: body.ref });
    expect(c.transactionId).toMatch(/^txn_[0-9a-z]{26}$/);
    expect(r.body.message).toBe(`${w.noun} approved`);
  });

  it('takes a customer with only an e-mail, and one with name and phone', async () => {
    for (const customer of [
      { email: 'ada@example.com' },
      { email: 'ada@example.com', name: 'Ada Obi', phoneNumber: '+2348030000002' },
    ]) {
      const { transactionId } = contentOf(await send(w, w.caller().apiKey, { ...w.body(), customer }));
      expect((await shown(w, transactionId, 'customer')).customer.customer).toEqual(customer);
    }
  });

  it('shows the customer only when asked', async () => {
    const { transactionId } = contentOf(await send(w, w.caller().apiKey));
    const plain = await shown(w, transactionId);
    expect(plain.customer).toBeUndefined();
    expect(JSON.stringify(plain)).not.toContain('@');
  });

  it('declines for a client of unacceptable standing as a result with its reason, split included', async () => {
    const t = w.app();
    const someone = await t.makeClient(w.psp());
    await setStanding(t, someone, { operationalStanding: 'SUSPENDED' });
    const r = await send(w, someone.apiKey);
    const c = contentOf(r);
    expect(c.status).toBe('DECLINED');
    expect(c.netAmount).toEqual(expect.any(Number));
    expect(r.body.message).toBe(`${w.noun} declined: the client is suspended`);
    expect(await shown(w, c.transactionId)).toMatchObject({
      type: w.operationId,
      status: 'DECLINED',
      reason: 'the client is suspended',
    });
  });

  it("concerns the PSP's own account without x-client-id, and the named client with it", async () => {
    const psp = w.psp();
    const own = contentOf(await send(w, psp.apiKey));
    expect(await shown(w, own.transactionId)).toMatchObject({ clientId: psp.id, recordedBy: psp.id });
    const named = contentOf(await send(w, psp.apiKey, w.body(), { 'x-client-id': w.caller().id }));
    expect(await shown(w, named.transactionId)).toMatchObject({ clientId: w.caller().id, recordedBy: psp.id });
  });
}

export function validatesMovement(w: MovementWire): void {
  it.each([
    ['totalAmount', '0', "the field 'totalAmount' must be greater than zero"],
    ['totalAmount', '-1', "the field 'totalAmount' must be greater than zero"],
    ['transactionFee', '-1', "the field 'transactionFee' must be zero or more"],
    ['totalAmount', `1${'0'.repeat(38)}`, "the field 'totalAmount' must have at most 38 digits"],
    ['transactionFee', '1e-39', "the field 'transactionFee' must have at most 38 digits"],
  ])('refuses %s of %s', async (field, value, message) => {
    const text = JSON.stringify(put(w.body(), field, '@')).replace('"@"', value);
    expectRefusal(await w.app().post(w.path, text, w.caller().apiKey), 400, 'FIELD_INVALID', message);
  });

  it.each(['plain', '@example.com', 'ada@', 'a@b@c', 'ada obi@example.com', '<ada@example.com>'])(
    "refuses '%s' as an e-mail address",
    async (email) => {
      expectRefusal(
        await send(w, w.caller().apiKey, put(w.body(), 'customer.email', email)),
        400,
        'FIELD_INVALID',
        "the field 'customer.email' must be an e-mail address",
      );
    },
  );

  it('names fields of the customer it does not know', async () => {
    const r = await send(w, w.caller().apiKey, put(w.body(), 'customer.phone', '1'));
    contentOf(r);
    expect(r.headers.get('x-ignored-fields')).toBe('customer.phone');
  });

  it('refuses unknown countries, unknown currencies and a country without a tax rule', async () => {
    expectRefusal(await send(w, w.caller().apiKey, { ...w.body(), countryCode: 'ZZ' }), 400, 'UNKNOWN_COUNTRY');
    expectRefusal(await send(w, w.caller().apiKey, { ...w.body(), currency: 'NOSUCH' }), 400, 'UNKNOWN_CURRENCY');
    expectRefusal(
      await send(w, w.caller().apiKey, { ...w.body(), countryCode: 'PRK' }),
      400,
      'NO_TAX_RULE',
      /^no tax rule for country 'KP' on \d{4}-\d\d-\d\d; an operator of the service can add one$/,
    );
  });

  it('refuses an amount below its own taxes and fees, and records nothing', async () => {
    const t = w.app();
    const before = [await entryCount(t), await rowCount(t, 'refs')];
    const body = { ...w.body(), totalAmount: 1, transactionFee: 1 };
    expectRefusal(await send(w, w.caller().apiKey, body), 400, 'SPLIT_NEGATIVE', /^the field 'totalAmount' is less/);
    expect([await entryCount(t), await rowCount(t, 'refs')]).toEqual(before);
  });
}

/** @param changes one change for each field of the body except `ref` */
export function repeatsMovement(w: MovementWire, changes: Readonly<Record<string, unknown>>): void {
  it('answers an equal body with the identical reply, marked as a repetition, and records nothing new', async () => {
    const t = w.app();
    const body = w.body();
    const first = await send(w, w.caller().apiKey, body);
    contentOf(first);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const before = await entryCount(t);
    t.advance(86_400_000);
    const again = await send(w, w.caller().apiKey, Object.fromEntries(Object.entries(body).reverse()));
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await entryCount(t)).toBe(before);
  });

  it.each(Object.keys(changes))("refuses the same ref with another '%s', naming it", async (field) => {
    const body = w.body();
    const { transactionId } = contentOf(await send(w, w.caller().apiKey, body));
    const top = field.split('.')[0];
    expectRefusal(
      await send(w, w.caller().apiKey, put(body, field, changes[field])),
      409,
      'REF_CONFLICT',
      `the ref '${body.ref}' was used before with another '${top}'`,
    );
    expect((await shown(w, transactionId)).revision).toBe(1);
  });

  it('names the first of several fields that differ', async () => {
    const body = w.body();
    contentOf(await send(w, w.caller().apiKey, body));
    let other = body;
    for (const [field, value] of Object.entries(changes)) other = put(other, field, value);
    expectRefusal(
      await send(w, w.caller().apiKey, other),
      409,
      'REF_CONFLICT',
      `the ref '${body.ref}' was used before with another '${Object.keys(changes)[0]}'`,
    );
  });

  it('refuses a ref that another operation used before', async () => {
    const t = w.app();
    const body = w.body();
    contentOf(
      await t.post(
        '/v1/transaction/verifyTransaction',
        {
          ref: body.ref,
          totalAmount: 100,
          currency: 'NGN',
          countryCode: 'NG',
          paymentMethods: { card: 100 },
          transactionFee: 0,
        },
        w.caller().apiKey,
      ),
    );
    expectRefusal(
      await send(w, w.caller().apiKey, body),
      409,
      'REF_CONFLICT',
      `the ref '${body.ref}' was used before by verifyTransaction`,
    );
  });

  it('gives the same answer whatever the standing became since: only verifyTransaction decides again', async () => {
    const t = w.app();
    const someone = await t.makeClient(w.psp());
    const [early, late] = [w.body(), w.body()];
    const approved = await send(w, someone.apiKey, early);
    expect(contentOf(approved).status).toBe('APPROVED');
    await setStanding(t, someone, { operationalStanding: 'SUSPENDED' });
    expect((await send(w, someone.apiKey, early)).text).toBe(approved.text);
    const declined = await send(w, someone.apiKey, late);
    expect(contentOf(declined).status).toBe('DECLINED');
    await setStanding(t, someone, { operationalStanding: 'ACTIVE' });
    expect((await send(w, someone.apiKey, late)).text).toBe(declined.text);
  });

  it('repeats the answer even where the rules of today would refuse the body', async () => {
    const { rates } = w.app().app.services;
    const body = w.body();
    const first = await send(w, w.caller().apiKey, body);
    contentOf(first);
    const { fees } = rates;
    try {
      rates.fees = new FeeSchedule([]);
      expectRefusal(await send(w, w.caller().apiKey), 400, 'NO_FEE_RULE');
      expect((await send(w, w.caller().apiKey, body)).text).toBe(first.text);
    } finally {
      rates.fees = fees;
    }
  });

  it('stays declined once the PSP declined it, however often it is sent again', async () => {
    const t = w.app();
    const body = w.body();
    const { transactionId } = contentOf(await send(w, w.caller().apiKey, body));
    contentOf(await t.post('/v1/transaction/declineTransaction', { ref: body.ref }, w.caller().apiKey));
    expect(contentOf(await send(w, w.caller().apiKey, body))).toMatchObject({ transactionId, status: 'DECLINED' });
    expect((await shown(w, transactionId)).status).toBe('DECLINED');
  });

  it('repeats the answer after a chargeback and refuses a changed body', async () => {
    const t = w.app();
    const body = w.body();
    const first = await send(w, w.caller().apiKey, body);
    contentOf(await t.post('/v1/transaction/chargeBack', { ref: body.ref }, w.psp().apiKey));
    expect((await send(w, w.caller().apiKey, body)).text).toBe(first.text);
    expect((await send(w, w.caller().apiKey, { ...body, transactionFee: 0.5 })).status).toBe(409);
  });

  it('records twenty concurrent equal requests once', async () => {
    const t = w.app();
    const body = w.body();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(w, w.caller().apiKey, body)));
    expect(new Set(answers.map((r) => r.text)).size).toBe(1);
    expect(answers.filter((r) => r.headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(await rowCount(t, 'transactions', 'ref = $1', [body.ref])).toBe(1);
  });

  it('lets one of two concurrent different bodies have the ref', async () => {
    const body = w.body();
    const answers = await Promise.all([
      send(w, w.caller().apiKey, body),
      send(w, w.caller().apiKey, { ...body, transactionFee: 0.5 }),
    ]);
    expect(answers.map((r) => r.status).sort()).toEqual([200, 409]);
  });

  it('keeps refs of different accounts apart', async () => {
    const t = w.app();
    const other = await t.makeClient(w.psp());
    const body = w.body();
    const one = contentOf(await send(w, w.caller().apiKey, body));
    const two = contentOf(await send(w, other.apiKey, { ...body, transactionFee: 0.5 }));
    expect(one.transactionId).not.toBe(two.transactionId);
  });
}

/** @param secrets returns parts of the body that must not be in the journal in clear text */
export function tellsMovement(w: MovementWire, secrets: (body: Record<string, unknown>) => string[]): void {
  it('writes one entry with the exact resource and the personal data sealed', async () => {
    const t = w.app();
    const body = w.body();
    const { transactionId } = contentOf(await send(w, w.psp().apiKey, body, { 'x-client-id': w.caller().id }));
    const entries = await told(t, transactionId);
    expect(entries.map((e) => e.kind)).toEqual(['transaction.created']);
    const { data, ...entry } = entries[0]?.body ?? {};
    // Whether it is reviewed comes later than the entry.
    expect({ ...data, review: null }).toEqual(await shown(w, transactionId));
    expect(entry).toMatchObject({
      type: 'transaction.created',
      event: 'New Transaction',
      clientId: w.caller().id,
      version: 1,
      timestamp: new Date(t.now()).toISOString(),
      actor: { account: w.psp().id, by: expect.stringMatching(/^key_/) },
      evidence: { tax: expect.any(Array), fee: expect.any(String) },
      sealed: expect.any(String),
      subject: expect.any(String),
    });
    for (const s of secrets(body)) expect(entries[0]?.text).not.toContain(s);
  });

  it('knows the same customer by the same subject, and others by others', async () => {
    const t = w.app();
    const subjectOf = async (email: string) => {
      const { transactionId } = contentOf(await send(w, w.caller().apiKey, put(w.body(), 'customer', { email })));
      return (await told(t, transactionId))[0]?.body.subject;
    };
    const ada = await subjectOf('ada.one@example.com');
    expect(await subjectOf('Ada.One@Example.com')).toBe(ada);
    expect(await subjectOf('ada.two@example.com')).not.toBe(ada);
  });

  it('keeps records and journal one to one, numbered without gaps', async () => {
    const t = w.app();
    await Promise.all(Array.from({ length: 10 }, () => send(w, w.caller().apiKey)));
    await expectJournalComplete(t);
  });
}
