// A call detail file of the demo: ordinary calls of some hours, and lines that break the rules.
import { type Chance, chance } from './chance.ts';
import type { CallFile, World } from './plan.ts';

type Row = Readonly<Record<string, string>>;

const columns = [
  'cdr_id',
  'timestamp',
  'caller_number',
  'receiver_number',
  'call_start_time',
  'call_end_time',
  'call_duration_seconds',
  'call_type',
  'call_status',
  'network_provider',
  'billing_information_call_cost',
  'billing_information_currency',
  'billing_information_billing_plan',
] as const;

const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const abroad = ['+442079460', '+331456789', '+12125550', '+233244123'];
const other = '+234805';

/** What is wrong with some rows: a slip of each kind that a billing system makes. */
const slips: readonly ((row: Row) => Row)[] = [
  (r) => ({ ...r, call_duration_seconds: 'long' }),
  (r) => ({ ...r, receiver_number: '08O3-12' }),
  (r) => ({ ...r, call_end_time: r.timestamp ?? '', call_start_time: 'yesterday' }),
  (r) => ({ ...r, billing_information_currency: 'NGX' }),
  (r) => ({ ...r, cdr_id: '' }),
  (r) => ({ ...r, billing_information_call_cost: '-4.00' }),
];

/** @param nowMs when the file is sent: its calls were in the twenty hours before */
export function callFile(world: World, event: CallFile, nowMs: number): { name: string; text: string } {
  const network = event.merchant.network;
  if (!network) throw new Error(`${event.merchant.name} has no network`);
  const c = chance(world.seed, event.merchant.code, 'calls', String(event.number));
  const rows = Array.from({ length: event.rows }, (_, i) => {
    const row = call(c, network, nowMs, `${network.token}-${event.number}-${String(i + 1).padStart(5, '0')}`);
    return c.next() < 0.03 ? c.pick(slips)(row) : row;
  });
  const stamp = iso(nowMs).replace(/\D/g, '').slice(0, 14);
  const lines = rows.map((row) => columns.map((name) => row[name] ?? '').join());
  return {
    name: `CDR_${network.token}_${stamp}_${String(event.number).padStart(4, '0')}.csv`,
    text: `${[columns.join(), ...lines].join('\n')}\n`,
  };
}

const digits = (c: Chance, n: number) => Array.from({ length: n }, () => c.whole(0, 9)).join('');

function call(c: Chance, network: { name: string; numbers: string }, nowMs: number, id: string): Row {
  const type = c.weighed([
    [74, 'VOICE'],
    [20, 'SMS'],
    [6, 'VOIP'],
  ] as const);
  const status = type === 'SMS' ? 'DELIVERED' : c.weighed([[8, 'COMPLETED'] as const, [1, 'NO_ANSWER'], [1, 'BUSY']]);
  const seconds = status === 'COMPLETED' ? c.whole(5, 700) : 0;
  const start = nowMs - c.whole(3600, 72_000) * 1000;
  const cost = type === 'SMS' ? 400 : Math.ceil(seconds / 6) * 66;
  return {
    cdr_id: id,
    timestamp: iso(start + seconds * 1000 + 2000),
    caller_number: `${network.numbers}${digits(c, 7)}`,
    receiver_number: c.weighed([
      [6, `${network.numbers}${digits(c, 7)}`],
      [3, `${other}${digits(c, 7)}`],
      [1, `${c.pick(abroad)}${digits(c, 3)}`],
    ]),
    call_start_time: iso(start),
    call_end_time: iso(start + seconds * 1000),
    call_duration_seconds: String(seconds),
    call_type: type,
    call_status: status,
    network_provider: network.name,
    billing_information_call_cost: (cost / 100).toFixed(2),
    billing_information_currency: 'NGN',
    billing_information_billing_plan: 'PREPAID',
  };
}
