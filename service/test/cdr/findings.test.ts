// A month of three operators with planted cases: the report of findings shows each of them and nothing else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { type CdrRow, dataDirOf, status } from '../support/cdr-files.ts';
import { operators } from '../support/cdr-world/people.ts';
import type { Planted } from '../support/cdr-world/planted.ts';
import { type TakenIn, takeIn } from '../support/cdr-world/take-in.ts';
import { World } from '../support/cdr-world/world.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { shownNumber } from '../support/shown-number.ts';

type Line = Readonly<Record<string, string | null>> & { readonly open?: string };
type Section = readonly Line[];

let t: TestApp;
let psp: Account;
let taken: TakenIn;
let planted: Planted;
let sections: Map<string, Section>;
const month = '2026-10';

const shown = (number: string) => shownNumber(t, psp, number);
const section = (name: string): Section => sections.get(name) ?? expect.fail(`there is no section ${name}`);
const tokenOf = (network: string | null) => operators.find((o) => o.network === network)?.token ?? expect.fail();
const lines = (name: string, ...columns: string[]) => section(name).map((l) => columns.map((c) => l[c]));

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-10-01T00:00:00Z' });
  psp = await t.makePsp();
  const world = new World({ seed: 20_261, month, perDay: 24 });
  taken = await takeIn(t, psp, world);
  planted = world.planted;
  t.advance(86_400_000);
  sections = await findings(psp);
});
afterAll(() => t?.stop());

async function findings(of: Account): Promise<Map<string, Section>> {
  const { reportId } = await made(t, { kind: 'cdrFindings', period: month }, of.apiKey);
  const { body } = await t.get(`/v1/report/${reportId}/json`, of.apiKey);
  const texts = (l: object) => Object.fromEntries(Object.entries(l).map(([c, v]) => [c, v === null ? v : String(v)]));
  return new Map(body.sections.map((s: { name: string; rows: object[] }) => [s.name, s.rows.map(texts)]));
}

/** The first sound row of each id: what is on record. */
function onRecord(token: string): CdrRow[] {
  const bad = new Set(planted.bad.filter((b) => b.operator === token).map((b) => b.id));
  const rows = new Map<string, CdrRow>();
  for (const r of taken.rowsOf(token)) if (!bad.has(r.cdr_id as string)) rows.set(r.cdr_id as string, r);
  return [...rows.values()];
}
const isCall = (r: CdrRow) => ['VOICE', 'VIDEO', 'VOIP'].includes(r.call_type as string);

it('has planted something of every kind', () => {
  const { indicators, sharedDevices, foreign, ...lists } = planted;
  expect(Object.entries(lists).filter(([, list]) => list.length === 0)).toEqual([]);
  expect([indicators.size, sharedDevices.size, foreign.size]).toEqual([8, 2, 4]);
});

describe('what was delivered', () => {
  it('shows each missing file number, before the file that shows it', () => {
    expect(lines('sequenceGaps', 'name', 'day', 'from', 'to').sort()).toEqual(
      planted.gaps.map((g) => [g.operator, g.day, String(g.from), String(g.to)]).sort(),
    );
  });

  it('is told at once with that file, as a warning of its status', () => {
    for (const l of section('sequenceGaps')) {
      const account = taken.accounts.get(l.name as string) as Account;
      const { errors } = status(dataDirOf(t), account, l.before as string);
      expect(errors.filter((e: { code: string }) => e.code === 'SEQUENCE_GAP')).toHaveLength(1);
    }
    const warned = taken.files.filter((f) =>
      status(dataDirOf(t), taken.accounts.get(f.operator.token) as Account, f.name).errors.some(
        (e: { code: string }) => e.code === 'SEQUENCE_GAP',
      ),
    );
    expect(warned).toHaveLength(planted.gaps.length);
  });

  it('shows each file number used twice', () => {
    expect(lines('doubledNumbers', 'name', 'day', 'number').sort()).toEqual(
      planted.doubledNumbers.map((d) => [d.operator, d.day, String(d.number)]).sort(),
    );
  });

  it('counts files and lines by day', () => {
    const sum = (column: string) => section('filesPerDay').reduce((n, l) => n + Number(l[column]), 0);
    expect(sum('files')).toBe(taken.files.length);
    expect(sum('rejected')).toBe(planted.bad.length);
    expect(sum('duplicates')).toBe(planted.duplicates.length);
    expect(sum('accepted') + sum('rejected') + sum('duplicates')).toBe(taken.files.flatMap((f) => f.rows).length);
    expect(section('filesPerDay')).toHaveLength(operators.length * 31);
  });

  it('says what the rejected lines are worth, and of how many nothing can be read', () => {
    const expected = operators.flatMap((o) => {
      const bad = planted.bad.filter((b) => b.operator === o.token);
      const read = bad.filter((b) => b.cost !== undefined);
      const value = (read.reduce((n, b) => n + Math.round(Number(b.cost) * 100), 0) / 100).toFixed(2);
      return [
        [o.network, 'OPEN', String(read.length), 'NGN', value],
        [o.network, 'OPEN', String(bad.length - read.length), null, null],
      ].filter(([, , n]) => n !== '0');
    });
    const shown = section('suspense').map((l) => [
      l.operator,
      l.state,
      l.lines,
      l.currency,
      l.value && Number(l.value).toFixed(2),
    ]);
    expect(shown.sort()).toEqual(expected.sort());
  });
});

