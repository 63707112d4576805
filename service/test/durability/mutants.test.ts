// The checks can fail: services with a fault built in are caught by them under the same killings, and every
// check finds its own kind of damage in a history or a database that was tampered with.
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../src/platform/database.ts';
import { type CheckName, Checks } from './support/checks.ts';
import { until } from './support/conditions.ts';
import { killPostgres, killService, type Round, type Scene } from './support/faults.ts';
import { found, type Ground, settle } from './support/foundation.ts';
import { Client, History, type Party, type Sent } from './support/history.ts';
import { ownerPool } from './support/postgres-process.ts';
import { Stage } from './support/service-process.ts';
import { newRef, payIn, sale, storm } from './support/storm.ts';

// Only ends a hang: other work may hold the machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const stage = new Stage();
afterAll(() => stage.end());

const mutant = join(import.meta.dirname, 'support', 'mutant.ts');

/** Finds nothing wrong while nothing goes wrong; then holds rounds until a check objects. */
async function caught(name: string, by: CheckName, s: Scene, round: (n: number) => Promise<Round>): Promise<void> {
  await storm({ ...s, addresses: () => [s.service.address], workers: 16, max: 200, seed: 299, plain: true });
  // What is written behind an answer needs its moment.
  await until('the mutant passes for sound', async () => {
    const { violations } = await s.checks.look(s.history, 'before asking again');
    return violations.length === 0;
  });
  for (let n = 0; n < 6; n++) {
    const r = await round(n);
    const found = r.verdict.violations;
    stage.report(
      `mutant ${name}, round ${n + 1}`,
      { inFlight: r.inFlight, acknowledged: r.acknowledged },
      found.length,
      found[0],
    );
    if (found.some((v) => v.check === by)) return;
  }
  throw new Error(`the mutant '${name}' was never caught by ${by}`);
}

/** A mutant on a database of its own, outside it. */
async function onServer(name: string): Promise<Scene> {
  const ground = await found(stage, 3);
  const env = { ...ground.env, MUTANT: name };
  const restart = () => stage.service(env, mutant);
  return {
    stage,
    client: new Client(),
    history: new History(),
    checks: new Checks(ground.db),
    parties: ground.clients,
    plain: true,
    service: await restart(),
    restart,
  };
}

describe('a service with a fault built in', () => {
  it('is caught when it answers before the commit and the database server is killed', async () => {
    const dataDir = stage.folder();
    const client = new Client();
    const service = await stage.service({ DATA_DIR: dataDir, MUTANT: 'early' }, mutant);
    const db = ownerPool(dataDir);
    stage.defer(() => db.end());
    const scene: Scene = {
      stage,
      client,
      history: new History(),
      checks: new Checks(db),
      parties: await settle(client, service.address, await service.demoKey(), db, 1),
      plain: true,
      service,
      restart: () => Promise.reject(new Error('not to be restarted')),
    };
    await caught('early', 'C1', scene, (n) => killPostgres(scene, dataDir, 'backend', 300 + n, 100));
  });

  it('is caught when it writes behind its answer and is killed', async () => {
    const scene = await onServer('behind');
    await caught('behind', 'C1', scene, (n) => killService(scene, 310 + n, 100));
  });

  it('is caught when it journals in a commit of its own and is killed', async () => {
    const scene = await onServer('outbox');
    await caught('outbox', 'C5', scene, (n) => killService(scene, 320 + n, 100));
  });
});

