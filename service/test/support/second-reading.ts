// A second reading of the tax rules, for the tests to hold the service's own against: it reads the files itself, chooses as
// service/data/tax/README.md says, and calculates in fractions. Nothing in it may come from the code that it checks.

/** A row as it is in the file; only what decides a choice or an amount. */
export interface Row {
  readonly ruleId: string;
  readonly taxCode: string;
  readonly category: string;
  readonly operations: readonly string[];
  readonly classifications: readonly string[];
  readonly mccRanges: readonly string[];
  readonly supplies?: readonly string[];
  readonly exceptSupplies?: readonly string[];
  readonly exceptOnTheSpot?: boolean;
  readonly customer?: string;
  readonly client?: string;
  readonly subdivision?: string;
  readonly productLines?: readonly string[];
  readonly replaces?: readonly string[];
  readonly base: string;
  readonly rate?: string;
  readonly unitAmount?: string;
  readonly currency?: string;
  readonly brackets?: readonly { readonly upTo?: string; readonly rate: string }[];
  readonly slabs?: readonly { readonly upTo?: string; readonly rate?: string; readonly amount?: string }[];
  readonly atLeast?: string;
  readonly threshold?: string;
  readonly allowance?: string;
  readonly minTax?: string;
  readonly maxTax?: string;
  readonly eachPayment?: boolean;
  readonly summedOver?: {
    readonly of?: string;
    readonly from?: string;
    readonly minRecords?: number;
  };
  readonly compoundsOn: readonly string[];
  readonly bearer: string;
  readonly inTransaction: boolean;
  readonly owedBy?: string;
  readonly rounding: string;
  readonly exemptOrigins?: readonly string[];
  readonly validFrom: string;
  readonly validTo: string | null;
}

export interface GamingLaw {
  readonly follows: string;
  readonly part?: string;
  readonly validFrom: string;
  readonly validTo: string | null;
}

export interface CountryRows {
  readonly jurisdiction: string;
  readonly currency: string;
  readonly rules: readonly Row[];
  readonly gaming?: readonly GamingLaw[];
}

export interface RowQuestion {
  readonly operation: string;
  readonly date: string;
  readonly classification: string;
  readonly mcc?: string;
  /** What the caller says is sold. */
  readonly supply?: string;
  readonly customer?: string;
  /** The client's tax profile: its scheme, or that it is not registered; without it nothing is known of it. */
  readonly scheme?: string;
  readonly subdivision?: string;
  readonly productLine?: string;
  readonly currency: string;
  /** What is sold, moved, staked or paid out, or the cost of a call. */
  readonly amount: string;
  readonly fee: string;
  /** Of a payout: its wager, and what the wager paid before. */
  readonly stake?: string;
  readonly paidBefore?: string;
  /** What the taxes that count a period counted before. */
  readonly before?: { readonly base: string; readonly records: number };
  readonly kind?: string;
  readonly seconds?: number;
  readonly dataKb?: string;
  /** Country of an incoming international call. */
  readonly origin?: string;
  readonly isOutgoing?: boolean;
  readonly received?: boolean;
  readonly isMissed?: boolean;
}

/** The tax of one rule. */
export interface Answer {
  readonly ruleId: string;
  /** Exact decimal text without zeros at the end. */
  readonly tax: string;
  /** Part of the record, owed by return on it, or counted over a period. */
  readonly as: 'charged' | 'owed' | 'accrued';
  readonly owedBy?: string;
}

/** An exact fraction. */
interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}
const none: Fraction = { over: 0n, under: 1n };
const one: Fraction = { over: 1n, under: 1n };
const plus = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
});
const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { over: -b.over, under: b.under });
const times = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.over, under: a.under * b.under });
const divided = (a: Fraction, b: Fraction): Fraction => times(a, { over: b.under, under: b.over });
const isMore = (a: Fraction, b: Fraction): boolean => a.over * b.under > b.over * a.under;
const lesser = (a: Fraction, b: Fraction): Fraction => (isMore(a, b) ? b : a);

