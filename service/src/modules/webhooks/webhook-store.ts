// All SQL on webhook subscriptions.
import type { PspId } from '../../core/ids.ts';
import type { FactLoader } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';
import { webhooks } from '../../records/webhooks.ts';
import { row } from '../kernel/journal.ts';
import type { ListFilter } from '../kernel/list-filter.ts';

const table = tableOf(webhooks);
export type Webhook = RecordOf<typeof webhooks>;

export const webhookRow = (w: Webhook) => row('webhooks', table.toRow(w));

const hooksKey = (k: { psp: PspId; account: string }) => `${k.psp}|${k.account}`;

/** An account's subscriptions that are not deleted, oldest first. */
export const webhooksOf: FactLoader<{ psp: PspId; account: string }, Webhook[]> = {
  name: 'webhooks',
  text: hooksKey,
  async load(db, keys) {
    const out = new Map<string, Webhook[]>(keys.map((k) => [hooksKey(k), []]));
    const found = await table.read(
      db,
      `JOIN unnest($1::uuid[], $2::uuid[]) AS k(p, a) ON webhooks.psp_id = k.p AND webhooks.account_id = k.a
       WHERE state <> 'DELETED' ORDER BY id`,
      [keys.map((k) => k.psp), keys.map((k) => k.account)],
    );
    for (const w of found) out.get(hooksKey(w))?.push(w);
    return out;
  },
};

/** A subscription that is not deleted. */
export const findWebhook = (db: Database, psp: PspId, id: string): Promise<Webhook | undefined> =>
  table.find(db, "WHERE psp_id = $1 AND id = $2 AND state <> 'DELETED'", [psp, id]);

/** For staff only: a subscription of any PSP. */
export const findAnyWebhook = (db: Database, id: string): Promise<Webhook | undefined> =>
  table.find(db, "WHERE id = $1 AND state <> 'DELETED'", [id]);

/** Subscriptions that are not deleted, newest first. */
export const listWebhooks = (db: Database, f: ListFilter): Promise<Webhook[]> =>
  table.read(
    db,
    `WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::uuid IS NULL OR id < $3) AND state <> 'DELETED'
     ORDER BY id DESC LIMIT $4`,
    [f.psp, f.account, f.before, f.limit],
  );
