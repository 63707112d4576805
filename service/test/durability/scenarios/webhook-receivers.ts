// Receivers of webhooks that are slow, dead, resetting or redirecting beside a working one, under load, while the
// service is killed: every event is delivered or listed as open, and none is sent as two events.
import { answers, hangs, type Receiver, resets, startReceiver } from '../../support/receivers.ts';
import { checkDeliveries } from '../support/check-deliveries.ts';
import { caughtUp } from '../support/check-readers.ts';
import { until } from '../support/conditions.ts';
import { killService } from '../support/faults.ts';
import type { Party } from '../support/history.ts';
import { blame, holdRounds } from '../support/rounds.ts';
import { onSharedServer, type Place } from '../support/scenes.ts';
import type { Scenario } from './scenario.ts';

/** In the order of the PSP and its clients. */
const kinds = ['sound', 'slow', 'silent', 'dead', 'resetting', 'redirecting'] as const;

export const clients = kinds.length - 1;
export const settings = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_CONCURRENCY: '64' };

type Six = [Receiver, Receiver, Receiver, Receiver, Receiver, Receiver];

export const scenario: Scenario = {
  name: 'webhook-receivers',
  fault: 'webhook receivers slow, silent, dead, resetting, redirecting, with kill -9 of the service',
  done: 'The service is killed once a round under load with deliveries in hand; each of six receivers behaves in its own way. In the end the sound and the slow one have every event.',
  async run(stage, wanted) {
    const place = wanted.place ?? (await onSharedServer(stage, wanted, clients, settings));
    const elsewhere = await startReceiver();
    const receivers = await Promise.all(kinds.map(() => startReceiver()));
    stage.defer(() => Promise.all([elsewhere, ...receivers].map((r) => r.stop().catch(() => undefined))));
    for (const [i, r] of receivers.entries()) await subscribe(place, place.parties[i] as Party, r);
    const [, slow, silent, dead, resetting, redirecting] = receivers as Receiver[] as Six;
    slow.behave((q, response, socket) => setTimeout(() => answers(200)(q, response, socket), 700));
    silent.behave(hangs);
    await dead.stop();
    resetting.behave(resets);
    redirecting.behave(answers(307, '', { location: elsewhere.url }));
    const tally = await holdRounds(place, wanted, async (seed) => {
      const round = await killService(place, seed, 150);
      // What the killed process had in hand is free for others after ninety seconds.
      await place.db.query("UPDATE webhook_deliveries SET leased_until = '2000-01-01Z' WHERE leased_until IS NOT NULL");
      return round;
    });
    await caughtUp(place);
    await until('the sound and the slow one have been told all', () => told(place, receivers.slice(0, 2)), 300_000);
    const heard = receivers.map((r) => ({ url: r.url, received: r.received }));
    blame(tally, await checkDeliveries(place.db, heard));
    if (elsewhere.connections > 0)
      tally.violations.push({ check: 'B', what: `a redirect was followed ${elsewhere.connections} times` });
    tally.notes.push(`received: ${kinds.map((k, i) => `${k} ${receivers[i]?.received.length}`).join(', ')}`);
    return tally;
  },
};

async function subscribe({ client, service }: Place, party: Party, r: Receiver): Promise<void> {
  const key = { 'x-api-key': party.apiKey };
  const body = JSON.stringify({ webhookUrl: r.url });
  const answer = await client.call(service.address, 'POST', '/v1/client/subscribeToClient', key, body);
  if (answer.status !== 200) throw new Error(`subscribeToClient answered ${answer.status}: ${answer.text}`);
  await until('the subscription is announced', () => r.received.length > 0);
}

async function told({ db }: Place, receivers: readonly Receiver[]): Promise<boolean> {
  const open = await db.query(
    `SELECT 1 FROM webhook_deliveries d JOIN webhooks w ON w.psp_id = d.psp_id AND w.id = d.webhook_id
     WHERE w.url = ANY ($1) AND d.state <> 'delivered' LIMIT 1`,
    [receivers.map((r) => r.url)],
  );
  return open.length === 0;
}