function read(text: string): Fraction {
  const [whole = '', part = ''] = text.split('.');
  return { over: BigInt(whole + part), under: 10n ** BigInt(part.length) };
}
const hundredth = (rate: string): Fraction => times(read(rate), { over: 1n, under: 100n });

/** To so many decimals, in units of the last one, which is never negative here. */
function rounded(x: Fraction, decimals: number, rounding: string): Fraction {
  const under = x.under;
  const over = x.over * 10n ** BigInt(decimals);
  const [whole, rest] = [over / under, over % under];
  const up =
    rounding === 'DOWN'
      ? false
      : rounding === 'HALF_EVEN' && rest * 2n === under
        ? whole % 2n === 1n
        : rest * 2n >= under && rest > 0n;
  return { over: up ? whole + 1n : whole, under: 10n ** BigInt(decimals) };
}

/** Digits below the smallest unit are dropped from an amount of the law. */
const inLaw = (text: string, decimals: number): Fraction => rounded(read(text), decimals, 'DOWN');

/** Decimal text of a fraction over a power of ten. */
export function written({ over, under }: Fraction): string {
  const places = under.toString().length - 1;
  const digits = (over < 0n ? -over : over).toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const part = digits.slice(digits.length - places).replace(/0+$/, '');
  return `${over < 0n ? '-' : ''}${whole}${part === '' ? '' : `.${part}`}`;
}

/** What a merchant of a category code sells, by ISO 18245: the codes most of whose sales are of one kind. */
const sellers: readonly (readonly [supply: string, codes: string])[] = [
  ['lodging', '3501-3999 7011 7032 7033'],
  ['restaurants', '5811 5812 5814'],
  ['groceries', '5411 5422 5451 5462 5499'],
  ['books', '5942'],
  ['newspapers', '5994'],
  ['medicine', '5912'],
  ['medical', '4119 8011 8021 8031 8041 8042 8049 8050 8062 8071 8099'],
  ['education', '8211 8220 8241 8244 8249 8299'],
  ['insurance', '5960 6300 6381 6399'],
  ['financial', '4829 6010 6011 6012 6050 6051 6211 6529-6540'],
  ['passenger_transport', '4111 4112 4121 4131'],
  ['air_travel', '3000-3350 4511'],
];
/** Cruises, tolls, fuel, bars, hire of vehicles, parking, cinemas, events, sport and attractions. */
const sellersOnTheSpot =
  '3351-3500 4411 4784 4789 5541 5542 5552 5813 7012 7512 7513 7519 7523 7832 7911 7922 7932 7933 7941 7991 7992 7994 7996 7998 7999';

/** How many codes the narrowest of the ranges that has this code spans; undefined if none has it. */
function spanOf(ranges: readonly string[], code: string): number | undefined {
  const spans = ranges.flatMap((range) => {
    const [first = '', last = first] = range.split('-');
    return first <= code && code <= last ? [Number(last) - Number(first) + 1] : [];
  });
  return spans.length === 0 ? undefined : Math.min(...spans);
}

/** Codes of merchants that sell this, ranges by their first. */
export const codesOf = (supply: string): string[] =>
  sellers.flatMap(([name, codes]) => (name === supply ? codes.split(' ').map((c) => c.slice(0, 4)) : []));

const soldBy = (mcc: string): string | undefined =>
  sellers.find(([, codes]) => spanOf(codes.split(' '), mcc) !== undefined)?.[0];

/** Taxes compete within the sale, within the fees, and within each other base. */
const contestOf = (base: string): string =>
  base === 'GROSS_INCLUSIVE' || base === 'NET_ADD_ON' ? 'the sale' : base === 'FEE' ? 'the fees' : base;

const isOn = (row: { readonly validFrom: string; readonly validTo: string | null }, date: string): boolean =>
  date >= row.validFrom && (row.validTo === null || date < row.validTo);

