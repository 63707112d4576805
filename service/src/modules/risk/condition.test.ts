// Conditions of risk rules: exact, typed, bounded; and the shipped book holds what it says.
import { describe, expect, it } from 'vitest';
import { dimensions } from '../../core/risk/counters.ts';
import type { ListLookup } from '../../core/risk/lists.ts';
import { namedIn, type RiskClient, type RiskEvent, type RiskRule, riskOperations } from '../../core/risk/rule.ts';
import { type Activities, countEvent, countedAs, countedBy, matching } from '../../core/risk/watch.ts';
import { loadRiskRules } from '../../platform/data-files.ts';
import { Conditions } from './condition.ts';

const psp = '0193fb1e-8a00-7000-8000-000000000001';
const account = '0193fb1e-8a00-7000-8000-000000000002';
const at = Date.parse('2026-11-21T10:00:00Z');
const everything = new Map(dimensions.map((of) => [of, new Set(dimensions)]));
let made = 0;
const event = (over: Partial<RiskEvent> = {}): RiskEvent => ({
  psp,
  account,
  record: `record-${++made}`,
  operation: 'verifyTransaction',
  status: 'APPROVED',
  at,
  amount: '100',
  tax: '7.5',
  currency: 'NGN',
  country: 'NG',
  revision: 1,
  chargedBack: false,
  observations: [],
  mcc: '5411',
  methods: ['card'],
  productLine: '',
  samePerson: true,
  ...over,
  keys: { client: over.account ?? account, ...over.keys },
});
const client: RiskClient = {
  classification: 'ECOMM_LOCAL',
  country: 'NG',
  verificationLevel: 'BASIC',
  operationalStanding: 'ACTIVE',
  onHold: false,
  since: at - 400 * 86_400_000,
};
const rule = (condition: string, over: Partial<RiskRule> = {}): RiskRule => ({
  id: 'TRIED',
  version: 1,
  from: '2020-01-01',
  until: null,
  scope: { operations: ['verifyTransaction'] },
  condition,
  severity: 'LOW',
  code: 'RISK_POLICY',
  reason: 'A rule that is tried in a test.',
  action: 'observe',
  source: { title: 'a test', date: '2026-01-01' },
  ...over,
});
const none = (_: RiskRule, e: unknown) => {
  throw e;
};
const holds = (condition: string, e = event(), over: Partial<RiskRule> = {}, lists?: ListLookup) =>
  matching([new Conditions(lists).ready(rule(condition, over))], e, client, new Map(), none).length === 1;
const problems = (condition: string, over: Partial<RiskRule> = {}) => new Conditions().problems(rule(condition, over));

