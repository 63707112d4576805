// The number of addresses and deliveries that need attention, from indexes.
import type { PspId } from '../../core/ids.ts';
import { type Database, only } from '../../platform/database.ts';

export interface WebhookAttention {
  /** Active addresses whose last attempt failed. */
  readonly failing: number;
  readonly disabled: number;
  /** Deliveries whose attempts are exhausted. */
  readonly exhausted: number;
}

/** @param account limits it to this account's addresses */
export const webhookAttention = async (
  db: Database,
  psps: readonly PspId[],
  account: string | undefined,
): Promise<WebhookAttention> =>
  only(
    await db.query(
      `SELECT count(*) FILTER (WHERE w.state = 'ACTIVE' AND h.failing_since IS NOT NULL) AS failing,
       count(*) FILTER (WHERE w.state = 'DISABLED') AS disabled,
       coalesce(sum((SELECT count(*) FROM webhook_deliveries d
         WHERE d.psp_id = w.psp_id AND d.webhook_id = w.id AND d.state = 'exhausted')), 0)::bigint AS exhausted
     FROM webhooks w LEFT JOIN webhook_health h ON h.psp_id = w.psp_id AND h.webhook_id = w.id
     WHERE w.psp_id = ANY ($1::uuid[]) AND ($2::uuid IS NULL OR w.account_id = $2) AND w.state <> 'DELETED'`,
      [psps, account],
    ),
  );
