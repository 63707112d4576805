// All SQL on webhook subscriptions.
import type { FactLoader } from '../../platform/committer.ts';
import type { Database, Row } from '../../platform/database.ts';
import { row } from '../kernel/journal.ts';

export interface Webhook {
  readonly psp: string;
  readonly id: string;
  readonly account: string;
  readonly url: string;
  /** Types wanted; null for all. */
  readonly eventTypes: readonly string[] | null;
  readonly state: 'ACTIVE' | 'PAUSED' | 'DISABLED' | 'DELETED';
  /** Why it stands as it does. */
  readonly stateReason: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const webhookRow = (w: Webhook) =>
  row('webhooks', {
    psp_id: w.psp,
    id: w.id,
    account_id: w.account,
    url: w.url,
    event_types: w.eventTypes && JSON.stringify(w.eventTypes),
    state: w.state,
    state_reason: w.stateReason,
    created_at: w.createdAt,
    updated_at: w.updatedAt,
  });

const hooksKey = (k: { psp: string; account: string }) => `${k.psp}|${k.account}`;

/** An account's subscriptions that are not deleted, oldest first. */
export const webhooksOf: FactLoader<{ psp: string; account: string }, Webhook[]> = {
  name: 'webhooks',
  text: hooksKey,
  async load(db, keys) {
    const out = new Map<string, Webhook[]>(keys.map((k) => [hooksKey(k), []]));
    const rows = await db.query(
      `SELECT w.* FROM webhooks w JOIN unnest($1::uuid[], $2::uuid[]) AS k(p, a) ON w.psp_id = k.p AND w.account_id = k.a
       WHERE w.state <> 'DELETED' ORDER BY w.id`,
      [keys.map((k) => k.psp), keys.map((k) => k.account)],
    );
    for (const r of rows) {
      const w = webhook(r);
      out.get(hooksKey(w))?.push(w);
    }
    return out;
  },
};

export const webhook = (r: Row): Webhook => ({
  psp: r.psp_id as string,
  id: r.id as string,
  account: r.account_id as string,
  url: r.url as string,
  eventTypes: r.event_types === null ? null : (JSON.parse(r.event_types as string) as string[]),
  state: r.state as Webhook['state'],
  stateReason: r.state_reason as string | null,
  createdAt: r.created_at as string,
  updatedAt: r.updated_at as string,
});

/** One that is not deleted. */
export async function findWebhook(db: Database, psp: string, id: string): Promise<Webhook | undefined> {
  const [r] = await db.query("SELECT * FROM webhooks WHERE psp_id = $1 AND id = $2 AND state <> 'DELETED'", [psp, id]);
  return r && webhook(r);
}

/** For staff only: one of any PSP. */
export async function findAnyWebhook(db: Database, id: string): Promise<Webhook | undefined> {
  const [r] = await db.query("SELECT * FROM webhooks WHERE id = $1 AND state <> 'DELETED'", [id]);
  return r && webhook(r);
}

export interface WebhookFilter {
  readonly psp: string;
  readonly account?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Those that are not deleted, newest first. */
export async function listWebhooks(db: Database, f: WebhookFilter): Promise<Webhook[]> {
  const rows = await db.query(
    `SELECT * FROM webhooks
     WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::uuid IS NULL OR id < $3) AND state <> 'DELETED'
     ORDER BY id DESC LIMIT $4`,
    [f.psp, f.account ?? null, f.before ?? null, f.limit],
  );
  return rows.map(webhook);
}
