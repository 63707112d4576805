// What happens inside one commit: an invalid row, a deadlock that PostgreSQL resolves, too much work. The tests form
// batches by locking the journal's head, which every commit needs.
import { afterAll, describe, expect, it } from 'vitest';
import { changeAccount } from '../../src/modules/accounts/administer.ts';
import { system } from '../../src/modules/kernel/principal.ts';
import { poisons, scenario } from './scenarios/poison-rows.ts';
import { type BatchPlace, batchPlace, queued, waits, whileHeld } from './support/batches.ts';
import { Checks } from './support/checks.ts';
import { until } from './support/conditions.ts';
import type { Sent } from './support/history.ts';
import { Stage } from './support/service-process.ts';
import { holds } from './support/short-form.ts';
import { newRef, sale } from './support/storm.ts';

const stage = new Stage();
afterAll(() => stage.end());

const place = (env: Record<string, string> = {}) => batchPlace(stage, env);

describe('a poisonous row in a batch', () => {
  it('fails alone, and the others are recorded', async () => {
    await holds(scenario, poisons.length);
  });
});

describe('a commit that PostgreSQL breaks off', () => {
  it('is made again after a deadlock', async () => {
    const p = await place();
    const db = p.t.database.admin;
    const [name] = await db.query('SELECT current_database() AS name');
    // The service looks for a deadlock after this; the other side never does, so the service's call is the victim.
    await db.query(`ALTER DATABASE ${name?.name} SET deadlock_timeout = '1500ms'`);
    let sent: Promise<Sent> | undefined;
    const before = await deadlocks(p);
    await db.withClient(async (c) => {
      await c.query("SET deadlock_timeout = '600s'");
      for (let attempt = 0; (await deadlocks(p)) === before; attempt++) {
        expect(attempt).toBeLessThan(20);
        await c.query('BEGIN');
        await c.query('SELECT 1 FROM journal_heads WHERE psp_id = $1 FOR UPDATE', [p.psp.uuid]);
        sent = p.history.send(p.client, p.t.address, p.party, 'verifyTransaction', sale(newRef(), 10));
        await waits(p);
        // It holds the client's account for reading and waits for the head; this waits for the account. The service looks
        // once: where this comes later than that, on a busy machine, neither gives way, and it is tried again.
        await c.query("SET LOCAL lock_timeout = '5s'");
        await c.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [p.account.uuid]).catch((e) => {
          if (e.code !== '55P03') throw e;
        });
        await c.query('COMMIT');
        expect((await sent).status).toBe(200);
      }
    });
    expect(await deadlocks(p)).toBeGreaterThan(before);
    expect((await new Checks(db).look(p.history, 'after asking again')).violations).toEqual([]);
  });

  /** Serialization failures on purpose: the first `times` commits after this are broken off at the journal. */
  const breakOff = async (p: BatchPlace, code: string, times: number) => {
    await p.t.database.admin.query(`CREATE OR REPLACE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('broken_off') <= ${times} THEN
          RAISE EXCEPTION 'broken off by the test' USING ERRCODE = '${code}';
        END IF;
        RETURN NULL;
      END $$`);
    await p.t.database.admin.query('DROP SEQUENCE IF EXISTS broken_off');
    await p.t.database.admin.query('CREATE SEQUENCE broken_off');
    await p.t.database.admin.query('GRANT USAGE ON SEQUENCE broken_off TO assay_app');
    await p.t.database.admin.query('DROP TRIGGER IF EXISTS broken_off ON journal_heads');
    await p.t.database.admin.query(
      'CREATE TRIGGER broken_off AFTER INSERT OR UPDATE ON journal_heads FOR EACH STATEMENT EXECUTE FUNCTION break_off()',
    );
  };
  const brokenOff = async (p: BatchPlace) => {
    const [r] = await p.t.database.admin.query('SELECT last_value AS n FROM broken_off');
    return r?.n as number;
  };

  it.each(['40001', '40P01'])('is made again as often as it takes after SQLSTATE %s', async (code) => {
    const p = await place();
    await breakOff(p, code, 5);
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        p.history.send(p.client, p.t.address, p.party, 'verifyTransaction', sale(newRef(), 20 + i)),
      ),
    );
    expect(all.map((s) => s.content?.status)).toEqual(Array(20).fill('APPROVED'));
    expect(await brokenOff(p)).toBeGreaterThan(5);
    expect((await new Checks(p.t.database.admin).look(p.history, 'after asking again')).violations).toEqual([]);
  });

  it('turns the command away in the end, and nothing of it is recorded', async () => {
    const p = await place();
    await breakOff(p, '40001', 1_000_000);
    const s = await p.history.send(p.client, p.t.address, p.party, 'verifyTransaction', sale(newRef(), 20));
    expect([s.status, s.code]).toEqual([503, 'OVERLOADED']);
    await p.t.database.admin.query('DROP TRIGGER broken_off ON journal_heads');
    expect((await new Checks(p.t.database.admin).look(p.history, 'after asking again')).violations).toEqual([]);
  });
});