describe('a condition', () => {
  it('compares amounts exactly, where binary floats do not', () => {
    const e = event({ amount: '9007199254740993.1' });
    expect(holds('record.amount > decimal("9007199254740993")', e)).toBe(true);
    expect(holds('record.amount >= decimal("9007199254740993.2")', e)).toBe(false);
    expect(holds('record.amount + record.tax == decimal("0.3")', event({ amount: '0.1', tax: '0.2' }))).toBe(true);
    expect(holds('atLeast(record.amount, "0.10")', event({ amount: '0.1' }))).toBe(true);
    expect(holds('times(record.amount, 3) == decimal("0.3")', event({ amount: '0.1' }))).toBe(true);
  });

  it('reads record, request, client, standing and limit', () => {
    for (const yes of [
      'record.operation == "verifyTransaction" && record.country == "NG" && record.revision == 1',
      '"card" in request.methods && request.mcc.startsWith("54")',
      'client.classification == "ECOMM_LOCAL" && client.ageDays == 400 && client.id.startsWith("cli_")',
      'standing.level == "BASIC" && !standing.onHold && standing.operational != "CLOSED"',
      '!limit.known',
      'size(record.observations) == 0 ? true : false',
    ])
      expect(holds(yes), yes).toBe(true);
    expect(holds('limit.known && record.amount >= limit.amount', event(), { limits: { NGN: '100.0' } })).toBe(true);
    expect(holds('limit.known && record.amount >= limit.amount', event(), { limits: { NGN: '100.01' } })).toBe(false);
  });

  it('asks the lists of the PSP', () => {
    const lists: ListLookup = (of, kind, value) =>
      of === psp && kind === 'wallet' && value === 'w' ? ['sanctions'] : [];
    const e = event({ keys: { client: account, wallet: 'w' } });
    expect(holds('"sanctions" in listed(record, "wallet", record.wallet)', e, {}, lists)).toBe(true);
    expect(holds('size(listed(record, "wallet", record.wallet)) > 0', e)).toBe(false);
    expect(holds('size(listed(record, "wallet", record.wallet)) > 0', event(), {}, () => ['any'])).toBe(false);
  });

  it.each([
    ['record.amount > 5', /^condition, line 1, column 1: no such overload: Decimal > int/],
    ['true &&\n  record.amout > decimal("5")', /^condition, line 2, column 10: .*amout/],
    ['record.amount >=', /^condition, line 1, column 17: /],
    ['record.amount', /is of type Decimal; it must say yes or no/],
    ['counters.other > 1', /other/],
    ['someone == "x"', /someone/],
    ['1.5 > 1.0', /^condition, line 1, column 1: binary floating point/],
    ['double("1") > 0.5', /no function double/],
    ['atLeast(record.amount, "ten")', /atLeast takes a decimal amount as text/],
    ['decimal(record.currency) > record.amount', /decimal takes a decimal amount as text/],
    ['[1, 2].exists(x, x > 1)', /no method exists/],
    ['record.country.matches("(a+)+b")', /no method matches/],
    ['record.revision / 0 == 1', /operator \/ cannot be used/],
    ['listed(record, "car", "x") == ["y"]', /^condition, line 1, column \d+: listed takes the record, a kind/],
    ['dyn(1) == 1', /no function dyn/],
    [`${'('.repeat(40)}true${')'.repeat(40)}`, /depth|nest|limit/i],
    [Array.from({ length: 120 }, (_, i) => `record.revision == ${i}`).join(' || '), /nodes|limit|size/i],
  ])('%j is refused, with where and why', (condition, problem) => {
    const found = problems(condition);
    expect(found.length).toBeGreaterThan(0);
    expect(found.join('\n')).toMatch(problem);
  });

  it('that fails for one record does not match it, and is reported', () => {
    const failed: string[] = [];
    const broken = {
      rule: rule('true'),
      needsLimit: false,
      holds: () => {
        throw new Error('broken');
      },
    };
    const sound = new Conditions().ready(rule('true', { id: 'SOUND' }));
    const matches = matching([broken, sound], event(), client, new Map(), (r) => failed.push(r.id));
    expect([matches.map((m) => m.rule.id), failed]).toEqual([['SOUND'], ['TRIED']]);
  });
});

