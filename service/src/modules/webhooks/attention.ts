// Addresses and deliveries that need attention, from indexes.
import type { PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { type Waits, waitsIn } from '../kernel/waits.ts';

/** Active addresses whose last attempt failed, disabled ones, and deliveries whose attempts are exhausted. @param account limits it to this account's addresses */
export const webhookWaits = (db: Database, psps: readonly PspId[], account: string | undefined): Promise<Waits[]> =>
  db.query(
    [
      waitsIn(
        'failingWebhooks',
        'webhooks w JOIN webhook_health h ON h.psp_id = w.psp_id AND h.webhook_id = w.id',
        "w.state = 'ACTIVE' AND h.failing_since IS NOT NULL",
      ),
      waitsIn('disabledWebhooks', 'webhooks w', "w.state = 'DISABLED'"),
      waitsIn(
        'exhaustedDeliveries',
        `webhooks w CROSS JOIN LATERAL (
           SELECT count(*) AS n FROM webhook_deliveries d
           WHERE d.psp_id = w.psp_id AND d.webhook_id = w.id AND d.state = 'exhausted') e`,
        "w.state <> 'DELETED' AND e.n > 0",
        'sum(e.n)::bigint',
      ),
    ].join(' UNION ALL '),
    [psps, account],
  );
