// Flags of an account derived from its own webhook addresses: one for each address with a warning or disabled. Computed
// on every read and stored nowhere, so they end by themselves.
import { type PspId, toWire } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';

export async function webhookFlags(db: Database, psp: PspId, account: string) {
  const rows = await db.query<{ id: string; url: string; state: string; state_reason: string | null; since: string }>(
    `SELECT w.id, w.url, w.state, w.state_reason,
       CASE WHEN w.state = 'ACTIVE' THEN h.failing_since ELSE coalesce(h.last_failure_at, w.updated_at) END AS since
     FROM webhooks w LEFT JOIN webhook_health h ON h.psp_id = w.psp_id AND h.webhook_id = w.id
     WHERE w.psp_id = $1 AND w.account_id = $2 AND (w.state = 'DISABLED'
       OR (w.state = 'ACTIVE' AND w.state_reason IS NOT NULL AND h.failing_since IS NOT NULL))
     ORDER BY w.id`,
    [psp, account],
  );
  return rows.map((r) => ({
    id: toWire('webhook', r.id),
    code: r.state === 'ACTIVE' ? 'WEBHOOK_FAILING' : 'WEBHOOK_DISABLED',
    reason: `${r.url}: ${r.state_reason}`,
    // A faulty receiver prevents nobody from trading.
    blocking: false,
    since: r.since,
    until: null,
  }));
}
