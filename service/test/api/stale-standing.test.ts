// A process may have outdated data of accounts that another process changed. An operation that finds this out at its
// commit is decided again and answered; no caller of an idle service gets an error about overload.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Named } from '../../src/adapters/http/metric-rows.ts';
import { operations } from '../../src/adapters/http/operations.ts';
import { changeAccount } from '../../src/modules/accounts/administer.ts';
import type { Audience } from '../../src/modules/kernel/operation.ts';
import { system } from '../../src/modules/kernel/principal.ts';
import { shippedTax } from '../../src/platform/data-files.ts';
import { type Cast, soundCall } from '../fuzz/sound-calls.ts';
import {
  type Account,
  type KeyKind,
  makeDatabase,
  makeTestApp,
  type TestApp,
  type TestDatabase,
} from '../support/app.ts';

let database: TestDatabase;
let t: TestApp;
/** The process that changes standings. */
let other: TestApp;
let psp: Account;
let client: Account;
let cast: Cast;

beforeAll(async () => {
  database = await makeDatabase();
  const env = { ASSAY_MASTER_KEY: '5c'.repeat(32) };
  t = await makeTestApp({ database, env });
  other = await makeTestApp({ database, env });
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  const keys: Record<KeyKind, string> = {
    psp: psp.apiKey,
    client: client.apiKey,
    operator: (await t.makeOperator()).apiKey,
  };
  const country = JSON.parse(shippedTax().find((text) => text.includes('"jurisdiction": "LI"')) as string);
  cast = { t, psp, keys, country };
});
afterAll(async () => {
  await Promise.all([t.stop(), other.stop()]);
  await database.drop();
});

const accountsOfPsp = async (): Promise<string[]> =>
  (await database.admin.query<{ id: string }>('SELECT id FROM accounts WHERE psp_id = $1', [psp.uuid])).map(
    (r) => r.id,
  );

/**
 * Each account that a call can be about, as the other process leaves it: at a version the first has not seen.
 * @param others accounts that were there before the call was prepared; of these only the cast's are in it
 */
async function changedElsewhere(others: readonly string[]): Promise<void> {
  const earlier = new Set(others.filter((id) => id !== psp.uuid && id !== client.uuid));
  const ids = (await accountsOfPsp()).filter((id) => !earlier.has(id));
  const change = { verificationLevel: 'ENHANCED', reason: 'looked at again' } as const;
  await Promise.all(ids.map((id) => changeAccount(other.app.services, system, id, change, other.now())));
}

/** Calls of commit_batch so far; /metrics would read all gauges too, hundreds of times. */
async function commits(): Promise<number> {
  const name = 'assay_batch_commands' satisfies Named<'histogram'>;
  const text = await t.app.metrics.registry.getSingleMetricAsString(name);
  return Number(/^assay_batch_commands_count(?:\{.*\})? (\d+)$/m.exec(text)?.[1]);
}

describe('an account changed by another process', () => {
  const writing = operations.filter((o) => o.method !== 'GET');
  it.each(writing.map((o) => [o.id, o] as const))('costs %s one more round at most', async (_, o) => {
    const run = async (between: (others: readonly string[]) => Promise<void>) => {
      const others = await accountsOfPsp();
      const call = await soundCall(cast, operations, o);
      await between(others);
      const before = await commits();
      const path = o.path.replace(/:(\w+)/g, (_all, name: string) => call.params?.[name] ?? placeOf(name));
      const r = await t.raw(`${path}${call.query === undefined ? '' : `?${call.query}`}`, {
        method: o.method,
        headers: { 'x-api-key': keyFor(o.audience, call.key), 'content-type': 'application/json' },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      });
      return { r, rounds: (await commits()) - before };
    };
    const fresh = await run(async () => undefined);
    const stale = await run(changedElsewhere);
    expect(stale.r.status, stale.r.text).toBe(fresh.r.status);
    expect(stale.r.status, stale.r.text).toBeLessThan(500);
    expect(stale.rounds).toBeLessThanOrEqual(fresh.rounds + 1);
  });
});

const placeOf = (name: string): string => ({ accountId: client.id, clientId: client.id })[name] ?? 'none';

function keyFor(audience: readonly Audience[], own: string | undefined): string {
  if (own !== undefined) return own;
  return cast.keys[(['client', 'psp', 'operator'] as const).find((a) => audience.includes(a)) as KeyKind];
}
