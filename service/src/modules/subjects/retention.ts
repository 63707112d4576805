// Data stored for a limited time and then removed: delivered webhook events, the text of rejected lines, what risk rules
// counted and matched, the log of requests, and expired sessions. Records, the journal and its seal are permanent; what they hold about persons
// is sealed and unreadable once the keys are destroyed.
import { listAccounts } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { removeRequests } from '../requests/index.ts';
import { removePast } from '../risk/index.ts';
import { dropOldRaw } from '../telecom/index.ts';
import { deleteSessions } from '../users/index.ts';
import { removePublished } from '../webhooks/index.ts';

type Kept = Needs<'settings' | 'clock' | 'log' | 'db'>;

/** Longer than any window of a counter; how long a client was idle is known for as long. */
const activityDays = 400;

/** The journal records who signed in when. */
const sessionDays = 30;

/** One pass over all PSPs. Each step touches few rows, so that nobody waits for it. */
export async function clearPast(s: Kept): Promise<void> {
  const { retentionWebhookBodiesDays: webhookDays, retentionRejectedLinesDays: lineDays, requestLogDays } = s.settings;
  const past = (days: number) => new Date(s.clock() - days * 86_400_000).toISOString();
  await deleteSessions(s.db, past(sessionDays));
  let events = 0;
  let lines = 0;
  let activity = 0;
  let requests = 0;
  for (let before: string | undefined; ; ) {
    const psps = await listAccounts(s.db, { kind: 'psp', before, limit: 100 });
    for (const { psp } of psps) {
      if (webhookDays > 0) events += await removePublished(s.db, psp, past(webhookDays));
      requests += await removeRequests(s.db, psp, past(requestLogDays));
      activity += await removePast(s.db, psp, past(activityDays));
      if (lineDays > 0) lines += await dropOldRaw(s.db, psp, past(lineDays));
    }
    before = psps.at(-1)?.id;
    if (before === undefined) break;
  }
  if (events + lines + activity + requests > 0)
    s.log.info({ events, lines, activity, requests }, 'what is past its time was removed');
}