/** A tax on recharges, which no record holds, is only published; so is a lower rate that names neither what nor whose sales it is for. */
export const isPublishedOnly = (row: Row): boolean => row.base === 'RECHARGE' || isReducedForNobody(row);

const isReducedForNobody = (row: Row): boolean =>
  ['reduced', 'super_reduced'].includes(row.category) &&
  row.mccRanges.length === 0 &&
  (row.supplies ?? []).length === 0 &&
  row.client === undefined;

function isFor(row: Row, q: RowQuestion): boolean {
  const isSale = q.operation === 'verifyTransaction';
  const sold = isSale ? (q.supply ?? (q.mcc === undefined ? undefined : soldBy(q.mcc))) : undefined;
  // What the caller says is sold counts in place of the merchant's code.
  const code = q.supply === undefined ? q.mcc : undefined;
  if (isPublishedOnly(row) || !row.operations.includes(q.operation) || !isOn(row, q.date)) return false;
  if (row.classifications.length > 0 && !row.classifications.includes(q.classification)) return false;
  if (row.customer !== undefined && row.customer !== q.customer) return false;
  if (row.client !== undefined && row.client !== q.scheme) return false;
  if (row.subdivision !== undefined && row.subdivision !== q.subdivision) return false;
  if ((row.productLines ?? []).length > 0 && !row.productLines?.includes(q.productLine ?? '')) return false;
  if (row.mccRanges.length > 0 && (code === undefined || spanOf(row.mccRanges, code) === undefined)) return false;
  if (row.supplies !== undefined && !row.supplies.includes(sold ?? '')) return false;
  if (sold !== undefined && row.exceptSupplies?.includes(sold)) return false;
  return !(row.exceptOnTheSpot && code !== undefined && spanOf(sellersOnTheSpot.split(' '), code) !== undefined);
}

/** In the order in which the README compares two rows: the first difference decides, and the smaller is taken. */
const ranksOf = (row: Row, q: RowQuestion): readonly (number | string)[] => [
  row.customer === undefined ? 1 : 0,
  row.client === undefined ? 1 : 0,
  row.subdivision === undefined ? 1 : 0,
  row.mccRanges.length === 0 ? 10_001 : (spanOf(row.mccRanges, q.mcc ?? '') ?? 10_001),
  row.supplies === undefined ? 1 : 0,
  (row.productLines ?? []).length === 0 ? 1 : 0,
  row.classifications.length === 0 ? 1 : 0,
  row.operations.length,
];

function isTakenBefore(a: Row, b: Row, q: RowQuestion): boolean {
  const [left, right] = [ranksOf(a, q), ranksOf(b, q)];
  const at = left.findIndex((rank, i) => rank !== right[i]);
  if (at >= 0) return (left[at] as number) < (right[at] as number);
  return a.validFrom === b.validFrom ? a.ruleId < b.ruleId : a.validFrom > b.validFrom;
}

/** The rows that answer a question, by id. */
function taken(country: CountryRows, q: RowQuestion): Row[] {
  const groups = new Map<string, Row>();
  for (const row of country.rules.filter((r) => isFor(r, q))) {
    const kind = row.category.startsWith('telecom_') ? row.category : '';
    const group = [row.inTransaction, row.taxCode, contestOf(row.base), kind].join(' ');
    const first = groups.get(group);
    if (first === undefined || isTakenBefore(row, first, q)) groups.set(group, row);
  }
  const all = [...groups.values()].sort((a, b) => (a.ruleId < b.ruleId ? -1 : 1));
  return all.filter(
    (row) => !all.some((o) => o.replaces?.includes(row.taxCode) && contestOf(o.base) === contestOf(row.base)),
  );
}