const deadlocks = async (p: BatchPlace): Promise<number> => {
  const [r] = await p.t.database.admin.query(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return r?.deadlocks as number;
};

describe('a change of standing in the same commit as a decision', () => {
  it('stands in the journal after what was approved without it', async () => {
    const p = await place();
    const s = p.t.app.services;
    const { result } = await whileHeld(p, async () => {
      // The suspension is asked for first; the PSP's and its client's commands share the commit.
      const change = changeAccount(
        s,
        system,
        p.psp.uuid,
        { operationalStanding: 'SUSPENDED', reason: 'test' },
        p.t.now(),
      );
      await queued(p, 1);
      const sales = Array.from({ length: 6 }, () =>
        p.history.send(p.client, p.t.address, p.party, 'verifyTransaction', sale(newRef(), 20)),
      );
      await queued(p, 7);
      return { change, sales: Promise.all(sales) };
    });
    await result.change;
    await result.sales;
    const entries = await p.t.database.admin.query(
      'SELECT xmin::text AS commit, kind, body FROM journal WHERE psp_id = $1 ORDER BY seq',
      [p.psp.uuid],
    );
    const at = entries.findIndex((e) => e.kind === 'client.updated');
    const verdicts = entries.slice(at + 1).map((e) => JSON.parse(e.body as string).data.status);
    expect(at).toBeGreaterThan(0);
    expect(verdicts.filter((v) => v === 'APPROVED')).toEqual([]);
    // They did share it.
    expect(entries.filter((e) => e.commit === entries[at]?.commit && e.kind === 'transaction.created')).toHaveLength(6);
    const later = await p.history.send(p.client, p.t.address, p.party, 'verifyTransaction', sale(newRef(), 20));
    expect(later.content?.status).toBe('DECLINED');
  });
});

describe('more work than there is room for', () => {
  it('turns away what it has no room for, and records nothing of it', async () => {
    const p = await place({ QUEUE_LIMIT: '12' });
    const { first, result } = await whileHeld(p, async () => {
      const all = Array.from({ length: 40 }, (_, i) =>
        p.history.send(p.client, p.t.address, p.party, 'verifyTransaction', sale(newRef(), 20 + i)),
      );
      // Those that were let in wait in the queue, all others are told.
      const waiting = () => p.t.app.services.committer.depth;
      await until('the others are turned away', () => waiting() > 0 && p.history.count('refused') === 40 - waiting());
      return { all: Promise.all(all) };
    });
    expect(first.status).toBe(200);
    const all = await result.all;
    const made = all.filter((s) => s.status === 200).length;
    expect(made).toBeLessThanOrEqual(12);
    expect(all.filter((s) => s.status === 503 && s.code === 'OVERLOADED')).toHaveLength(40 - made);
    const { violations, figures } = await new Checks(p.t.database.admin).look(p.history, 'after asking again');
    expect([violations, figures.records]).toEqual([[], made + 1]);
  });

  it('turns away what has waited too long, and records nothing of it', async () => {
    const p = await place({ QUEUE_AGE_MS: '100' });
    const { first, result } = await whileHeld(p, async () => ({
      // They are told while the commit they wait behind still hangs.
      all: await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          p.history.send(p.client, p.t.address, p.party, 'verifyTransaction', sale(newRef(), 20 + i)),
        ),
      ),
    }));
    expect(first.status).toBe(200);
    expect(result.all.map((s) => `${s.status} ${s.code}`)).toEqual(Array(20).fill('503 OVERLOADED'));
    expect((await new Checks(p.t.database.admin).look(p.history, 'after asking again')).violations).toEqual([]);
  });

  it('answers 200, 429 and 503 only, and every 429 and 503 is no record', async () => {
    // The clock of this service stands still: the bucket is never refilled.
    const p = await place({ QUEUE_LIMIT: '16', BATCH_LIMIT: '8', RATE_PER_SECOND: '1', RATE_BURST: '100' });
    let sent = 0;
    const { result } = await whileHeld(p, async () => {
      const all = Array.from({ length: 120 }, async () => {
        while (sent++ < 900)
          await p.history.send(p.client, p.t.address, p.party, 'verifyTransaction', sale(newRef(), 20));
      });
      // Who finds room in time is let in, so the commits wait until somebody has found none.
      await until('some are turned away', () => p.history.count('refused') > 0);
      return { all: Promise.all(all) };
    });
    await result.all;
    const tally = p.history.summary();
    stage.report('overload', tally);
    expect(new Set(p.history.all.map((s) => s.status))).toEqual(new Set([200, 429, 503]));
    expect(tally.ok).toBeLessThanOrEqual(100);
    const { violations, figures } = await new Checks(p.t.database.admin).look(p.history, 'after asking again');
    expect(violations).toEqual([]);
    expect(figures.records).toBe(tally.ok);
  });

  it('does not let one busy account keep another waiting for its turn', async () => {
    const p = await place({ BATCH_LIMIT: '8' });
    const other = await p.t.makeClient(p.psp);
    const quiet = { ...p.party, name: 'quiet', apiKey: other.apiKey, account: other.uuid };
    const { result } = await whileHeld(p, async () => {
      const busy = Array.from({ length: 80 }, () =>
        p.history.send(p.client, p.t.address, p.party, 'verifyTransaction', sale(newRef(), 20)),
      );
      await queued(p, 80);
      const one = p.history.send(p.client, p.t.address, quiet, 'verifyTransaction', sale(newRef(), 20));
      await queued(p, 81);
      return { busy: Promise.all(busy), one };
    });
    await result.busy;
    const { ref } = await result.one;
    const order = await p.t.database.admin.query(
      "SELECT body FROM journal WHERE kind = 'transaction.created' ORDER BY seq",
    );
    // The first commit, then at most one batch; one more where the database was busy and had one of them tried again.
    expect(order.findIndex((e) => JSON.parse(e.body as string).data.ref === ref)).toBeLessThan(2 * 8);
  });
});
