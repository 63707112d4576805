// Processes that end with deliveries in flight: others deliver them, and nothing is lost or sent as two events. The
// killed processes are real.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventKind, eventKinds } from '../../src/core/events.ts';
import { until } from '../durability/support/conditions.ts';
import { found } from '../durability/support/foundation.ts';
import { patient, Stage } from '../durability/support/service-process.ts';
import { type Account, makeDatabase, type TestApp, type TestDatabase } from '../support/app.ts';
import { answers, hangs, type Receiver } from '../support/receivers.ts';
import {
  bodyOf,
  deliveryOf,
  makeDeliveringApp,
  Receivers,
  sale,
  sell,
  statesAt,
  subscribed,
  tried,
} from './support/scene.ts';

const receivers = new Receivers();
const stage = new Stage();
const env = { ASSAY_MASTER_KEY: '5a'.repeat(32) };
let database: TestDatabase;

beforeAll(async () => {
  database = await makeDatabase();
});
afterAll(async () => {
  await stage.end();
  await database?.drop();
  await receivers.stop();
});

/** A service on the shared database with a client whose receiver knows of its subscription. */
async function scene(
  more: Record<string, string> = {},
): Promise<{ one: TestApp; client: Account; r: Receiver; webhook: string }> {
  const one = await makeDeliveringApp({ database, env: { ...env, ...more } });
  const client = await one.makeClient(await one.makePsp());
  const r = await receivers.start();
  return { one, client, r, webhook: await subscribed(one, client, r) };
}

describe('a process that falls silent', () => {
  it('loses what it had in hand after 90 s to another, and its late result changes nothing', async () => {
    // With one delivery in hand, the first process takes no other that would wait behind it.
    const { one, client, r, webhook } = await scene({ WEBHOOK_CONCURRENCY: '1' });
    const two = await makeDeliveringApp({ database, env });
    try {
      let late = (): unknown => undefined;
      r.behave((...received) => {
        late = () => answers(500)(...received);
      });
      const id = await sell(one, client);
      await until('it is under way', () => r.received.length >= 2);
      r.behave(answers(200));
      two.advance(89_000);
      // Another event goes round by the second process meanwhile: the first one's is left alone.
      const other = await sell(two, client);
      await until('the other is told', () => r.received.some((x) => bodyOf(x).data.transactionId === other));
      expect((await deliveryOf(one, webhook, id))?.state).toBe('delivering');
      two.advance(2_000);
      const done = await tried(two, webhook, id);
      expect(done).toMatchObject({ state: 'delivered', attempts: 1, log: [{ attempt: 1, reason: 'OK' }] });
      expect(r.received.filter((x) => bodyOf(x).data.transactionId === id)).toHaveLength(2);
      // The first process's request is answered at last.
      late();
      await until('it has its result', async () =>
        (await (await fetch(`${one.address}/metrics`)).text()).includes('attempts_total{reason="HTTP_NOT_200"} 1'),
      );
      await one.stop();
      expect(await tried(two, webhook, id)).toEqual(done);
    } finally {
      await one.stop().catch(() => undefined);
      await two.stop();
    }
  });
});

describe('a process that lives', () => {
  it('shows it by locks, again after their connections were cut, and no more after it stopped', async () => {
    const fresh = await makeDatabase();
    const t = await makeDeliveringApp({ database: fresh, env });
    const holders = async () =>
      (
        await fresh.admin.query<{ pid: number }>(
          `SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
           WHERE l.locktype = 'advisory' AND l.granted AND d.datname = current_database()`,
        )
      ).map((l) => l.pid);
    // As the one that follows, and by the name under which it claims deliveries.
    const first = await until('the locks are held', async () => {
      const held = await holders();
      return held.length === 2 && held;
    });
    await fresh.admin.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [first]);
    await until('they are held by other connections', async () => {
      const held = await holders();
      return held.length === 2 && !held.some((pid) => first.includes(pid));
    });
    await t.stop();
    expect(await holders()).toEqual([]);
    await fresh.drop();
  });
});

describe('a process that stops', () => {
  it('gives back what it has in hand, so that the next one delivers it at once', async () => {
    const { one, client, r, webhook } = await scene();
    r.behave(hangs);
    const sold = await Promise.all(Array.from({ length: 15 }, () => sell(one, client)));
    await until('its slots are taken', () => r.received.length >= 11);
    await one.stop();
    const [left] = await database.admin.query(
      "SELECT count(*) AS n FROM webhook_deliveries WHERE state = 'delivering' OR leased_by IS NOT NULL",
    );
    expect(left?.n).toBe(0);
    r.behave(answers(200));
    const two = await makeDeliveringApp({ database, env });
    try {
      for (const id of sold) expect(await tried(two, webhook, id)).toMatchObject({ state: 'delivered', attempts: 1 });
    } finally {
      await two.stop();
    }
  });
});

