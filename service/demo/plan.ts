// The plan of a demo world: everything that is to happen, in order of time, from the seed alone. Nothing of it depends on
// what the service answers, so that the same seed asks for the same things.

import { firstNames, type House, houses, lastNames, type Merchant, troubles } from './cast.ts';
import { type Chance, chance } from './chance.ts';

export interface World {
  readonly seed: number;
  readonly days: number;
  /** How busy it is; 1 is some 165 transactions a day. */
  readonly scale: number;
}

export interface Customer {
  readonly name: string;
  readonly email: string;
  readonly phoneNumber: string;
}

interface Happening {
  readonly house: House;
  readonly merchant: Merchant;
  /** Minutes since the world began. */
  readonly minute: number;
}

/** A sale; `amount` is in hundredths of the currency. */
export interface Sale extends Happening {
  readonly kind: 'sale';
  readonly ref: string;
  readonly amount: number;
  readonly fee: number;
  readonly mcc: string;
  /** Parts by payment method; now and then they do not add up. */
  readonly methods: Readonly<Record<string, number>>;
  readonly basket: readonly Line[] | undefined;
}
export interface Line {
  readonly title: string;
  readonly quantity: number;
  /** In hundredths. */
  readonly price: number;
  readonly vatExempt: boolean;
}
export interface Movement extends Happening {
  readonly kind: 'deposit' | 'withdrawal' | 'cryptoDeposit' | 'cryptoWithdrawal';
  readonly ref: string;
  /** Exact decimal text. */
  readonly amount: string;
  readonly fee: string;
  readonly currency: string;
  readonly customer: Customer;
  /** Hexadecimal digits that hashes and addresses are made of. */
  readonly digits: string;
  /** Whether the address it goes to is mistyped. */
  readonly flawed: boolean;
}
export interface Bet extends Happening {
  readonly kind: 'wager' | 'payout';
  readonly ref: string;
  readonly wagerRef: string;
  readonly amount: number;
  readonly customer: Customer;
  readonly line: string;
  readonly ip: string;
}
/** What is done to a sale after it: the PSP declines it, it is charged back, or the charge is netted with a later sale. */
export interface Aftermath extends Happening {
  readonly kind: 'decline' | 'chargeback' | 'netting';
  readonly ref: string;
  readonly against?: string;
}
export interface Standing extends Happening {
  readonly kind: 'bar' | 'free';
  readonly how: 'suspended' | 'hold';
  readonly reason: string;
}
export interface CallFile extends Happening {
  readonly kind: 'calls';
  readonly number: number;
  readonly rows: number;
}

export type Event = Sale | Movement | Bet | Aftermath | Standing | CallFile;

const dayMinutes = 1440;
/** Makes a day of scale 1 one of some 165 transactions. */
const usual = 0.8;

export function planOf(world: World): readonly Event[] {
  const events = houses.flatMap((house) => house.merchants.flatMap((m) => merchantPlan(world, house, m)));
  return events
    .map((e, i) => [e, i] as const)
    .sort(([a, i], [b, j]) => a.minute - b.minute || i - j)
    .map(([e]) => e);
}

function merchantPlan(world: World, house: House, merchant: Merchant): Event[] {
  const out: Event[] = [];
  for (let day = 0; day < world.days; day++) {
    const c = chance(world.seed, merchant.code, String(day));
    const weekend = day % 7 > 4 ? 1.3 : 1;
    const trend = 0.85 + (0.3 * day) / Math.max(1, world.days - 1);
    const mean = usual * merchant.daily * world.scale * weekend * trend;
    // The part of an event that a mean has beyond whole ones happens as often.
    const count = Math.floor(mean * (0.8 + c.next() * 0.4) + c.next());
    const d: Day = { c, house, merchant, day, out, nth: 0 };
    for (let i = 0; i < count; i++) trades[merchant.trade](d);
    if (merchant.network && day % 3 === 1)
      out.push({ kind: 'calls', ...at(d, 1200), number: (day + 2) / 3, rows: Math.ceil(420 * world.scale) });
  }
  const sales = out.filter((e): e is Sale => e.kind === 'sale');
  const inTime = out.filter((e) => e.minute < world.days * dayMinutes);
  return [...inTime, ...aftermaths(world, sales), ...standings(world, house, merchant)];
}

interface Day {
  readonly c: Chance;
  readonly house: House;
  readonly merchant: Merchant;
  readonly day: number;
  readonly out: Event[];
  nth: number;
}

const at = (d: Day, minute: number) => ({
  house: d.house,
  merchant: d.merchant,
  minute: d.day * dayMinutes + minute,
});
/** Busy by day and in the evening, hardly at night. */
const someTime = (c: Chance) => Math.floor(360 + ((c.next() + c.next()) / 2) * 1060);
const nextRef = (d: Day, letter: string) =>
  `${d.merchant.code}-d${String(d.day).padStart(3, '0')}-${letter}${String(++d.nth).padStart(4, '0')}`;
const around = (c: Chance, amount: number) => Math.max(1, Math.round(amount * 100 * (0.25 + 1.9 * c.next() ** 2)));

function customer({ c, merchant }: Day): Customer {
  const [first, last] = [c.pick(firstNames), c.pick(lastNames)];
  const n = c.whole(10, 60);
  return {
    name: `${first} ${last}`,
    email: `${first}.${last}${n}@example.com`.toLowerCase(),
    phoneNumber: `${merchant.prefix}${String(n * 37 + 1000).slice(0, 4)}`,
  };
}

const goods = ['Notebook', 'Coffee', 'Novel', 'Lamp', 'Headphones', 'Rice 5 kg', 'Scarf', 'Seedlings'];