/** The rows whose taxes are added to the base of this one first. */
const under = (row: Row, rows: readonly Row[]): Row[] =>
  rows.filter(
    (o) =>
      o !== row &&
      row.compoundsOn.includes(o.taxCode) &&
      o.rate !== undefined &&
      contestOf(o.base) === contestOf(row.base) &&
      (o.category === row.category || !(o.category + row.category).includes('telecom_')),
  );

/** The rate on the net, with the rates of the taxes that it is charged on. */
const fullRate = (row: Row, rows: readonly Row[]): Fraction =>
  times(
    hundredth(row.rate ?? '0'),
    under(row, rows).reduce((sum, o) => plus(sum, fullRate(o, rows)), one),
  );

const namesAmounts = (row: Row): boolean =>
  row.base === 'TRANSACTION' ||
  [row.atLeast, row.threshold, row.allowance, row.minTax, row.maxTax, row.brackets, row.slabs].some(
    (x) => x !== undefined,
  );

interface Money {
  readonly currency: string;
  readonly decimals: number;
  /** Of the country: that of amounts in a row that names none. */
  readonly home: string;
}

/** The tax of a row on a base, and what of the base it is on; undefined if its amounts are of another currency. */
function taxOn(row: Row, base: Fraction, money: Money): { on: Fraction; tax: Fraction } | undefined {
  const { decimals } = money;
  const round = (x: Fraction) => rounded(x, decimals, row.rounding);
  if (!namesAmounts(row)) return { on: base, tax: round(times(base, hundredth(row.rate ?? '0'))) };
  if ((row.currency ?? money.home) !== money.currency) return undefined;
  const law = (text: string) => inLaw(text, decimals);
  const nothing = { on: none, tax: none };
  if (row.atLeast !== undefined && isMore(law(row.atLeast), base)) return nothing;
  if (row.threshold !== undefined && !isMore(base, law(row.threshold))) return nothing;
  const free = row.allowance === undefined ? none : law(row.allowance);
  if (!isMore(base, free)) return nothing;
  const on = minus(base, free);
  let tax = row.unitAmount === undefined ? round(times(on, hundredth(row.rate ?? '0'))) : law(row.unitAmount);
  if (row.slabs !== undefined) {
    const slab = row.slabs.find((s) => s.upTo === undefined || !isMore(on, law(s.upTo)));
    tax = slab?.amount === undefined ? round(times(on, hundredth(slab?.rate ?? '0'))) : law(slab.amount);
  }
  if (row.brackets !== undefined) {
    let [sum, from] = [none, none];
    for (const { upTo, rate } of row.brackets) {
      const to = upTo === undefined ? on : lesser(on, law(upTo));
      if (isMore(to, from)) [sum, from] = [plus(sum, times(minus(to, from), hundredth(rate))), to];
    }
    tax = round(sum);
  }
  if (row.minTax !== undefined && isMore(law(row.minTax), tax)) tax = law(row.minTax);
  return { on, tax: row.maxTax === undefined ? tax : lesser(tax, law(row.maxTax)) };
}

/** The taxes of rows on one base each, with those they are charged on in addition. */
function taxesOn(
  rows: readonly Row[],
  baseOf: (row: Row) => Fraction | undefined,
  q: RowQuestion,
  money: Money,
  beforeOf: (row: Row) => Fraction = () => none,
) {
  const found = new Map<Row, { on: Fraction; tax: Fraction } | undefined>();
  const taxOf = (row: Row): { on: Fraction; tax: Fraction } | undefined => {
    if (found.has(row)) return found.get(row);
    const own = baseOf(row);
    const base = own && under(row, rows).reduce((sum, o) => plus(sum, taxOf(o)?.tax ?? none), own);
    found.set(row, base && (counts(row) ? taxOnceReached(row, base, q, money) : more(row, base, money)));
    return found.get(row);
  };
  const more = (row: Row, base: Fraction, { decimals }: Money) => {
    const before = beforeOf(row);
    if (isMore(before, none)) {
      const [all, then] = [taxOn(row, plus(before, base), money), taxOn(row, before, money)];
      return all && then && { on: minus(all.on, then.on), tax: minus(all.tax, then.tax) };
    }
    const all = taxOn(row, base, money);
    if (row.base !== 'STAKE_INCLUSIVE' || all === undefined || all.on.over === 0n) return all;
    const rate = fullRate(row, rows);
    return { ...all, tax: rounded(times(base, divided(rate, plus(one, rate))), decimals, row.rounding) };
  };
  for (const row of rows) taxOf(row);
  return rows.flatMap((row) => {
    const line = found.get(row);
    return line === undefined ? [] : [{ row, ...line }];
  });
}

