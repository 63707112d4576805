// Edge cases of findings: calls around midnight, ported numbers, networks that do not report, and calls that only look
// alike.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cdrFindings } from '../../src/modules/telecom/index.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { type CdrRow, cdrRow, dataDirOf, drop, status, wideHeader, wideLine } from '../support/cdr-files.ts';
import { imei } from '../support/cdr-world/people.ts';
import { iso } from '../support/cdr-world/rows.ts';

let t: TestApp;
let files = 0;
let ids = 0;

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-10-05T12:00:00Z' });
});
afterAll(() => t?.stop());

const call = (caller: string, receiver: string, start: string, durationS = 60, change: CdrRow = {}): CdrRow => ({
  ...cdrRow(++ids),
  timestamp: '',
  caller_number: caller,
  receiver_number: receiver,
  call_start_time: start,
  call_end_time: iso(Date.parse(start) + durationS * 1000),
  call_duration_seconds: String(durationS),
  ...change,
});
const a = (n: number) => `+234803${1_000_000 + n}`;
const b = (n: number) => `+234805${1_000_000 + n}`;
const x = (n: number) => `+234802${1_000_000 + n}`;

/** Puts a file where it is picked up before findings are read. */
function send(of: Account, rows: readonly CdrRow[], name = `f${++files}.csv`): void {
  drop(dataDirOf(t), of, name, `${[wideHeader, ...rows.map(wideLine)].join('\n')}\n`);
}
const pickUp = () => t.app.services.cdrIntake.pickUp();

/** Two operators, each with a call within its own network on each of the days. */
async function two(...days: string[]): Promise<{ psp: Account; one: Account; other: Account }> {
  const psp = await t.makePsp();
  const [one, other] = [await t.makeClient(psp), await t.makeClient(psp)];
  send(
    one,
    days.map((d) => call(a(901), a(902), `${d}T06:00:00Z`)),
  );
  send(
    other,
    days.map((d) => call(b(901), b(902), `${d}T06:00:00Z`)),
  );
  return { psp, one, other };
}

async function findings(psp: Account, timeZone = 'UTC') {
  await pickUp();
  const sections = await cdrFindings({
    db: t.database.admin,
    psp: psp.uuid,
    only: undefined,
    period: { from: Date.parse('2026-10-01T00:00:00Z'), to: Date.parse('2026-10-06T00:00:00Z'), timeZone },
    progress: () => undefined,
  });
  return (name: string, ...columns: string[]) => {
    const s = sections.find((found) => found.name === name) ?? expect.fail(`there is no section ${name}`);
    const at = columns.map((c) => s.columns.findIndex((of) => of.name === c));
    return s.rows.map((r) => at.map((i) => r.cells[i]));
  };
}

describe('calls of two sides', () => {
  it('are one call though midnight lies between their starts, and are told once', async () => {
    const { psp, one, other } = await two('2026-10-02', '2026-10-03');
    send(one, [call(a(1), b(1), '2026-10-02T23:59:59Z')]);
    send(other, [call(a(1), b(1), '2026-10-03T00:00:01Z')]);
    const of = await findings(psp);
    expect(of('offNetMatching', 'matched', 'missingAtOperator', 'missingAtOther')).toEqual([['1', '0', '0']]);
  });

  it('are two calls three seconds apart, each missing at the other side', async () => {
    const { psp, one, other } = await two('2026-10-02');
    send(one, [call(a(1), b(1), '2026-10-02T10:00:00Z')]);
    send(other, [call(a(1), b(1), '2026-10-02T10:00:03Z')]);
    const of = await findings(psp);
    expect(of('offNetMatching', 'matched', 'missingAtOperator', 'missingAtOther')).toEqual([['0', '1', '1']]);
  });

  it('are not missing at a network that does not report', async () => {
    const { psp, one, other } = await two('2026-10-02');
    send(
      one,
      [1, 2, 3].map((n) => call(a(n), x(n), `2026-10-02T10:0${n}:00Z`)),
    );
    send(other, [call(b(1), x(1), '2026-10-02T11:00:00Z'), call('+442071234567', b(1), '2026-10-02T11:10:00Z')]);
    const of = await findings(psp);
    expect(of('offNetMatching', 'matched')).toEqual([]);
  });

  it('are not missing at the old operator of a ported number', async () => {
    const { psp, other } = await two('2026-10-02');
    // A number of the first operator's block that the second one serves.
    send(
      other,
      [1, 2, 3].map((n) => call(a(500), b(n), `2026-10-02T10:0${n}:00Z`)),
    );
    send(other, [call(b(7), a(600), '2026-10-02T12:00:00Z')]);
    const of = await findings(psp);
    expect(of('offNetMissing', 'callStart')).toEqual([['2026-10-02T12:00:00Z']]);
  });

  it('are one call between numbers of one block, where a ported one calls its old network', async () => {
    const { psp, one, other } = await two('2026-10-02');
    send(one, [call(a(500), a(1), '2026-10-02T10:00:00Z', 60), call(a(2), a(1), '2026-10-02T10:00:00Z')]);
    send(other, [call(a(500), a(1), '2026-10-02T10:00:01Z', 90)]);
    const of = await findings(psp);
    expect(of('offNetMatching', 'matched', 'differing')).toEqual([['0', '1']]);
  });

  it('are seen by neither operator for itself', async () => {
    const { psp, one } = await two('2026-10-02');
    await pickUp();
    const sections = await cdrFindings({
      db: t.database.admin,
      psp: psp.uuid,
      only: one.uuid,
      period: { from: Date.parse('2026-10-01T00:00:00Z'), to: Date.parse('2026-10-06T00:00:00Z'), timeZone: 'UTC' },
      progress: () => undefined,
    });
    expect(sections.map((s) => s.name).filter((n) => n.startsWith('offNet'))).toEqual([]);
    expect(sections.find((s) => s.name === 'records')?.rows.map((r) => r.cells[0])).toEqual([one.id]);
  });
});

