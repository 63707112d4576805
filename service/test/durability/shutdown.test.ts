// SIGTERM: what was accepted is finished, nothing acknowledged is lost, and the process ends by itself. Its
// exit status tells: 1 would mean that it had to be cut off after its ten seconds.
import { request } from 'node:http';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Checks } from './support/checks.ts';
import { until } from './support/conditions.ts';
import { found, settle } from './support/foundation.ts';
import { Client, History, type Party } from './support/history.ts';
import { ownerPool, postmaster } from './support/postgres-process.ts';
import { Stage } from './support/service-process.ts';
import { askAgain, newRef, sale, storm } from './support/storm.ts';

// Only ends a hang: other work may hold the machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const stage = new Stage();
afterAll(() => stage.end());

describe('SIGTERM under load', () => {
  it.each([
    ['on a server of its own', 'embedded'],
    ['on a shared server', 'shared'],
  ] as const)('finishes what it accepted and refuses the rest: %s', async (_, kind) => {
    const client = new Client();
    const history = new History();
    const ground = kind === 'shared' ? await found(stage, 2) : undefined;
    const dataDir = ground ? '' : stage.folder();
    const env = ground?.env ?? { DATA_DIR: dataDir };
    let service = await stage.service(env);
    const own = ground ? undefined : ownerPool(dataDir);
    if (own) stage.defer(() => own.end());
    const parties = ground
      ? [ground.psp, ...ground.clients]
      : await settle(client, service.address, await service.demoKey(), own as NonNullable<typeof own>, 2);
    const checks = new Checks(ground?.db ?? (own as NonNullable<typeof own>));

    for (let round = 0; round < 2; round++) {
      const start = history.now();
      let over = false;
      const load = storm({
        history,
        client,
        parties,
        addresses: () => [service.address],
        workers: 32,
        max: 2000,
        seed: 600 + round,
        stop: () => over,
      });
      await until('some were acknowledged', () => history.count('ok', start) >= 150);
      expect(history.inFlight).toBeGreaterThan(0);
      service.signal('SIGTERM');
      const told = history.now();
      // The load goes on against the closing door until some were turned away.
      await until('some are turned away', () =>
        history.all.some((s) => s.sentAt > told && s.outcome !== 'ok' && s.outcome !== undefined),
      );
      expect(await service.exited).toEqual({ code: 0, signal: null });
      over = true;
      await load;
      const tally = history.summary(start);
      // Its own server went with it: nothing is left that could not be started again.
      if (!ground) expect(postmaster(dataDir)).toBeUndefined();
      service = await stage.service(env);
      expect((await checks.look(history, 'before asking again')).violations).toEqual([]);
      const asked = await askAgain(history, client, service.address);
      expect((await checks.look(history, 'after asking again')).violations).toEqual([]);
      // A connection may be closed under a request on its way, but what was accepted was also answered.
      expect(asked.hadBeenRecorded).toBe(0);
      // Who is turned away is told so in the words of the interface.
      expect(history.all.filter((s) => s.status === 503).map((s) => s.code)).toEqual(
        history.all.filter((s) => s.status === 503).map(() => 'OVERLOADED'),
      );
      stage.report('SIGTERM', kind, tally, asked);
    }
    client.close();
    service.signal('SIGTERM');
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });

  it('does not wait for clients that keep their connections open', async () => {
    const ground = await found(stage, 1);
    const service = await stage.service(ground.env);
    const client = new Client();
    const history = new History();
    const party = ground.clients[0] as Party;
    // Answered once, open ever since.
    await Promise.all(
      Array.from({ length: 8 }, () =>
        history.send(client, service.address, party, 'verifyTransaction', sale(newRef(), 30)),
      ),
    );
    // Busy when the signal comes, idle after.
    const busy = Array.from({ length: 24 }, () =>
      history.send(client, service.address, party, 'verifyTransaction', sale(newRef(), 30)),
    );
    // A request whose body never comes.
    const half = request(`${service.address}/v1/transaction/verifyTransaction`, {
      method: 'POST',
      headers: { 'x-api-key': party.apiKey, 'content-type': 'application/json', 'content-length': '500' },
    });
    half.on('error', () => undefined);
    half.write('{"ref":');
    await until('the half request is there', () => half.socket?.connecting === false);
    service.signal('SIGTERM');
    await Promise.all(busy);
    expect(await service.exited).toEqual({ code: 0, signal: null });
    half.destroy();
    client.close();
    const again = await stage.service(ground.env);
    const fresh = new Client();
    await askAgain(history, fresh, again.address);
    expect((await new Checks(ground.db).look(history, 'after asking again')).violations).toEqual([]);
    fresh.close();
  });

  it('ends at a second signal during the first as it would have', async () => {
    const ground = await found(stage, 1);
    const service = await stage.service(ground.env);
    service.signal('SIGTERM');
    service.signal('SIGINT');
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });
});
