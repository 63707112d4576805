// Seals the journal and publishes its checkpoints outside the database: the sealer, and the auditor if configured.
import { join } from 'node:path';
import { readWebhookUrl, WebhookUrlFault } from '../../core/webhook-url.ts';
import type { Database, Pool } from '../../platform/database.ts';
import type { Outgoing } from '../../platform/outgoing.ts';
import type { Needs } from '../kernel/needs.ts';
import { openAuditKeys } from './audit-key.ts';
import { Auditor } from './auditor.ts';
import { CheckpointFolder } from './checkpoint-folder.ts';
import { Sealer } from './sealer.ts';

export interface SealingOptions {
  readonly dataDir: string;
  /** For reading the journal. */
  readonly reading: Pool;
  readonly outgoing: Pick<Outgoing, 'send'>;
  connect(max: number): Pool;
  /** Called with the outcome of each attempt to send to the auditor. */
  observe(reason: string): void;
}

/** @throws if the settings name an auditor's address that may not be called */
export async function makeSealing(
  s: Needs<'settings' | 'clock' | 'log' | 'db' | 'vault'>,
  o: SealingOptions,
): Promise<{ readonly sealer: Sealer; readonly auditor: Auditor | undefined }> {
  const { settings, clock, log } = s;
  const keys = (db: Database) => openAuditKeys(db, s.vault, clock, settings.baseUrl);
  // The first start makes the key before anything is served.
  await keys(s.db);
  const outside = new CheckpointFolder(join(o.dataDir, 'checkpoints'));
  const sealer = new Sealer({ pool: o.reading.prepared, log, clock, keys, outside });
  const at = settings.auditWebhook;
  if (!at) return { sealer, auditor: undefined };
  const { webhookAllowHttp: allowHttp, webhookAllowCidrs: allowCidrs } = settings;
  const read = readWebhookUrl(at.url, { allowHttp, allowCidrs });
  if (read instanceof WebhookUrlFault) throw new Error(`settings: AUDIT_WEBHOOK_URL ${read.why}`);
  const pool = o.connect(2);
  return { sealer, auditor: new Auditor({ pool, log, clock, outgoing: o.outgoing, ...at, observe: o.observe }) };
}