describe('a tampered history or database', () => {
  interface Told {
    readonly ground: Ground;
    readonly history: History;
    readonly sold: Sent;
    readonly back: Sent;
    readonly declined: Sent;
  }

  /** A small true history. */
  const whole = (async (): Promise<Told> => {
    const ground = await found(stage, 2);
    const service = await stage.service(ground.env);
    const client = new Client();
    const history = new History();
    const party = ground.clients[0] as Party;
    await storm({
      history,
      client,
      parties: [ground.psp, ...ground.clients],
      addresses: () => [service.address],
      workers: 8,
      max: 120,
      seed: 7,
    });
    const send = (...a: [Sent['operation'], { ref: string }]) => history.send(client, service.address, party, ...a);
    const sold = await send('verifyTransaction', sale(newRef(), 120));
    const filed = newRef();
    await send('deposit', payIn(filed, 80, 1));
    const back = await send('chargeBack', { ref: filed });
    const no = newRef();
    await send('verifyTransaction', sale(no, 70));
    const declined = await send('declineTransaction', { ref: no });
    service.signal('SIGTERM');
    await service.exited;
    client.close();
    return { ground, history, sold, back, declined };
  })();
  // A failure shows in the tests that wait for it.
  whole.catch(() => undefined);

  const broken = async (history: History) => [
    ...new Set(
      (await new Checks((await whole).ground.db).look(history, 'after asking again')).violations.map((v) => v.check),
    ),
  ];

  it('is found sound while nobody has tampered with it', async () => {
    expect(await broken((await whole).history)).toEqual([]);
  });

  it('fails C1 for an acknowledgement nobody gave', async () => {
    const t = await whole;
    const forged = new History();
    forged.all.push(...t.history.all, { ...t.sold, ref: 'never-sent' });
    expect(await broken(forged)).toEqual(['C1']);
  });

  it('fails C1 for an acknowledgement of another amount', async () => {
    const t = await whole;
    const forged = new History();
    forged.all.push(
      ...t.history.all.map((s) => (s === t.sold ? { ...s, content: { ...s.content, vatAmount: 0.01 } } : s)),
    );
    expect(await broken(forged)).toEqual(['C1']);
  });

  it('fails C2 for a refusal of what was recorded', async () => {
    const t = await whole;
    const forged = new History();
    forged.all.push(...t.history.all.map((s): Sent => (s === t.sold ? { ...s, outcome: 'refused', status: 503 } : s)));
    expect(await broken(forged)).toEqual(['C2']);
  });

  it('fails C3 for an unknown outcome that was never settled', async () => {
    const t = await whole;
    const forged = new History();
    forged.all.push(...t.history.all, {
      ...t.sold,
      ref: 'left-open',
      outcome: 'unknown',
      status: 0,
      content: undefined,
    });
    expect(await broken(forged)).toEqual(['C3']);
  });

  /** Each as the owner of the database could do it: on a copy of the rows, put back after. */
  it.each<[CheckName, string, string, (t: Told) => unknown[]]>([
    ['C1', 'a record that was taken away', 'DELETE FROM transactions WHERE ref = $1', (t) => [t.sold.ref]],
    ['C1', 'a ref that was taken away', 'DELETE FROM refs WHERE ref = $1', (t) => [t.sold.ref]],
    [
      'C1',
      'a record that stands twice',
      `INSERT INTO transactions SELECT (x).* FROM (SELECT json_populate_record(t, json_build_object('id', uuidv7())) AS x
       FROM transactions t WHERE ref = $1)`,
      (t) => [t.sold.ref],
    ],
    [
      'C4',
      'a split that does not sum',
      'UPDATE transactions SET remainder = remainder + 0.01 WHERE ref = $1',
      (t) => [t.back.ref],
    ],
    [
      'C4',
      'a second chargeback',
      `INSERT INTO chargebacks SELECT (x).* FROM (SELECT json_populate_record(c, json_build_object('id', uuidv7())) AS x
       FROM chargebacks c JOIN transactions t ON t.id = c.transaction_id WHERE t.ref = $1)`,
      (t) => [t.back.ref],
    ],
    [
      'C5',
      'a journal entry that was taken away',
      'DELETE FROM journal WHERE seq = (SELECT max(seq) - 1 FROM journal WHERE psp_id = $1) AND psp_id = $1',
      (t) => [t.ground.psp.psp],
    ],
    [
      'C5',
      'a journal entry that was written over',
      `UPDATE journal SET body = replace(body, '"version":1', '"version": 1') WHERE psp_id = $1 AND seq = 9`,
      (t) => [t.ground.psp.psp],
    ],
    [
      'C5',
      'a head that ran ahead',
      'UPDATE journal_heads SET seq = seq + 1 WHERE psp_id = $1',
      (t) => [t.ground.psp.psp],
    ],
    [
      'C5',
      'a record nobody journalled',
      'UPDATE transactions SET revision = revision + 1 WHERE ref = $1',
      (t) => [t.sold.ref],
    ],
    [
      'C7',
      'a charged-back transaction that is declined',
      "UPDATE transactions SET status = 'DECLINED' WHERE ref = $1",
      (t) => [t.back.ref],
    ],
    [
      'C7',
      'a charged-back transaction that was touched',
      'UPDATE transactions SET updated_at = now() WHERE ref = $1',
      (t) => [t.back.ref],
    ],
    [
      'C7',
      'a declined transaction that is approved again',
      "UPDATE transactions SET status = 'APPROVED' WHERE ref = $1",
      (t) => [t.declined.ref],
    ],
  ])('fails %s for %s', async (check, _what, sql, values) => {
    const t = await whole;
    await t.ground.db.withClient(async (c) => {
      // What the transaction changes is undone at its end; the checks look from inside it.
      const inside = {
        query: async (text: string, v: readonly unknown[] = []) => (await c.query(text, v as unknown[])).rows,
      } as Database;
      const checks = new Checks(inside);
      const names = async () => (await checks.look(t.history, 'after asking again')).violations.map((v) => v.check);
      await c.query('BEGIN');
      try {
        expect(await names()).toEqual([]);
        const { rowCount } = await c.query(sql, values(t));
        expect(rowCount).toBeGreaterThan(0);
        expect(await names()).toContain(check);
      } finally {
        await c.query('ROLLBACK');
      }
    });
  });
});
