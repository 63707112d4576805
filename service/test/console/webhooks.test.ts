// Webhooks in the console: a failing address is shown, its deliveries are listed, and failed ones are sent again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isForPspAlone } from '../../src/core/events.ts';
import { announcedTypes } from '../../src/modules/webhooks/administer.ts';
import { until } from '../durability/support/conditions.ts';
import type { Account } from '../support/app.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';
import { uuidOf } from '../support/journal.ts';
import { settled } from '../support/look.ts';
import { answers, type Receiver, startReceiver } from '../support/receivers.ts';
import { deadUrl, plant, setHealth, subscribe } from '../support/webhooks.ts';

let site: Site;
let psp: Account;
let client: Account;
let ada: Person;
let receiver: Receiver;
let webhookId: string;

beforeAll(async () => {
  receiver = await startReceiver({ behaviour: answers(500, '{"error":"out of order"}') });
  site = await openSite({
    env: { WEBHOOK_CONCURRENCY: '4', WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' },
  });
  psp = await site.test.makePsp('Lagoon Pay');
  client = await site.test.makeClient(psp);
  webhookId = await subscribe(site.test, client, receiver.url);
  ada = await site.makePerson();
});
afterAll(async () => {
  await site?.stop();
  await receiver?.stop();
});

const choose = () => ({ choose: { id: psp.id, name: 'Lagoon Pay' } });

/** Somebody at a page of the PSP's records. */
const at = (path: string, person = ada): Promise<Page> => site.openAs(person, path, choose());

describe('webhooks in the console', () => {
  it('shows addresses, and one that fails with its failure', async () => {
    const dead = deadUrl();
    const failing = await subscribe(site.test, client, dead);
    await site.test.post(`/v1/webhook/${failing}/pause`, { reason: 'moving house' }, client.apiKey);
    await setHealth(site.test, webhookId, { failingSince: '2026-11-20T04:00:00Z', failures: 12, warnedHours: 24 });
    const page = await at('/webhooks');
    await page.getByText('Active, failing').waitFor();
    const paused = page.getByRole('row').filter({ has: page.getByRole('link', { name: dead }) });
    await paused.getByText('Paused', { exact: true }).waitFor();
    await site.look(page, 'webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
    await page.getByText('Failures in a row').waitFor();
  });

  it('replays what was given up to a receiver that works again', async () => {
    const given = await plant(site.test, webhookId, client, {
      state: 'exhausted',
      attempts: ['HTTP_NOT_200', 'HTTP_NOT_200', 'HTTP_NOT_200'],
    });
    await plant(site.test, webhookId, client, { state: 'delivered', type: 'basket.created' });
    receiver.behave(answers(200, 'thank you'));
    // A period ends before the moment it is asked for, and the clock stands still.
    site.test.advance(60_000);
    const page = await at(`/webhooks/${webhookId}?state=exhausted`);
    await page.getByRole('link', { name: 'transaction.created' }).first().waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'basket.created' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('dialog', { name: 'Replay a period' }).waitFor();
    await site.look(page, 'webhook-replay');
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    // What was under way to it already is tried again with it.
    await page.getByText(/^[1-9]\d* tried again, 0 added$/).waitFor();
    await until('the receiver got it', () => receiver.received.some((r) => r.body.includes(given.eventId)));
    await site.walk(page, `/webhooks/${webhookId}/deliveries/${given.deliveryId}`);
    await page.getByText('Delivered', { exact: true }).first().waitFor();
    await page.getByText('thank you').waitFor();
    await site.look(page, 'webhook-delivery');
    await site.go(page, `/webhooks/${webhookId}`);
    await page.getByRole('link', { name: 'basket.created' }).waitFor();
    await site.look(page, 'webhook');
  });

  it('sends one that waits for its next attempt at once, when its receiver works again', async () => {
    const waiting = await plant(site.test, webhookId, client, { state: 'retrying', attempts: ['HTTP_NOT_200'] });
    receiver.behave(answers(200, 'mended'));
    const page = await at(`/webhooks/${webhookId}/deliveries/${waiting.deliveryId}`);
    await page.getByText('Retrying', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('mended').waitFor();
    await page.getByText('Delivered', { exact: true }).first().waitFor();
  });

  it('sends a test, pauses with a reason, resumes, and chooses event types', async () => {
    const page = await at(`/webhooks/${webhookId}`);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('link', { name: 'webhook.test' }).first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByLabel('Reason').fill('the receiver moves');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByText('the receiver moves').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Event types' }).click();
    await page.getByRole('switch', { name: 'Every event, also of kinds to come' }).uncheck();
    await page.getByRole('checkbox', { name: 'transaction.created' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Event types chosen').waitFor();
    const hook = contentOf(await site.test.get(`/v1/webhook/${webhookId}`, client.apiKey));
    expect([hook.state, hook.eventTypes]).toEqual(['ACTIVE', ['transaction.created']]);
  });

  it('offers the event types that an address can receive: a client learns of no case', async () => {
    const own = await subscribe(site.test, psp);
    const offered = async (webhook: string) => {
      const page = await at(`/webhooks/${webhook}`);
      await page.getByRole('button', { name: 'Event types' }).click();
      await page.getByRole('checkbox').first().waitFor();
      return page
        .getByRole('checkbox')
        .evaluateAll<string[], { value: string }>((boxes) => boxes.map((b) => b.value).sort());
    };
    expect(await offered(own)).toEqual([...announcedTypes].sort());
    expect(await offered(webhookId)).toEqual([...announcedTypes].filter((type) => !isForPspAlone(type)).sort());
  });

  it('says of a disabled address no count that ended, and of a delivery whose time has come no time that has passed', async () => {
    const off = await subscribe(site.test, client);
    await plant(site.test, off, client, { state: 'retrying', attempts: ['HTTP_NOT_200'] });
    const page = await at(`/webhooks/${off}`);
    await page.getByRole('row', { name: /transaction.created.*tomorrow/ }).waitFor();
    await page.getByText('Failures in a row').waitFor();
    await site.setTime(page, site.test.now() + 2 * 86_400_000);
    await page.reload();
    await page.getByRole('row', { name: /transaction.created.*As soon as it can/ }).waitFor();
    await site.test.database.admin.query("UPDATE webhooks SET state = 'DISABLED' WHERE id = $1", [uuidOf(off)]);
    await page.reload();
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect(await page.getByText('Failures in a row').count()).toBe(0);
  });

  it('shows a new secret once', async () => {
    const page = await at(`/webhooks/${webhookId}`);
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    const secret = page.getByRole('group', { name: 'Webhook secret' });
    await expect.poll(() => secret.textContent()).not.toBe('');
    await site.look(page, 'webhook-secret');
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await secret.waitFor({ state: 'detached' });
  });

  it('counts the deliveries of an address in the list under the words of its own page', async () => {
    const kept = await subscribe(site.test, client, 'https://kept.example/hook');
    await site.test.post(`/v1/webhook/${kept}/pause`, { reason: 'a receiver moves' }, client.apiKey);
    for (const state of ['held', 'held', 'exhausted']) await plant(site.test, kept, client, { state, attempts: [] });
    const page = await at('/webhooks');
    const row = page.getByRole('row', { name: /kept\.example/ });
    await row.waitFor();
    const heads = await page.getByRole('columnheader').allTextContents();
    const cells = await row.getByRole('cell').allTextContents();
    const listed = (name: string) => cells[heads.indexOf(name)];
    const { backlog } = contentOf(await site.test.get(`/v1/webhook/${kept}`, client.apiKey));
    expect(['Waiting', 'Being retried', 'Failed', 'Paused'].map(listed)).toEqual(['0', '0', '1', String(backlog.held)]);
    await row.getByRole('link', { name: /kept\.example/ }).click();
    for (const state of ['Paused', 'Failed'])
      await page
        .getByRole('row', { name: new RegExp(`transaction.created.*${state}`) })
        .first()
        .waitFor();
  });

  it('deletes an address after asking', async () => {
    const gone = await subscribe(site.test, client);
    const page = await at(`/webhooks/${gone}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect((await site.test.get(`/v1/webhook/${gone}`, client.apiKey)).status).toBe(404);
  });

  it('offers an auditor nothing to change', async () => {
    const page = await at(`/webhooks/${webhookId}`, await site.makePerson({ role: 'auditor' }));
    await settled(page);
    await expect.poll(() => page.getByRole('button', { name: 'Replay' }).count()).toBe(0);
  });
});