describe('a process that is killed', () => {
  it('leaves nothing untold: every event of every acknowledged change is delivered by the next, each as one event, and no lease is waited for', async () => {
    const ground = await found(stage, 1);
    const party = ground.clients[0] as (typeof ground.clients)[number];
    const settings = { ...ground.env, ...patient, WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_CONCURRENCY: '64' };
    const post = async (address: string, path: string, body: unknown) => {
      const answer = await fetch(`${address}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': party.apiKey },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as { success: boolean; content: { transactionId: string } };
    };
    const r = await receivers.start();
    let service = await stage.service(settings);
    await until('it is subscribed', async () => {
      const answer = await post(service.address, '/v1/client/subscribeToClient', { webhookUrl: r.url });
      return answer.success;
    });
    await until('the subscription is announced', () => r.received.length > 0);

    const acknowledged: string[] = [];
    // The second to be killed has taken over from the first, and the third from both.
    for (let round = 0; round < 2; round++) {
      // Some are answered, some are under way, some not even begun when it dies.
      let n = 0;
      r.behave((q, response, socket) => (n++ < 5 ? answers(200) : hangs)(q, response, socket));
      const before = acknowledged.length;
      const address = service.address;
      const load = Promise.all(
        Array.from({ length: 8 }, async () => {
          for (;;) {
            const sent = await post(address, '/v1/transaction/verifyTransaction', sale()).catch(() => undefined);
            if (!sent?.success) return;
            acknowledged.push(sent.content.transactionId);
          }
        }),
      );
      await until('some are under way', () => n >= 10 && acknowledged.length >= before + 40);
      service.signal('SIGKILL');
      await service.exited;
      await load;
      r.behave(answers(200));
      // Its leases do not end within this test: that it is dead is seen otherwise.
      await ground.db.query('UPDATE webhook_deliveries SET leased_until = $1 WHERE leased_until IS NOT NULL', [
        new Date(Date.now() + 300_000),
      ]);
      service = await stage.service(settings);
    }
    const toldIds = () => new Set(r.received.map((x) => bodyOf(x).data.transactionId));
    await until(
      'every acknowledged one is told',
      () => {
        const all = toldIds();
        return acknowledged.every((id) => all.has(id));
      },
      150_000,
    );
    await until(
      'all is settled',
      async () => {
        const rows = await ground.db.query(
          `SELECT 1 FROM webhook_deliveries WHERE state <> 'delivered'
         UNION ALL SELECT 1 FROM journal_heads h JOIN journal_cursors c USING (psp_id) WHERE c.seq < h.seq`,
        );
        return rows.length === 0;
      },
      100_000,
    );
    service.signal('SIGTERM');
    await service.exited;
    // One event and one delivery per announced entry of the client since its subscription, no more and no less.
    const entries = await ground.db.query(
      'SELECT id, kind FROM journal WHERE account_id = $1 AND id > (SELECT id FROM webhooks) ORDER BY seq',
      [party.account],
    );
    const announced = entries.filter((e) => eventKinds[e.kind as EventKind] !== null).map((e) => e.id);
    const events = await ground.db.query('SELECT id FROM webhook_events ORDER BY seq');
    const deliveries = await ground.db.query('SELECT event_id FROM webhook_deliveries ORDER BY id');
    expect(events.map((e) => e.id)).toEqual(announced);
    expect(deliveries.map((d) => d.event_id).sort()).toEqual([...announced].sort());
    // Whatever came twice came as the same bytes under the same id.
    const bytes = new Map<string, string>();
    for (const x of r.received) {
      const id = x.headers['webhook-id'] as string;
      expect(bytes.get(id) ?? x.body).toBe(x.body);
      bytes.set(id, x.body);
    }
  });
});

describe('two processes', () => {
  it('deliver every event once between them while both are well', async () => {
    const { one, client, r, webhook } = await scene();
    const two = await makeDeliveringApp({ database, env });
    // Two clocks that stand still at one moment cannot tell what came after the subscription.
    for (const t of [one, two]) t.advance(1000);
    try {
      await Promise.all(Array.from({ length: 100 }, (_, i) => sell(i % 2 === 0 ? one : two, client)));
      await until('all is delivered', async () => {
        const states = await statesAt(one, webhook);
        return states.length === 101 && states.every((s) => s === 'delivered');
      });
      const ids = r.received.map((x) => bodyOf(x).id);
      expect(ids).toHaveLength(101);
      expect(new Set(ids).size).toBe(101);
    } finally {
      await Promise.all([one.stop(), two.stop()]);
    }
  });
});