describe('how calls went', () => {
  it('counts records, late ones and near-duplicates by operator', () => {
    const of = (o: string, names: readonly string[]) => String(names.filter((n) => n.startsWith(`${o} `)).length);
    expect(lines('records', 'operator', 'records', 'late', 'duplicates', 'nearDuplicates').sort()).toEqual(
      operators
        .map((o) => [
          o.network,
          String(onRecord(o.token).length),
          of(o.token, planted.late),
          of(o.token, planted.duplicates),
          of(
            o.token,
            planted.nearDuplicates.map(([, again]) => again),
          ),
        ])
        .sort(),
    );
  });

  it('gives answers and average durations as they follow from the rows', () => {
    for (const o of operators) {
      const days = section('answersByDay').filter((l) => l.operator === o.network);
      expect(days).toHaveLength(31);
      for (const l of days) {
        const calls = onRecord(o.token).filter((r) => isCall(r) && r.call_start_time?.startsWith(l.day as string));
        const answered = calls.filter((r) => ['COMPLETED', 'DROPPED'].includes(r.call_status as string));
        const seconds = answered.reduce((n, r) => n + Number(r.call_duration_seconds), 0);
        expect([l.attempts, l.answered]).toEqual([String(calls.length), String(answered.length)]);
        expect(Number(l.asr)).toBeCloseTo((100 * answered.length) / calls.length, 1);
        const reached = calls.filter((r) => !['CANCELLED', 'FAILED'].includes(r.call_status as string));
        expect(Number(l.ner)).toBeCloseTo((100 * reached.length) / calls.length, 1);
        expect(Number(l.acd)).toBeCloseTo(seconds / answered.length, 1);
      }
    }
  });

  it('gives means and shares of speech quality as they follow from the rows', () => {
    expect(section('voiceQuality').map((l) => l.callType)).toEqual(['VOIP', 'VOIP', 'VOIP']);
    for (const l of section('voiceQuality')) {
      const rows = onRecord(tokenOf(l.operator as string)).filter((r) => r.call_type === 'VOIP');
      for (const [name, column, most] of [
        ['packetLoss', 'voip_details_packet_loss_percentage', 1],
        ['jitter', 'voip_details_jitter_ms', 30],
        ['latency', 'voip_details_latency_ms', 150],
      ] as const) {
        const values = rows.map((r) => Number(r[column]));
        expect(l[`${name}Calls`]).toBe(String(values.length));
        expect(Number(l[`${name}Mean`])).toBeCloseTo(values.reduce((a, b) => a + b, 0) / values.length, 1);
        const above = values.filter((v) => v > most).length;
        expect(Number(l[`${name}Above`])).toBeCloseTo((100 * above) / values.length, 1);
      }
    }
  });

  it('names the networks that are not the own, and opens to their records', async () => {
    const counts = new Map<string, number>();
    for (const [network, names] of planted.foreign)
      for (const n of names)
        counts.set(`${n.split(' ')[0]} ${network}`, (counts.get(`${n.split(' ')[0]} ${network}`) ?? 0) + 1);
    expect(
      section('foreignNetworks')
        .map((l) => [`${tokenOf(l.operator as string)} ${l.network}`, Number(l.records)])
        .sort(),
    ).toEqual([...counts].sort());
    const [first] = section('foreignNetworks');
    const opened = contentOf(await t.get(`${first?.open}&limit=100`, psp.apiKey)).items;
    expect(opened).toHaveLength(Number(first?.records));
    expect(new Set(opened.map((r: { record: CdrRow }) => r.record.network_provider))).toEqual(
      new Set([first?.network]),
    );
    for (const r of opened) expect(r.warnings).toMatchObject([{ column: 'network_provider', code: 'FOREIGN_NETWORK' }]);
  });
});