describe('the starter book', () => {
  const book = loadRiskRules();
  const conditions = new Conditions();
  const ready = book.map((r) => conditions.ready(r));
  const kept = countedBy(ready);

  it('keeps with a key no other keys but those that a rule counts', () => {
    const activities: Activities = new Map();
    const keys = { client: account, customer: 'ada', network: '192.0.2.0/24' };
    countEvent(activities, event({ keys }), 'captureWager', kept);
    const others = [...activities].map(([name, a]) => [name.split(' ')[1], [...a.members.keys()]]);
    expect(Object.fromEntries(others)).toEqual({ client: [], customer: ['client'], network: ['customer'] });
    // A rule that is no longer in force takes with it what it alone counted.
    countEvent(activities, event({ keys }), 'captureWager', new Map([['network', new Set()]]));
    expect(activities.get(`${psp} network 192.0.2.0/24`)?.members.size).toBe(0);
  });

  /** The rules that match the last of these records. */
  function after(events: readonly RiskEvent[], of: RiskClient = client, chargedBackNow = false): string[] {
    const activities: Activities = new Map();
    let last: string[] = [];
    for (const e of events) {
      const kind = countedAs(e, chargedBackNow && e.chargedBack);
      if (kind) countEvent(activities, e, kind, kept);
      last = matching(ready, e, of, activities, none).map((m) => m.rule.id);
    }
    return last;
  }
  const deposit = (amount: string, over: Partial<RiskEvent> = {}) =>
    event({
      operation: 'deposit',
      amount,
      currency: 'USD',
      country: 'US',
      keys: { client: account, customer: 'ada' },
      ...over,
    });

  it('has 25 rules or more, each with reason and source, and none that declines by itself', () => {
    expect(book.length).toBeGreaterThanOrEqual(25);
    expect(
      book
        .filter((r) => r.action === 'review')
        .map((r) => r.id)
        .sort(),
    ).toEqual([
      'BANK_ACCOUNT',
      'CRYPTO_ADDRESS',
      'CRYPTO_HASH',
      'LARGE_AMOUNT',
      'LARGE_UNEXPLAINED',
      'LATE_DECLINE',
      'TAX_LOWERED',
    ]);
    for (const r of book) {
      expect(conditions.problems(r), r.id).toEqual([]);
      expect(r.reason, r.id).toMatch(/^[A-Z].{20,}\.$/);
      expect(r.source.title.length, r.id).toBeGreaterThan(10);
    }
  });

  it('leaves a usual sale alone', () => expect(after([event()])).toEqual([]));

  it.each(Object.entries(book.find((r) => r.id === 'LARGE_AMOUNT')?.limits ?? {}))(
    'finds an amount in %s large from %s on',
    (currency, amount) => {
      const of = (a: string) => after([event({ currency, amount: a })]).filter((id) => id === 'LARGE_AMOUNT');
      expect(of(amount)).toEqual(['LARGE_AMOUNT']);
      const [whole = '', part = ''] = amount.split('.');
      const units = BigInt(whole + part.padEnd(18, '0')) - 1n;
      const text = units.toString().padStart(19, '0');
      expect(of(`${text.slice(0, -18)}.${text.slice(-18)}`)).toEqual([]);
    },
  );

  it('finds no amount of an asset without a limit large, and none that moved no money', () => {
    for (const currency of ['XYZ', 'constructor']) expect(after([event({ currency, amount: '99999999' })])).toEqual([]);
    const observations = [{ code: 'HASH_FORM', field: 'f', message: 'm' }];
    for (const status of ['DECLINED', 'PENDING'])
      expect(after([event({ status, amount: '99999999', observations })])).toEqual([]);
  });

  it.each([
    ['ADDRESS_CHECKSUM', 'CRYPTO_ADDRESS'],
    ['ADDRESS_FORM', 'CRYPTO_ADDRESS'],
    ['HASH_FORM', 'CRYPTO_HASH'],
    ['IBAN_CHECKSUM', 'BANK_ACCOUNT'],
  ])('finds what was observed as %s', (code, id) => {
    expect(after([event({ observations: [{ code, field: 'f', message: 'm' }] })])).toEqual([id]);
  });

  it('sees structuring in three amounts that exceed the threshold of 31 CFR 1010.311, and not in two or on another day', () => {
    const three = [deposit('4000'), deposit('3000'), deposit('3000.01')];
    expect(after(three)).toContain('STRUCTURING_US');
    // The law names what exceeds 10,000: ten thousand itself is not reported, once or in parts.
    expect(after([deposit('10000'), deposit('10000'), deposit('10000')])).toContain('STRUCTURING_US');
    expect(after([deposit('5000'), deposit('5000.01')])).not.toContain('STRUCTURING_US');
    expect(after([deposit('4000'), deposit('3000'), deposit('3000')])).not.toContain('STRUCTURING_US');
    expect(after([deposit('4000', { at: at - 26 * 3_600_000 }), deposit('3000'), deposit('3000.01')])).not.toContain(
      'STRUCTURING_US',
    );
    expect(
      after([deposit('4000', { keys: { client: account, customer: 'kip' } }), deposit('3000'), deposit('3000.01')]),
    ).not.toContain('STRUCTURING_US');
    // What is paid in another currency is none of the three.
    const euros = { currency: 'EUR' };
    expect(after([deposit('9000'), deposit('1', euros), deposit('1001')])).not.toContain('STRUCTURING_US');
    expect(after([...three, deposit('1', euros), deposit('1')])).toContain('STRUCTURING_US');
  });

  it('counts by what the records of an operation name, in every rule', () => {
    for (const r of book)
      for (const [name, { of, kinds = [] }] of Object.entries(r.counters ?? {}))
        for (const operation of riskOperations)
          if (r.scope.operations.includes(operation) || kinds.includes(operation))
            expect(namedIn(operation), `${r.id} ${name} ${operation}`).toContain(of);
  });

  it('sees several sales of a client paid in cash just below a threshold, and not those by card, smaller ones or a single one', () => {
    const sale = (amount: string, methods: readonly string[], currency = 'NGN') =>
      event({ amount, country: 'NG', currency, methods });
    const twelve = (...of: Parameters<typeof sale>) => after(Array.from({ length: 12 }, () => sale(...of)));
    expect(twelve('4900000', ['cash'])).toContain('CASH_NEAR_LIMIT');
    expect(twelve('4500000', ['card', 'cash'])).toContain('CASH_NEAR_LIMIT');
    expect(twelve('5000000', ['cash'])).toContain('CASH_NEAR_LIMIT');
    expect(twelve('4900000', ['card'])).not.toContain('CASH_NEAR_LIMIT');
    expect(twelve('4499999.99', ['cash'])).not.toContain('CASH_NEAR_LIMIT');
    expect(twelve('5000000.01', ['cash'])).not.toContain('CASH_NEAR_LIMIT');
    expect(after([sale('4900000', ['cash']), sale('1', [], 'EUR'), sale('4900000', ['cash'])])).not.toContain(
      'CASH_NEAR_LIMIT',
    );
    expect(twelve('4900000', ['cash'], 'GHS')).not.toContain('CASH_NEAR_LIMIT');
    expect(after([sale('4900000', ['cash'])])).not.toContain('CASH_NEAR_LIMIT');
  });

  it('matches the same where a rule that needs a limit is not evaluated without one', () => {
    const ready = new Conditions();
    const rules = loadRiskRules().map((r) => ready.ready(r));
    expect(rules.filter((r) => r.needsLimit).length).toBeGreaterThan(12);
    for (const [condition, needed] of [
      ['limit.known && record.amount > limit.amount', true],
      ['record.country == "NG" && (limit.known && record.tax == record.tax)', true],
      ['limit.known || record.country == "NG"', false],
      ['!limit.known && record.country == "NG"', false],
      ['(limit.known ? true : true) && record.country == "NG"', false],
    ] as const)
      expect([condition, ready.ready(rule(condition)).needsLimit]).toEqual([condition, needed]);
    const all = rules.map((r) => ({ ...r, needsLimit: false }));
    const [some, whole]: [Activities, Activities] = [new Map(), new Map()];
    let matched = 0;
    for (const operation of ['verifyTransaction', 'deposit', 'withdrawal', 'cryptoWithdrawal'] as const)
      for (const [country, currency] of [...['US', 'NG', 'DE', 'KE'].entries()].flatMap(([i, c]) =>
        ['USD', 'NGN', 'EUR', 'XOF'].map((code) => [c, code, i] as const),
      ))
        for (const amount of ['9000', '9000', '4900000', '9000', '99000000']) {
          const e = event({
            operation,
            country,
            currency,
            amount,
            methods: ['cash'],
            keys: { client: account, customer: 'ada' },
          });
          for (const a of [some, whole]) countEvent(a, e, operation, everything);
          const found = matching(rules, e, client, some, none).map((m) => [m.rule.id, m.counters]);
          expect(found).toEqual(matching(all, e, client, whole, none).map((m) => [m.rule.id, m.counters]));
          matched += found.length;
        }
    expect(matched).toBeGreaterThan(50);
  });

  it('sees one transfer on a chain that is submitted twice', () => {
    const paid = (operation: RiskEvent['operation'] = 'cryptoDeposit') =>
      event({
        operation,
        currency: 'USDT',
        keys: { client: account, customer: 'ada', chainHash: '0xab' },
      });
    expect(after([paid()])).not.toContain('CHAIN_HASH_TWICE');
    expect(after([paid(), paid()])).toContain('CHAIN_HASH_TWICE');
    // One transfer pays several customers out, and arrives at another exchange.
    expect(after([paid('cryptoWithdrawal'), paid('cryptoWithdrawal')])).not.toContain('CHAIN_HASH_TWICE');
    expect(after([paid('cryptoWithdrawal'), paid()])).not.toContain('CHAIN_HASH_TWICE');
    expect(after([paid(), paid('cryptoWithdrawal'), paid()])).toContain('CHAIN_HASH_TWICE');
  });

  it('sees a deposit that is withdrawn without play, and not one that was played', () => {
    const gaming = { ...client, classification: 'IGAMING_LOCAL' };
    const of = (operation: RiskEvent['operation'], amount: string) => deposit(amount, { operation, country: 'KE' });
    expect(after([of('deposit', '100'), of('withdrawal', '80')], gaming)).toContain('ROUND_TRIP');
    expect(after([of('deposit', '100'), of('withdrawal', '79')], gaming)).not.toContain('ROUND_TRIP');
    expect(after([of('deposit', '100'), of('captureWager', '5'), of('withdrawal', '80')], gaming)).not.toContain(
      'ROUND_TRIP',
    );
    expect(after([of('deposit', '100'), of('withdrawal', '80')])).not.toContain('ROUND_TRIP');
  });

  it('holds what was withdrawn against what was deposited in its currency, and nothing against none', () => {
    const gaming = { ...client, classification: 'IGAMING_LOCAL' };
    const of = (operation: RiskEvent['operation'], amount: string, currency: string) =>
      deposit(amount, { operation, currency });
    expect(after([of('deposit', '1000', 'USD'), of('withdrawal', '1', 'EUR')], gaming)).not.toContain('ROUND_TRIP');
    expect(
      after([of('deposit', '5', 'USD'), of('deposit', '1000', 'EUR'), of('withdrawal', '800', 'EUR')], gaming),
    ).toContain('ROUND_TRIP');
    const [paidIn, paidOut] = ['cryptoDeposit', 'cryptoWithdrawal'] as const;
    expect(after([of(paidIn, '10', 'ETH'), of(paidOut, '0.5', 'USDT')])).not.toContain('PASS_THROUGH');
    expect(after([of(paidIn, '10', 'ETH'), of(paidOut, '8.99', 'ETH')])).not.toContain('PASS_THROUGH');
    expect(after([of(paidIn, '10', 'ETH'), of(paidOut, '9', 'ETH')])).toContain('PASS_THROUGH');
    expect(after([of(paidOut, '9', 'ETH')])).not.toContain('PASS_THROUGH');
  });

  it('sees a payout to another person, a wager from abroad and a client that wakes up', () => {
    expect(after([event({ operation: 'capturePayout', samePerson: false })])).toContain('PAYOUT_OTHER_PERSON');
    expect(after([event({ operation: 'capturePayout' })])).not.toContain('PAYOUT_OTHER_PERSON');
    const observations = [{ code: 'COUNTRY_MISMATCH', field: 'coordinates', message: 'm' }];
    expect(after([event({ operation: 'captureWager', observations })])).toContain('WAGER_ABROAD');
    const before = event({ at: at - 91 * 86_400_000 });
    expect(after([before, event()])).toEqual(['DORMANT_CLIENT']);
    expect(after([event({ at: at - 80 * 86_400_000 }), event()])).toEqual([]);
  });

  it('sees an address that three customers were paid at, and a client of two days at full speed', () => {
    const to = (customer: string) =>
      event({
        operation: 'cryptoWithdrawal',
        currency: 'USDT',
        amount: '5',
        keys: { client: account, customer, wallet: 'w' },
      });
    expect(after([to('a'), to('b'), to('a')])).not.toContain('WALLET_SHARED');
    expect(after([to('a'), to('b'), to('c')])).toContain('WALLET_SHARED');
    const fresh = { ...client, since: at - 2 * 86_400_000 };
    expect(
      after(
        Array.from({ length: 500 }, () => event()),
        fresh,
      ),
    ).toContain('NEW_CLIENT_FULL_SPEED');
    expect(
      after(
        Array.from({ length: 499 }, () => event()),
        fresh,
      ),
    ).not.toContain('NEW_CLIENT_FULL_SPEED');
    expect(after(Array.from({ length: 500 }, () => event()))).not.toContain('NEW_CLIENT_FULL_SPEED');
  });

  it('sees a ratio of chargebacks from 100 and 1.5% on', () => {
    const months = (sales: number, back: number) => [
      ...Array.from({ length: sales }, () => event()),
      ...Array.from({ length: back }, () => event({ chargedBack: true, revision: 2 })),
    ];
    expect(after(months(6000, 100), client, true)).toContain('CHARGEBACK_RATIO');
    expect(after(months(7000, 100), client, true)).not.toContain('CHARGEBACK_RATIO');
    expect(after(months(1000, 99), client, true)).not.toContain('CHARGEBACK_RATIO');
  });
});