/** Taxes of a law that counts what was paid before, and taxes all of what comes once a limit is reached. */
const counts = (row: Row): boolean => row.summedOver?.of !== undefined;

function taxOnceReached(row: Row, base: Fraction, q: RowQuestion, money: Money) {
  if ((row.currency ?? money.home) !== money.currency) return undefined;
  if (row.summedOver?.from !== 'REACHED') throw new Error(`${row.ruleId}: a sum of this kind is not read here`);
  const paid = plus(read(q.before?.base ?? '0'), read(q.amount));
  const reached =
    (row.atLeast === undefined || !isMore(inLaw(row.atLeast, money.decimals), paid)) &&
    (row.threshold === undefined || isMore(paid, inLaw(row.threshold, money.decimals))) &&
    (q.before?.records ?? 0) + 1 >= (row.summedOver.minRecords ?? 0);
  if (!reached) return { on: none, tax: none };
  return { on: base, tax: rounded(times(base, hundredth(row.rate ?? '0')), money.decimals, row.rounding) };
}

const onPayments = ['NET_ADD_ON', 'TRANSACTION', 'DEPOSIT_VALUE', 'WITHDRAWAL_VALUE', 'FEE'];
const owesNothing = ['NOT_REGISTERED', 'SMALL_BUSINESS', 'EXEMPT'];

