// Observations about identifiers are stored with the record, journalled and shown. They never refuse a request and
// never contain a personal value in clear text.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, setStanding } from '../support/guarantees.ts';
import { expectJournalComplete, rowCount, told, uuidOf } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp('Nairobi Pay', 'KE');
  client = await t.makeClient(psp, {
    classification: 'IGAMING_LOCAL',
    countryCode: 'KE',
    phoneNumber: '+254700000001',
    organizationTin: 'P051365947M',
  });
});
afterAll(() => t?.stop());

interface Seen {
  readonly code: string;
  readonly field: string;
  readonly message: string;
}
const short = (list: readonly Seen[]) => list.map((o) => `${o.field} ${o.code}`);

/** A number as it was written, and its last digits: eight, since fewer stand in a hash or an id now and then. */
const written = (phoneNumber: string) => [
  phoneNumber,
  phoneNumber.slice(-9),
  phoneNumber.replaceAll(/\D/g, '').slice(-8),
];

/** What stands in the column, beside the API. */
async function stored(table: string, wireId: string): Promise<Seen[]> {
  const [r] = await t.database.admin.query(`SELECT observations FROM ${table} WHERE id = $1`, [uuidOf(wireId)]);
  return JSON.parse(r?.observations as string);
}

/** The same list in the table, the journal and the resource shown; nothing of `hidden` in any of them. */
async function everywhere(table: string, wireId: string, shown: { observations: Seen[] }, hidden: readonly string[]) {
  const entries = await told(t, wireId);
  expect(entries).toHaveLength(1);
  expect(entries[0]?.body.data.observations).toEqual(shown.observations);
  expect(await stored(table, wireId)).toEqual(shown.observations);
  for (const h of hidden) {
    expect(entries[0]?.text).not.toContain(h);
    expect(JSON.stringify(shown)).not.toContain(h);
  }
  return short(shown.observations);
}

describe('of a client', () => {
  const register = async (over: Record<string, unknown>) => {
    const r = await t.post(
      '/v1/client/registerClient',
      {
        registeredName: 'Berlin Books GmbH',
        registrationNumber: `HRB-${++n}`,
        countryCode: 'DE',
        email: 'kontakt@berlinbooks.example',
        phoneNumber: '+49 30 901820',
        classification: 'ECOMM_LOCAL',
        organizationTin: 'DE136695976',
        ...over,
      },
      psp.apiKey,
    );
    contentOf(r);
    const id = r.headers.get('x-client-id') as string;
    return { id, shown: contentOf(await t.get(`/v1/client/${id}`, psp.apiKey)) };
  };

  it('are none where tax number and telephone number are right', async () => {
    const { id, shown } = await register({});
    expect(await everywhere('accounts', id, shown, [])).toEqual([]);
  });

  it('tell a wrong check digit and an invalid telephone number', async () => {
    const { id, shown } = await register({ organizationTin: 'DE136695977', phoneNumber: '+4930' });
    expect(await everywhere('accounts', id, shown, ['+4930', 'kontakt@berlinbooks.example'])).toEqual([
      'organizationTin TIN_CHECKSUM',
      'phoneNumber PHONE_INVALID',
    ]);
    expect(JSON.stringify(shown.observations)).not.toContain('136695977');
    const { items } = contentOf(await t.get('/v1/client?limit=200', psp.apiKey));
    expect(items.find((c: { clientId: string }) => c.clientId === id).observations).toEqual(shown.observations);
  });

  it('tell a tax number of no known form, and nothing of a country whose numbers are not known', async () => {
    expect(short((await register({ organizationTin: 'none' })).shown.observations)).toEqual([
      'organizationTin TIN_FORM',
    ]);
    const nigeria = await register({ countryCode: 'NG', organizationTin: 'none', phoneNumber: '08030000001' });
    expect(nigeria.shown.observations).toEqual([]);
  });

  it('stay with the account when its standing changes', async () => {
    const { id, shown } = await register({ organizationTin: 'DE136695977' });
    await setStanding(t, { ...client, id }, { operationalStanding: 'SUSPENDED' });
    const after = contentOf(await t.get(`/v1/client/${id}`, psp.apiKey));
    expect(after.operationalStanding).toBe('SUSPENDED');
    expect(after.observations).toEqual(shown.observations);
    expect((await told(t, id)).at(-1)?.body.data.observations).toEqual(shown.observations);
  });

  it('are none of an account recorded before there were any', async () => {
    const { id } = await register({ organizationTin: 'DE136695977' });
    await t.database.admin.query('UPDATE accounts SET observations = NULL WHERE id = $1', [uuidOf(id)]);
    expect(contentOf(await t.get(`/v1/client/${id}`, psp.apiKey)).observations).toEqual([]);
  });
});

