// Caches are bounded by an estimate of their bytes: it is held against the heap, with values as they are read.
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Edge } from '../src/core/audit/tiles.ts';
import { decimal } from '../src/core/money.ts';
import { activityText, count as countIn, newActivity } from '../src/core/risk/activity.ts';
import { activityName } from '../src/core/risk/watch.ts';
import { AccessChanges } from '../src/modules/accounts/access-changes.ts';
import { AccountDirectory } from '../src/modules/accounts/accounts.ts';
import { KeyRing } from '../src/modules/accounts/keys.ts';
import { SubjectKeys } from '../src/modules/kernel/subjects.ts';
import { KeptActivities } from '../src/modules/risk/kept-activities.ts';
import type { ActivityKey } from '../src/modules/risk/watch-store.ts';
import type { Database } from '../src/platform/database.ts';
import { sha256 } from '../src/platform/hashing.ts';
import { IdMaker } from '../src/platform/random.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
/** When nothing more is collected: what earlier tests left would otherwise be counted as freed by this one. */
async function heap(): Promise<number> {
  for (let last = Number.POSITIVE_INFINITY; ; ) {
    gc();
    await setImmediate();
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external > last - 4096) return heapUsed + external;
    last = heapUsed + external;
  }
}

const ids = new IdMaker(() => Date.UTC(2026, 10, 24));
/** Three times as many stay below the bound of each cache. */
const count = 3000;
/** A database that answers each statement with rows made as the driver makes them: texts of their own. */
const answering = (rowOf: () => object): Database => ({
  query: async <R extends object>() => JSON.parse(JSON.stringify(Array.from({ length: count }, rowOf))) as R[],
});
const unchanged = new AccessChanges(
  answering(() => ({})),
  () => 0,
);

/** The middle of three measurements: in one of them the engine may free, or make, something else. @param fill adds `count` more */
async function bytesEach(fill: () => Promise<unknown>): Promise<number> {
  const measured: number[] = [];
  for (let before = await heap(); measured.length < 3; ) {
    await fill();
    const after = await heap();
    measured.push((after - before) / count);
    before = after;
  }
  return measured.sort((a, b) => a - b)[1] as number;
}

/** The estimate is not below what there is, and not twice of it. */
function expectNear(estimate: number, measured: number): void {
  expect(estimate).toBeGreaterThanOrEqual(measured);
  expect(estimate).toBeLessThanOrEqual(2 * measured);
}

describe('the estimate of bytes', () => {
  it('of a key', async () => {
    const psp = ids.next();
    const db = answering(() => ({
      id: ids.next(),
      psp_id: psp,
      account_id: ids.next(),
      secret_hash: 'ab'.repeat(32),
      expires_at: null,
      revoked_at: null,
      scopes: null,
      kind: 'client',
      operational_standing: 'ACTIVE',
      test: false,
      standings: 'ACTIVE ACTIVE',
      version: 1,
      access: 0,
      psp_version: 1,
      lives: [],
    }));
    const ring = new KeyRing(db, () => 0, unchanged);
    expectNear(1800, await bytesEach(() => ring.facts.load(db, [])));
    expect(ring.facts.peek).toBeDefined();
  });

  it('of an account', async () => {
    const db = answering(() => ({
      psp_id: ids.next(),
      id: ids.next(),
      kind: 'client',
      name: 'A merchant with a name of some length',
      registration_number: 'RC-1234567',
      country: 'NG',
      classification: 'merchant',
      organization_tin: '12345678-0001',
      contact: 'p2.0:'.padEnd(200, 'x'),
      secret_sealed: 'v1:'.padEnd(120, 'y'),
      verification_level: 'BASIC',
      operational_standing: 'ACTIVE',
      holds: '[]',
      version: 1,
      created_at: '2026-11-24T00:00:00.000Z',
      updated_at: '2026-11-24T00:00:00.000Z',
      observations: null,
      test_of: null,
    }));
    const accounts = new AccountDirectory(unchanged);
    expectNear(1200 + 37 + 200 + 120, await bytesEach(() => accounts.load(db, [])));
    expect(accounts.name).toBe('account');
  });

  it("of a person's key", async () => {
    const db = answering(() => ({
      psp: ids.next(),
      subject: ids.next().repeat(2),
      sealed: 'v1:'.padEnd(100, 'z'),
      numberSealed: null,
      createdAt: '2026-11-24T00:00:00.000Z',
      generation: 0,
      epoch: 0,
    }));
    const keys = new SubjectKeys({} as never, () => 0);
    expectNear(800, await bytesEach(() => keys.load(db, [])));
    expect(keys.name).toBe('subject');
  });

  it('of an activity', async () => {
    const psp = ids.next();
    const kept = new KeptActivities();
    const commits: (() => void)[] = [];
    const tx: Database = { query: async () => [], afterCommit: (act) => void commits.push(act) };
    const at = Date.UTC(2026, 10, 24);
    let length = 0;
    const each = await bytesEach(async () => {
      for (let n = 0; n < count; n++) {
        const key: ActivityKey = { psp, of: 'client', key: ids.next() };
        const { activities, store } = await kept.load(
          tx,
          [{ psp, entries: [], between: { from: n, to: n + 1 } }],
          [key],
        );
        const a = newActivity(at);
        for (let i = 0; i < 24; i++)
          countIn(a, { kind: 'deposit', at: at + i * 3_600_000, amount: decimal('1.5'), currency: 'NGN' }, []);
        activities.set(activityName(psp, key.of, key.key), a);
        await store();
        commits.pop()?.();
        length = activityText(a).length;
      }
    });
    expectNear(length + 300, each);
    expect(kept.load).toBeDefined();
  });

  it("of a journal's edge", async () => {
    const edges: Edge[] = [];
    const leaves = 128;
    const each = await bytesEach(async () => {
      for (let i = 0; i < count; i++) {
        const edge = new Edge(sha256);
        for (let n = 0; n < leaves; n++) edge.append(sha256(Buffer.from(`${i} ${n}`)));
        edges.push(edge);
      }
    });
    expectNear(500 + 100 * leaves, each);
    expect(edges).toHaveLength(3 * count);
  });
});