/** What is due on a record, by rule id; undefined if the country has no rules for it on that day. */
export function secondReading(
  country: CountryRows,
  q: RowQuestion,
  decimalsOf: (currency: string) => number,
): readonly Answer[] | undefined {
  const rows = taken(country, q);
  const money: Money = { currency: q.currency, decimals: decimalsOf(q.currency), home: country.currency };
  const within = rows.filter((r) => r.inTransaction);
  const beside = rows.filter((r) => !r.inTransaction);
  const based = (...bases: string[]) => within.filter((r) => bases.includes(r.base));
  const charged = (lines: readonly { row: Row; tax: Fraction }[]): Answer[] =>
    lines.map(({ row, tax }) => ({ ruleId: row.ruleId, tax: written(tax), as: 'charged' }));

  if (q.operation === 'recordCDR')
    return inOrder([
      ...ofCall(within, [], q, country, decimalsOf),
      // The operator, a client, owes by return what is due on its calls.
      ...ofCall(beside, within, q, country, decimalsOf).map((a): Answer => ({ ...a, as: 'owed', owedBy: 'CLIENT' })),
    ]);

  const amount = read(q.amount);
  if (q.operation === 'captureWager' || q.operation === 'capturePayout') {
    const isWager = q.operation === 'captureWager';
    const [stake, paid] = [read(q.stake ?? '0'), read(q.paidBefore ?? '0')];
    const wonOf = (all: Fraction) => (isMore(all, stake) ? minus(all, stake) : none);
    const wonBefore = wonOf(paid);
    const won = minus(wonOf(plus(paid, amount)), wonBefore);
    const baseOf = (row: Row): Fraction | undefined => {
      if (row.base === 'STAKE' || row.base === 'STAKE_INCLUSIVE') return isWager ? amount : undefined;
      if (row.base === 'PAYOUT') return isWager ? undefined : amount;
      return row.base !== 'WINNINGS' || isWager ? undefined : won;
    };
    // Amounts in a law are compared with all that a wager paid, unless it looks at each payment or at a period.
    const ofWager = (row: Row) => namesAmounts(row) && !row.eachPayment && row.summedOver === undefined;
    const beforeOf = (row: Row): Fraction =>
      isWager || !ofWager(row) ? none : row.base === 'PAYOUT' ? paid : row.base === 'WINNINGS' ? wonBefore : none;
    const accrued = beside.flatMap((row): Answer[] => {
      const base = row.base === 'GGR_PERIOD' ? (isWager ? amount : none) : baseOf(row);
      if (base === undefined) return [];
      const isBelow = row.base !== 'GGR_PERIOD' && row.threshold !== undefined && !isMore(base, read(row.threshold));
      return [{ ruleId: row.ruleId, tax: written(ofPeriod(row, isBelow ? none : base, money)), as: 'accrued' }];
    });
    return inOrder([...charged(taxesOn(within, baseOf, q, money, beforeOf)), ...accrued]);
  }

  const isSale = q.operation === 'verifyTransaction';
  const contained = based('GROSS_INCLUSIVE');
  const onAmount = based('NET_ADD_ON', 'DEPOSIT_VALUE', 'WITHDRAWAL_VALUE', 'TRANSACTION');
  const onFees = based('FEE');
  if (onFees.length === 0 || (isSale && contained.length + onAmount.length === 0)) return undefined;
  const fee = read(q.fee);
  const isFree = isSale && owesNothing.includes(q.scheme ?? '');
  const rates = contained.reduce((sum, r) => plus(sum, fullRate(r, within)), one);
  const held = contained.map((row) => {
    const part = times(amount, divided(fullRate(row, within), rates));
    return { row, tax: isFree ? none : rounded(part, money.decimals, row.rounding) };
  });
  const added = taxesOn(onAmount, () => amount, q, money);
  const fees = taxesOn(onFees, () => fee, q, money);
  const spent = [...held, ...added, ...fees].reduce((sum, { tax }) => plus(sum, tax), fee);
  const left = minus(amount, spent);
  const withheld = isSale ? taxesOn(based('REMITTANCE'), () => (isMore(left, none) ? left : none), q, money) : [];
  const owed = beside.filter((r) => onPayments.includes(r.base));
  const duties = [
    ...taxesOn(
      owed.filter((r) => r.base !== 'FEE'),
      () => amount,
      q,
      money,
    ),
    ...taxesOn(
      owed.filter((r) => r.base === 'FEE'),
      () => fee,
      q,
      money,
    ),
  ].filter(({ on }) => isMore(on, none));
  return inOrder([
    ...charged([...held, ...added, ...fees, ...withheld]),
    ...duties.map(
      ({ row, tax }): Answer => ({ ruleId: row.ruleId, tax: written(tax), as: 'owed', owedBy: row.owedBy ?? 'PSP' }),
    ),
  ]);
}

const inOrder = (answers: readonly Answer[]): readonly Answer[] =>
  [...answers].sort((a, b) => (a.ruleId < b.ruleId ? -1 : 1));

/** The tax on what a period came to. */
function ofPeriod(row: Row, base: Fraction, { decimals }: Money): Fraction {
  let [sum, from] = [none, none];
  for (const { upTo, rate } of row.brackets ?? [{ upTo: undefined, rate: row.rate ?? '0' }]) {
    const to = upTo === undefined ? base : lesser(base, read(upTo));
    const share = hundredth(rate);
    const part = row.base === 'STAKE_INCLUSIVE' ? divided(share, plus(one, share)) : share;
    if (isMore(to, from)) [sum, from] = [plus(sum, times(minus(to, from), part)), to];
  }
  return rounded(sum, decimals, row.rounding);
}

