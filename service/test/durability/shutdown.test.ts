// SIGTERM: what was accepted is finished, nothing acknowledged is lost, and the process ends by itself. Its
// exit status tells: 1 would mean that it had to be cut off after its ten seconds.
import { request } from 'node:http';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { scenario } from './scenarios/sigterm.ts';
import { Checks } from './support/checks.ts';
import { until } from './support/conditions.ts';
import { found } from './support/foundation.ts';
import { Client, History, type Party } from './support/history.ts';
import { Stage } from './support/service-process.ts';
import { holds } from './support/short-form.ts';
import { askAgain, newRef, sale } from './support/storm.ts';

// Only ends a hang: other work may hold the machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const stage = new Stage();
afterAll(() => stage.end());

describe('SIGTERM under load', () => {
  it('finishes what it accepted and refuses the rest, on a server of its own and on a shared one', async () => {
    await holds(scenario, 4);
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
