// All SQL on webhook subscriptions.
import type { FactLoader } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { row } from '../kernel/journal.ts';

export interface Webhook {
  readonly psp: string;
  readonly id: string;
  readonly account: string;
  readonly url: string;
  readonly state: 'ACTIVE' | 'PAUSED' | 'DISABLED' | 'DELETED';
  readonly createdAt: string;
}

export const webhookRow = (w: Webhook) =>
  row('webhooks', {
    psp_id: w.psp,
    id: w.id,
    account_id: w.account,
    url: w.url,
    state: w.state,
    created_at: w.createdAt,
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
      const w: Webhook = {
        psp: r.psp_id as string,
        id: r.id as string,
        account: r.account_id as string,
        url: r.url as string,
        state: r.state as Webhook['state'],
        createdAt: r.created_at as string,
      };
      out.get(hooksKey(w))?.push(w);
    }
    return out;
  },
};

export const listWebhooks = async (db: Database, psp: string, account: string): Promise<Webhook[]> =>
  (await webhooksOf.load(db, [{ psp, account }])).get(hooksKey({ psp, account })) ?? [];