/** @param also rows whose taxes these may be charged on, but for those of the other's kinds */
function ofCall(
  own: readonly Row[],
  also: readonly Row[],
  q: RowQuestion,
  country: CountryRows,
  decimalsOf: (currency: string) => number,
): Answer[] {
  const ofKind = (all: readonly Row[]): Row[] => {
    const has = (category: string) => all.some((r) => r.category === category);
    const outgoing = q.isOutgoing && has('telecom_outgoing') ? 'telecom_outgoing' : undefined;
    const named = `telecom_${q.kind ?? 'voice'}`;
    const category = outgoing ?? (has(named) ? named : 'telecom_voice');
    return all.filter((r) =>
      r.category === 'telecom_incoming'
        ? q.origin !== undefined
        : r.category === category || !r.category.startsWith('telecom_'),
    );
  };
  const rows = ofKind(own);
  const below = [...rows, ...ofKind(also)];
  const taxes = new Map<Row, Fraction>();
  const taxOf = (row: Row): Fraction => {
    const known = taxes.get(row);
    if (known !== undefined) return known;
    const on = below
      .filter((o) => o !== row && o.base === 'CALL_COST' && row.compoundsOn.includes(o.taxCode))
      .reduce((sum, o) => plus(sum, taxOf(o)), read(q.amount));
    const isFree = q.origin !== undefined && row.exemptOrigins?.includes(q.origin);
    const rate = isFree ? none : hundredth(row.rate ?? '0');
    const tax = rounded(times(on, rate), decimalsOf(q.currency), row.rounding);
    taxes.set(row, tax);
    return tax;
  };
  return rows.flatMap((row): Answer[] => {
    if (row.base === 'CALL_COST') return [{ ruleId: row.ruleId, tax: written(taxOf(row)), as: 'charged' }];
    const many =
      row.base === 'MINUTES'
        ? (q.kind ?? 'voice') === 'voice' && { over: BigInt(q.seconds ?? 60), under: 60n }
        : row.base === 'COUNT'
          ? one
          : row.base === 'DATA_MB' && q.dataKb !== undefined && times(read(q.dataKb), { over: 1n, under: 1024n });
    if (!many) return [];
    const isFree = q.origin !== undefined && row.exemptOrigins?.includes(q.origin);
    const isTheirs =
      row.category === 'telecom_incoming' ||
      row.base === 'DATA_MB' ||
      !(q.received || (row.base === 'COUNT' && q.isMissed));
    const each = isFree || !isTheirs ? none : read(row.unitAmount ?? '0');
    const decimals = decimalsOf(row.currency ?? country.currency);
    return [{ ruleId: row.ruleId, tax: written(rounded(times(each, many), decimals, row.rounding)), as: 'charged' }];
  });
}

/**
 * The country that taxes a wager, and a second one that does too: a country whose law follows the player taxes players
 * there and no others; one whose law follows the operator, operators there, but for players that are taxed at home.
 */
export function taxedBy(
  operator: CountryRows,
  player: CountryRows,
  date: string,
): { readonly by: string | undefined; readonly also?: string } {
  const law = (c: CountryRows) => c.gaming?.find((g) => isOn(g, date))?.follows ?? 'OPERATOR';
  if (operator.jurisdiction === player.jurisdiction) return { by: operator.jurisdiction };
  const atHome = law(player) === 'PLAYER' || law(player) === 'EITHER';
  if (!atHome) return { by: law(operator) === 'PLAYER' ? undefined : operator.jurisdiction };
  return law(operator) === 'EITHER'
    ? { by: player.jurisdiction, also: operator.jurisdiction }
    : { by: player.jurisdiction };
}

/** The part of a country whose gaming taxes apply. */
export function taxedPart(
  country: CountryRows,
  parts: { readonly player: string | undefined; readonly operator: string | undefined },
  date: string,
): string | undefined {
  const law = country.gaming?.find((g) => isOn(g, date));
  return law?.part === 'OPERATOR' ? parts.operator : (parts.player ?? parts.operator);
}
