// Which commits are sent to the server that has the rows, and what happens when it cannot take them. The servers are
// simulated, so that each answer can be chosen; durability/citus-places.test.ts uses a cluster.
import { describe, expect, it } from 'vitest';
import { bind, commitForm } from './batch-parameters.ts';
import type { Writes } from './command.ts';
import { commitOf, inParts } from './commit-parts.ts';
import { onServer } from './database-hosts.ts';
import { makeLog } from './log.ts';
import { Places, type PlacesOptions } from './places.ts';

const types = commitForm.definitions.map((d, i) => ({ name: commitForm.function.rowType(d.table), oid: i + 1 }));
/** Where the coordinator says that the places are, and the PSPs. */
const places = [
  { place: '101', host: 'worker-a', port: 1 },
  { place: '102', host: 'worker-b', port: 2 },
];
const placeOf: Readonly<Record<string, string>> = { p1: '101', p2: '101', p3: '102' };
const sqlError = (code: string) => Object.assign(new Error(`SQLSTATE ${code}`), { code });

function make() {
  let now = 0;
  /** The coordinator's questions, and each server's commits by the texts of their statements. */
  const asked: string[] = [];
  const sent: Record<string, string[]> = { coordinator: [] };
  const away = new Set<string>();
  let failure: Error | undefined;
  const query = async <R>(text: string, values: readonly unknown[] = []): Promise<R[]> => {
    asked.push(text);
    if (text.includes('pg_dist_shard')) return places as R[];
    return (values[0] as string[]).map((psp) => ({ psp, place: placeOf[psp] })) as R[];
  };
  const committing =
    (server: string) =>
    async <R>(_: string, text: string): Promise<R[]> => {
      if (failure) throw failure;
      (sent[server] ??= []).push(text);
      return [{ failed: [] }] as R[];
    };
  const options: PlacesOptions = {
    coordinator: { query },
    connect: (host) => ({
      async query<R>(): Promise<R[]> {
        asked.push(host);
        if (away.has(host)) throw new Error('refused');
        return types as R[];
      },
      committing: committing(host),
      end: async () => undefined,
    }),
    form: commitForm,
    log: makeLog('silent'),
    monotonic: () => now,
  };
  const found = new Places(options);
  const pool = { distributed: true, query, committing: committing('coordinator'), transaction: () => Promise.reject() };
  const form = bind(commitForm, new Map(types.map((t, i) => [commitForm.definitions[i]?.table as string, t.oid])));
  const commits = { pool, form, places: found };
  const parts = (...writes: Writes[]) =>
    inParts(
      commits,
      writes.map((w) => ({ writes: w })),
    );
  return {
    places: found,
    sent,
    asked,
    away,
    advance: (ms: number) => (now += ms),
    fail: (e: Error | undefined) => (failure = e),
    parts,
    async commit(...writes: Writes[]) {
      await Promise.all((await parts(...writes)).map((part) => commitOf(commits, part)()));
    },
  };
}

const entry = (psp: string): Writes => ({
  accounts: [],
  rows: [['journal', { psp_id: psp, seq: 0, id: psp, kind: 'test', account_id: psp, resource_id: psp, body: '{}' }]],
});
const at = (place: string) => [expect.stringContaining(commitForm.function.nameAt(place))];

describe('a commit on a cluster', () => {
  it('is one call on the server that has the rows, for all PSPs of a place together', async () => {
    const t = make();
    await t.places.start();
    await t.commit(...['p1', 'p2', 'p3', 'p1'].map(entry));
    expect(t.sent).toEqual({ coordinator: [], 'worker-a': at('101'), 'worker-b': at('102') });
  });

  it('asks once where a PSP lies', async () => {
    const t = make();
    await t.places.start();
    await t.commit(entry('p1'));
    const asked = t.asked.length;
    await t.commit(entry('p1'));
    expect(t.asked).toHaveLength(asked);
  });

  it('goes through the coordinator where it writes what other servers have copies of', async () => {
    const t = make();
    await t.places.start();
    const session: Writes['rows'][number] = ['sessions', { psp_id: 'p1' } as never];
    const parts = await t.parts(entry('p1'), { ...entry('p1'), rows: [...entry('p1').rows, session] });
    expect(parts.map((part) => part.map((d) => d.place !== undefined))).toEqual([[true], [false]]);
  });

  it('goes through the coordinator while the server is out of reach, which is asked again after a time', async () => {
    const t = make();
    t.away.add('worker-a');
    await t.places.start();
    await t.commit(entry('p1'));
    expect(t.sent.coordinator).toHaveLength(1);
    t.away.clear();
    await t.commit(entry('p1'));
    expect(t.sent.coordinator).toHaveLength(2);
    t.advance(10_000);
    await t.commit(entry('p1'));
    await t.commit(entry('p1'));
    expect(t.sent['worker-a']).toEqual(at('101'));
  });

  it.each(['40001', '08006', '57P01'])('reads the places again after %s', async (code) => {
    const t = make();
    await t.places.start();
    await t.commit(entry('p1'));
    t.fail(sqlError(code));
    await expect(t.commit(entry('p1'))).rejects.toMatchObject({ code });
    t.fail(undefined);
    const asked = t.asked.length;
    await t.commit(entry('p1'));
    expect(t.asked.slice(asked).some((text) => text.includes('pg_dist_shard'))).toBe(true);
  });

  it('is decided again, and then goes through the coordinator, at a place without a function', async () => {
    const t = make();
    await t.places.start();
    t.fail(sqlError('42883'));
    await expect(t.commit(entry('p1'))).rejects.toMatchObject({ code: '40001' });
    t.fail(undefined);
    await t.commit(entry('p1'));
    expect(t.sent).toEqual({ coordinator: [expect.stringContaining(commitForm.function.nameOfOne)] });
  });
});

it.each([
  ['postgres://u:p@c:5432/assay', 'postgres://u:p@w:6000/assay'],
  [
    'postgres://u:p@c1:5432,c2:5432/assay?target_session_attrs=read-write&sslmode=require',
    'postgres://u:p@w:6000/assay?sslmode=require',
  ],
  ['postgres://u@c/assay?sslmode=require&target_session_attrs=primary', 'postgres://u@w:6000/assay?sslmode=require'],
  ['postgres://c/assay', 'postgres://w:6000/assay'],
])('the URL %s on a worker is %s', (url, expected) => expect(onServer(url, 'w', 6000)).toBe(expected));