describe('what looks like one call twice', () => {
  it('is not when it is a long message in parts, two seconds apart, or of another length', async () => {
    const { psp, one } = await two('2026-10-02');
    send(one, [
      call(a(1), a(2), '2026-10-02T10:00:00Z', 0, { call_type: 'SMS' }),
      call(a(1), a(2), '2026-10-02T10:00:00Z', 0, { call_type: 'SMS' }),
      call(a(1), a(3), '2026-10-02T10:00:00Z'),
      call(a(1), a(3), '2026-10-02T10:00:02Z'),
      call(a(1), a(4), '2026-10-02T10:00:00Z'),
      call(a(1), a(4), '2026-10-02T10:00:01Z', 90),
      call(a(1), a(5), '2026-10-02T23:59:59Z'),
      call(a(1), a(5), '2026-10-03T00:00:00Z'),
    ]);
    const of = await findings(psp);
    expect(of('nearDuplicates', 'callStart')).toEqual([['2026-10-03T00:00:00.000Z']]);
  });
});

describe('devices', () => {
  it('are in two calls at once also over midnight, but not where one call is reported by both sides', async () => {
    const { psp, one, other } = await two('2026-10-02');
    const device = { imei_caller: imei(1) };
    send(one, [
      call(a(1), b(1), '2026-10-02T23:50:00Z', 1200, device),
      call(a(1), a(9), '2026-10-03T00:05:00Z', 60, device),
      call(a(1), a(9), '2026-10-03T00:10:00Z', 60, device),
    ]);
    send(other, [call(a(1), b(1), '2026-10-02T23:50:01Z', 1200, device)]);
    const of = await findings(psp);
    expect(of('overlappingCalls', 'callStart', 'seconds')).toEqual([['2026-10-03T00:05:00.000Z', '60']]);
  });

  it('are no devices where hundreds of numbers bear one', async () => {
    const { psp, one } = await two('2026-10-02');
    const none = { imei_caller: '000000000000000' };
    send(
      one,
      Array.from({ length: 500 }, (_, n) => call(a(n), a(900), '2026-10-02T10:00:00Z', 60, none)),
    );
    const of = await findings(psp);
    expect([of('sharedDevices', 'count'), of('overlappingCalls', 'seconds')]).toEqual([[], []]);
  });
});

describe('days', () => {
  it('are those of the period’s own calendar', async () => {
    const { psp, one } = await two('2026-10-02');
    send(one, [call(a(1), a(2), '2026-10-02T23:30:00Z')]);
    const inLagos = await findings(psp, 'Africa/Lagos');
    expect(inLagos('answersByDay', 'clientId', 'day', 'attempts').filter(([id]) => id === one.id)).toEqual([
      [one.id, '2026-10-02', '1'],
      [one.id, '2026-10-03', '1'],
    ]);
  });
});

describe('files', () => {
  it('that were refused leave their number missing until they come whole', async () => {
    const psp = await t.makePsp();
    const one = await t.makeClient(psp);
    const name = (n: number) => `CDR_MTN_2026100${n}230000_000${n}.csv`;
    send(one, [call(a(1), a(2), '2026-10-01T10:00:00Z')], name(1));
    drop(dataDirOf(t), one, name(2), 'nothing that is a header\n');
    send(one, [call(a(1), a(2), '2026-10-03T10:00:00Z')], name(3));
    await pickUp();
    expect(status(dataDirOf(t), one, name(3)).errors).toMatchObject([
      { line: 0, code: 'SEQUENCE_GAP', severity: 'warning', message: expect.stringContaining('number 2 is missing') },
    ]);
    expect((await findings(psp))('sequenceGaps', 'from', 'to')).toEqual([['2', '2']]);
    send(one, [call(a(1), a(2), '2026-10-02T10:00:00Z')], name(2));
    expect((await findings(psp))('sequenceGaps', 'from', 'to')).toEqual([]);
  });

  it('of other names have no numbers', async () => {
    const psp = await t.makePsp();
    const one = await t.makeClient(psp);
    send(one, [call(a(1), a(2), '2026-10-01T10:00:00Z')]);
    const of = await findings(psp);
    expect([of('sequenceGaps', 'from'), of('filesPerDay', 'files')]).toEqual([[], [['1']]]);
  });
});
