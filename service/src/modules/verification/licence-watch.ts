// Warns of licences that end: an entry and an event 30 and 7 days before, on the last day, and when it has ended. The
// hold itself was placed when the licence was accepted, and needs nobody to begin.
import { addDays, localDate } from '../../core/calendar.ts';
import { toWire } from '../../core/ids.ts';
import { stored } from '../../core/refusal.ts';
import { daysLeft, dueWarning, type Licence, lastLicences } from '../../core/requirements/licence.ts';
import { findAccount } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { system } from '../kernel/principal.ts';
import { type ChangeNeeds, changeVerification } from './change-verification.ts';
import { zoneOf } from './shown.ts';
import { listToWarn, type Verification } from './verification-store.ts';
import { warnClients } from './warn-clients.ts';

/** One pass over all clients with a warning due. */
export async function warnOfLicences(s: ChangeNeeds & Needs<'db' | 'clock' | 'log'>): Promise<void> {
  const now = s.clock();
  // No country's day is further ahead.
  const latest = addDays(new Date(now).toISOString().slice(0, 10), 1);
  await warnClients(s, {
    of: 'licence',
    list: (after, limit) => listToWarn(s.db, latest, after, limit),
    warn: (v) => warn(s, v, now),
  });
}

async function warn(s: ChangeNeeds & Needs<'db'>, v: Verification, now: number): Promise<number> {
  const account = await findAccount(s.db, v.psp, v.account);
  if (!account) return 0;
  const today = localDate(zoneOf(s, account.country), now);
  let given = 0;
  for (const { id } of lastLicences(v.licences).filter((l) => dueWarning(l, today) !== undefined)) {
    const { replayed } = await changeVerification(s, system, v, now, {
      changed: 'licences',
      reason: stored`a licence has ended`,
      to(before) {
        const licence = lastLicences(before.licences).find((l) => l.id === id);
        const due = licence && dueWarning(licence, today);
        if (due === undefined) return before;
        const warned = (l: Licence) => (l.id === id ? { ...l, warned: due } : l);
        return { ...before, licences: before.licences.map(warned) };
      },
      entry(after, client) {
        const licence = after.licences.find((l) => l.id === id) as Licence;
        const left = daysLeft(licence, today) as number;
        const { activity, authority, number, validUntil } = licence;
        const expiringLicence = {
          licenceId: toWire('licence', id),
          activity,
          authority,
          number,
          validUntil: validUntil as string,
          daysLeft: left,
        };
        return left < 0 ? undefined : { kind: 'client.licence_expiring', data: { ...client, expiringLicence } };
      },
    });
    if (!replayed) given++;
  }
  return given;
}