describe('of deposits and withdrawals', () => {
  const send = async (operation: string, over: Record<string, unknown>) => {
    const r = await t.post(
      `/v1/payment/${operation}`,
      {
        ref: `mv-${++n}`,
        totalAmount: 1000,
        currency: operation.startsWith('crypto') ? 'USDT' : 'NGN',
        customer: { email: 'kip@example.com' },
        countryCode: 'NG',
        transactionFee: 1,
        ...over,
      },
      client.apiKey,
    );
    const { transactionId, status } = contentOf(r);
    expect(status).toBe('APPROVED');
    const shown = contentOf(
      await t.get(`/v1/transaction/verifyTransactionStatus?transactionId=${transactionId}`, psp.apiKey),
    );
    return { id: transactionId as string, shown };
  };
  const hash = '0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b';
  const address = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
  const bank = { bank: 'Equity Bank', accountNumber: '0011223344' };
  const right: Record<string, Record<string, unknown>> = {
    deposit: {},
    withdrawal: { toAddress: bank },
    cryptoDeposit: { blochainHash: hash },
    cryptoWithdrawal: { blochainHash: hash, toAddress: address },
  };

  it.each(Object.keys(right))('are none of a %s whose identifiers are right', async (operation) => {
    const customer = { email: 'kip@example.com', phoneNumber: '+254700000001' };
    const { id, shown } = await send(operation, { ...right[operation], customer });
    expect(await everywhere('transactions', id, shown, ['+254700000001'])).toEqual([]);
  });

  it.each(Object.keys(right))("of a %s tell the customer's invalid telephone number", async (operation) => {
    const phoneNumber = '+254 700 0000 0177';
    const { id, shown } = await send(operation, {
      ...right[operation],
      customer: { email: 'kip@example.com', phoneNumber },
    });
    expect(await everywhere('transactions', id, shown, [...written(phoneNumber), 'kip@example.com'])).toEqual([
      'customer.phoneNumber PHONE_INVALID',
    ]);
  });

  it.each(['cryptoDeposit', 'cryptoWithdrawal'])("of a %s tell a hash of no network's form", async (operation) => {
    const { id, shown } = await send(operation, { ...right[operation], blochainHash: '0xother' });
    expect(await everywhere('transactions', id, shown, [])).toEqual(['blochainHash HASH_FORM']);
  });

  it.each([
    ['USDT', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', 'ADDRESS_CHECKSUM'],
    ['USDT', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'ADDRESS_CHECKSUM'],
    ['USDT', 'TAnotherAddress', 'ADDRESS_FORM'],
    ['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'ADDRESS_CHECKSUM'],
    ['BTC', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'ADDRESS_FORM'],
  ])('of a crypto withdrawal in %s to %s tell %s', async (currency, toAddress, code) => {
    const { id, shown } = await send('cryptoWithdrawal', { blochainHash: hash, currency, toAddress });
    expect(await everywhere('transactions', id, shown, [toAddress])).toEqual([`toAddress ${code}`]);
  });

  it('say nothing of hash and address where the currency is on no network', async () => {
    const { shown } = await send('cryptoWithdrawal', { blochainHash: 'x', toAddress: 'y', currency: 'KES' });
    expect(shown.observations).toEqual([]);
  });

  it('of a withdrawal tell wrong check digits of an IBAN in the bank details', async () => {
    const iban = 'GB82WEST12345698765433';
    const { id, shown } = await send('withdrawal', { toAddress: { bank: 'West', details: { iban } } });
    expect(await everywhere('transactions', id, shown, [iban, 'West'])).toEqual(['toAddress IBAN_CHECKSUM']);
    const sound = await send('withdrawal', { toAddress: { iban: 'GB82 WEST 1234 5698 7654 32' } });
    expect(sound.shown.observations).toEqual([]);
  });

  it('come together, in the order of the fields looked at, and change no repetition', async () => {
    const body = {
      ref: `mv-${++n}`,
      blochainHash: 'no hash',
      toAddress: 'no address',
      customer: { email: 'kip@example.com', phoneNumber: '7' },
    };
    const { id, shown } = await send('cryptoWithdrawal', body);
    expect(short(shown.observations)).toEqual([
      'customer.phoneNumber PHONE_INVALID',
      'blochainHash HASH_FORM',
      'toAddress ADDRESS_FORM',
    ]);
    expect((await send('cryptoWithdrawal', body)).id).toBe(id);
    expect(await rowCount(t, 'transactions', 'ref = $1', [body.ref])).toBe(1);
  });
});

describe('of wagers and payouts', () => {
  const bet = async (over: Record<string, unknown> = {}, key = client.apiKey) => {
    const ref = `bet-${++n}`;
    const { wagerId } = contentOf(
      await t.post(
        '/captureWager',
        { amount: 250, ref, customer: { email: 'kip@example.com' }, ip: '102.0.2.44', type: 'sports', ...over },
        key,
      ),
    );
    return { id: wagerId as string, ref, shown: contentOf(await t.get(`/v1/wager/${wagerId}`, psp.apiKey)) };
  };

  it('are none of a wager from a public address in the country of the account', async () => {
    const { id, shown } = await bet({ coordinates: { lat: -1.2864, lng: 36.8172 } });
    expect(await everywhere('wagers', id, shown, ['36.8172'])).toEqual([]);
  });

  it.each(['10.0.0.8', '127.0.0.1', '192.168.7.7', 'fd00::8', '203.0.113.5'])(
    'tell that %s is not public',
    async (ip) => {
      const { id, shown } = await bet({ ip });
      expect(await everywhere('wagers', id, shown, [])).toEqual(['ip IP_NOT_PUBLIC']);
      expect(shown.observations[0].message).not.toContain(ip);
    },
  );

  it('tell the country the coordinates lie in when it is another', async () => {
    const { id, shown } = await bet({ coordinates: { lat: 6.4541, lng: 3.3947 } });
    expect(await everywhere('wagers', id, shown, ['6.4541', '3.3947'])).toEqual(['coordinates COUNTRY_MISMATCH']);
    expect(shown.observations[0].message).toBe('the coordinates lie in NG, the account is registered in KE');
  });

  it('tell coordinates of zero', async () => {
    const { id, shown } = await bet({ coordinates: { lat: 0, lng: 0.0 } });
    expect(await everywhere('wagers', id, shown, [])).toEqual(['coordinates COORDINATES_ZERO']);
  });

  it("tell the customer's invalid telephone number, of a wager and of its payout", async () => {
    const customer = { email: 'kip@example.com', phoneNumber: '0700-0177-0177-0177' };
    const wager = await bet({ customer });
    expect(await everywhere('wagers', wager.id, wager.shown, written(customer.phoneNumber))).toEqual([
      'customer.phoneNumber PHONE_INVALID',
    ]);
    const { payoutId } = contentOf(
      await t.post(
        '/capturePayout',
        { amount: 900, ref: `win-${++n}`, customer, wagerReference: wager.ref },
        client.apiKey,
      ),
    );
    const shown = contentOf(await t.get(`/v1/payout/${payoutId}`, psp.apiKey));
    expect(await everywhere('payouts', payoutId, shown, written(customer.phoneNumber))).toEqual([
      'customer.phoneNumber PHONE_INVALID',
    ]);
  });
});

it('keep records and journal one to one', () => expectJournalComplete(t));
