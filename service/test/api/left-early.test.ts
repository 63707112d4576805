// A caller who leaves while its key is still being looked up is not waited for when the service stops.
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { makeDatabase, makeTestApp } from '../support/app.ts';

it('stops in order after a caller left before it was let in', async () => {
  const database = await makeDatabase();
  const t = await makeTestApp({ database });
  const psp = await t.makePsp();
  const { hostname, port } = new URL(t.address);
  await database.admin.transaction(async (tx) => {
    await tx.query('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
    const socket = connect(Number(port), hostname);
    socket.write(`GET /v1/webhook HTTP/1.1\r\nhost: a\r\nx-api-key: ${psp.apiKey}\r\n\r\n`);
    const waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'api_keys'::regclass";
    await until('its key is being looked up', async () => (await database.admin.query(waits)).length > 0);
    socket.destroy();
    // Requests after it over connections of their own: by then the service has noticed.
    for (let i = 0; i < 3; i++)
      expect((await t.get('/health/live', undefined, { connection: 'close' })).status).toBe(200);
  });
  // It would wait for ever.
  await t.stop();
  await database.drop();
});
