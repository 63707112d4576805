// Warns of documents that a client has to show and that end: an event 30 and 7 days before, and on the last day. No hold follows: what
// has ended is due again, and people decide about the level.
import { addDays, localDate } from '../../core/calendar.ts';
import { toWire } from '../../core/ids.ts';
import { documentWarning, lastDocuments, lateDays } from '../../core/requirements/ending-document.ts';
import { warningDays } from '../../core/requirements/licence.ts';
import { findAccount } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { system } from '../kernel/principal.ts';
import { type ChangeNeeds, changeVerification } from './change-verification.ts';
import { type HasRequirements, mostDocuments, zoneOf } from './shown.ts';
import { type ClientKey, clientsToWarn, findVerification, listDocuments, nothingShown } from './verification-store.ts';
import { warnClients } from './warn-clients.ts';

type Uses = ChangeNeeds & Needs<'db' | 'clock' | 'log'> & HasRequirements;

/** One pass over all clients with a warning due. */
export async function warnOfDocuments(s: Uses): Promise<void> {
  const now = s.clock();
  const day = new Date(now).toISOString().slice(0, 10);
  // A country's day is at most one before or after.
  const days = { from: addDays(day, -lateDays - 1), latest: addDays(day, 1), warnings: warningDays };
  await warnClients(s, {
    of: 'document',
    list: (after, limit) => clientsToWarn(s.db, days, after, limit),
    warn: (client) => warn(s, client, now),
  });
}

async function warn(s: Uses, client: ClientKey, now: number): Promise<number> {
  const account = await findAccount(s.db, client.psp, client.account);
  if (!account) return 0;
  const today = localDate(zoneOf(s, account.country), now);
  const documents = await listDocuments(s.db, { ...client, limit: mostDocuments });
  const shown = await findVerification(s.db, client);
  let given = 0;
  for (const d of lastDocuments(documents, s.requirements.of(account, today), shown ?? nothingShown(client, ''))) {
    const { replayed } = await changeVerification(s, system, client, now, {
      changed: 'documents',
      to(before) {
        const due = documentWarning(d.validUntil, before.documentsWarned?.[d.id], today);
        if (due === undefined) return before;
        // What is past its last warning is not looked for any more.
        const kept = Object.entries(before.documentsWarned ?? {}).filter(([id]) =>
          documents.some((k) => k.id === id && k.validUntil !== null && k.validUntil >= addDays(today, -lateDays - 2)),
        );
        return { ...before, documentsWarned: { ...Object.fromEntries(kept), [d.id]: due.stage } };
      },
      entry(_, data, { holds }) {
        const due = documentWarning(d.validUntil, undefined, today);
        const expiringDocument = {
          documentId: toWire('document', d.id),
          kind: d.kind,
          validUntil: d.validUntil as string,
          daysLeft: due?.daysLeft as number,
        };
        const evidence = { changed: ['documents'], ...(holds.length === 0 ? {} : { holds }) };
        return { kind: 'client.updated', data: { ...data, expiringDocument }, evidence };
      },
    });
    if (!replayed) given++;
  }
  return given;
}