function shop(d: Day): void {
  const { c, merchant, house } = d;
  const large = c.next() < 0.005;
  let amount = around(c, merchant.amount) + (large ? house.large * 100 : 0);
  let basket: Line[] | undefined;
  if (!large && c.next() < 0.12) {
    basket = Array.from({ length: c.whole(1, 4) }, () => ({
      title: c.pick(goods),
      quantity: c.whole(1, 3),
      price: Math.max(50, Math.round(around(c, merchant.amount) / 3)),
      vatExempt: c.next() < 0.15,
    }));
    amount = basket.reduce((sum, l) => sum + l.quantity * l.price, 0);
  }
  const voucher = c.next() < 0.1 ? Math.floor(amount / 5) : 0;
  const odd = c.next() < 0.015 ? 100 : 0;
  d.out.push({
    kind: 'sale',
    ...at(d, someTime(c)),
    ref: nextRef(d, 's'),
    amount,
    fee: Math.round(amount * 0.012),
    mcc: c.pick(merchant.mccs),
    methods: {
      [c.next() < 0.9 ? 'card' : 'cash']: amount - voucher + odd,
      ...(voucher > 0 ? { vouchers: voucher } : {}),
    },
    basket,
  });
}

const lines = [
  [5, 'sports'],
  [3, 'casino'],
  [1, 'lottery'],
] as const;

function gaming(d: Day): void {
  const { c, merchant, house } = d;
  const who = customer(d);
  const kind = c.next() < 0.72 ? 'deposit' : 'withdrawal';
  const cents = around(c, merchant.amount);
  const minute = someTime(c);
  const text = (n: number) => (n / 100).toFixed(2);
  d.out.push({
    kind,
    ...at(d, minute),
    ref: nextRef(d, kind === 'deposit' ? 'p' : 'q'),
    amount: text(cents),
    fee: text(Math.round(cents * 0.01)),
    currency: house.currency,
    customer: who,
    digits: hex(c, 40),
    flawed: false,
  });
  if (kind === 'withdrawal') return;
  const wagerRef = nextRef(d, 'w');
  const stake = Math.max(1, Math.round(cents * (0.2 + c.next() * 0.7)));
  const bet = {
    customer: who,
    line: c.weighed(lines),
    ip: `${c.pick(['102.89.23', '196.201.214', '81.2.69'])}.${c.whole(1, 254)}`,
    wagerRef,
  };
  d.out.push({ kind: 'wager', ...at(d, minute + 25), ref: wagerRef, amount: stake, ...bet });
  if (c.next() < 0.4)
    d.out.push({
      kind: 'payout',
      ...at(d, minute + 90),
      ref: nextRef(d, 'o'),
      amount: Math.max(1, Math.round(stake * (0.5 + c.next() * 2.8))),
      ...bet,
    });
}

const hex = (c: Chance, length: number) => Array.from({ length }, () => c.whole(0, 15).toString(16)).join('');

function crypto(d: Day): void {
  const { c, merchant } = d;
  const kind = c.next() < 0.6 ? 'cryptoDeposit' : 'cryptoWithdrawal';
  const currency = c.weighed([
    [5, 'ETH'],
    [4, 'USDT'],
    [2, 'BTC'],
  ] as const);
  const scale = { ETH: 1, USDT: 2500, BTC: 0.04 }[currency];
  const decimals = currency === 'USDT' ? 2 : 6;
  const amount = merchant.amount * scale * (0.2 + 2 * c.next());
  d.out.push({
    kind,
    ...at(d, someTime(c)),
    ref: nextRef(d, kind === 'cryptoDeposit' ? 'c' : 'x'),
    amount: amount.toFixed(decimals),
    fee: (amount * 0.002).toFixed(decimals),
    currency,
    customer: customer(d),
    digits: hex(c, 64),
    flawed: c.next() < 0.03,
  });
}

const trades: Readonly<Record<Merchant['trade'], (d: Day) => void>> = { shop, gaming, crypto, telecom: shop };

/** Some sales are declined soon after, some charged back days later; of these some are netted with a larger sale. */
function aftermaths(world: World, sales: readonly Sale[]): Event[] {
  const out: Event[] = [];
  const end = world.days * dayMinutes;
  const spent = new Set<string>();
  for (const sale of sales) {
    // What a netting rests on stays as it is.
    if (spent.has(sale.ref)) continue;
    const c = chance(world.seed, sale.ref);
    const roll = c.next();
    const { house, merchant, ref } = sale;
    const then = (kind: Aftermath['kind'], minute: number, against?: string) => {
      spent.add(ref);
      if (minute < end) out.push({ kind, house, merchant, ref, minute, ...(against ? { against } : {}) });
    };
    if (roll < 0.012) then('decline', sale.minute + 90);
    else if (roll < 0.028) {
      const filed = sale.minute + c.whole(1, 6) * dayMinutes;
      then('chargeback', filed);
      const later = sales.find(
        (s) => s.minute > filed + 60 && s.amount > sale.amount && !spent.has(s.ref) && !s.basket,
      );
      if (later && c.next() < 0.6) {
        spent.add(later.ref);
        then('netting', later.minute + 60, later.ref);
      }
    }
  }
  return out;
}

function standings(world: World, house: House, merchant: Merchant): Event[] {
  return troubles
    .filter((t) => t.merchant === merchant.code)
    .flatMap((t) => {
      const minute = (share: number) => Math.floor(share * world.days * dayMinutes);
      const what = { house, merchant, how: t.kind, reason: t.reason };
      return [
        { kind: 'bar' as const, ...what, minute: minute(t.from) },
        { kind: 'free' as const, ...what, minute: minute(t.to) },
      ];
    });
}