describe('calls reported twice', () => {
  it('by one operator under two ids are near-duplicates', () => {
    expect(
      section('nearDuplicates')
        .map((l) => pair(l.operator, l.first, l.again))
        .sort(),
    ).toEqual(planted.nearDuplicates.map(([a, b]) => unordered(a, b)).sort());
  });

  it('by both sides agree, differ, or are missing at one of them', () => {
    const network = (token: string) => operators.find((o) => o.token === token)?.network;
    expect(lines('offNetMissing', 'reportedBy', 'cdrId', 'missingAt').sort()).toEqual(
      planted.unmatched
        .map((u) => [network(u.record.split(' ')[0] as string), u.record.split(' ')[1], network(u.missingAt)])
        .sort(),
    );
    expect(
      section('offNetDiffering')
        .map((l) =>
          unordered(`${tokenOf(l.operator as string)} ${l.cdrId}`, `${tokenOf(l.other as string)} ${l.otherCdrId}`),
        )
        .sort(),
    ).toEqual(planted.differing.map(([a, b]) => unordered(a, b)).sort());
    const sum = (column: string) => section('offNetMatching').reduce((n, l) => n + Number(l[column]), 0);
    expect(sum('matched')).toBe(planted.matched.length);
    expect(sum('differing')).toBe(planted.differing.length);
    expect(sum('missingAtOperator') + sum('missingAtOther')).toBe(planted.unmatched.length);
  });

  it('opens to both records', async () => {
    const [first] = section('offNetDiffering');
    const { items } = contentOf(await t.get(first?.open as string, psp.apiKey));
    expect(new Set(items.map((i: { record: CdrRow }) => i.record.cdr_id))).toEqual(
      new Set([first?.cdrId, first?.otherCdrId]),
    );
  });
});

describe('callers and devices', () => {
  it('stand out by the indicators that were planted, and no others do', () => {
    expect(
      section('standoutCallers')
        .map((l) => [l.number, (l.indicators as string).split(' ').sort()])
        .sort(),
    ).toEqual([...planted.indicators].map(([number, of]) => [shown(number), of.toSorted()]).sort());
  });

  it('stand beside the figures they stand out by, and open to the calls', async () => {
    for (const l of section('standoutCallers')) {
      const token = tokenOf(l.operator as string);
      const calls = onRecord(token).filter((r) => isCall(r));
      const made = calls.filter((r) => shown(r.caller_number as string) === l.number);
      const received = calls.filter((r) => shown(r.receiver_number as string) === l.number);
      expect([l.days, l.made, l.received]).toEqual(['2', String(made.length), String(received.length)]);
      expect(l.places).toBe(String(new Set(made.map((r) => r.caller_location_latitude)).size));
      const opened = contentOf(await t.get(`${l.open}&limit=100`, psp.apiKey)).items;
      expect(opened.map((r: { record: CdrRow }) => r.record.cdr_id).sort()).toEqual(made.map((r) => r.cdr_id).sort());
    }
  });

  it('are shared devices where many numbers call from one', async () => {
    expect(
      section('sharedDevices')
        .map((l) => (l.numbers as string).split(', ').sort())
        .sort(),
    ).toEqual([...planted.sharedDevices.values()].map((numbers) => numbers.map(shown).sort()).sort());
    for (const l of section('sharedDevices')) {
      const { items } = contentOf(await t.get(`${l.open}&limit=1`, psp.apiKey));
      expect(l.numbers).toContain(shown(items[0].record.caller_number));
    }
  });

  it('are told where one device is in two calls at once', () => {
    expect(
      section('overlappingCalls')
        .map((l) => `${tokenOf(l.operator as string)} ${l.second} ${l.seconds}`)
        .sort(),
    ).toEqual(planted.overlaps.map(([, second]) => `${second} 200`).sort());
  });
});

describe('who may see it', () => {
  it('is the PSP, of all its operators or of one of them; not an operator', async () => {
    const [o] = operators as [(typeof operators)[number]];
    const client = taken.accounts.get(o.token) as Account;
    const r = await t.post('/v1/report', { kind: 'cdrFindings', period: month }, client.apiKey);
    expectRefusal(r, 403, 'AUDIENCE');
    const onBehalf = { 'x-client-id': client.id };
    const mine = contentOf(await t.post('/v1/report', { kind: 'cdrFindings', period: month }, psp.apiKey, onBehalf));
    expect(mine.clientId).toBe(client.id);
  });
});

const unordered = (a: string, b: string) => [a, b].sort().join(' + ');
const pair = (network: string | null | undefined, a?: string | null, b?: string | null) =>
  unordered(`${tokenOf(network ?? null)} ${a}`, `${tokenOf(network ?? null)} ${b}`);
