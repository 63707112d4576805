// Licences that end within 30 days, soonest first. Those that have ended are holds of their clients.
import { addDays } from '../../core/calendar.ts';
import { accountWire, type PspId, toWire } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { clientNames } from '../accounts/index.ts';
import { licencesEnding } from './verification-store.ts';

const most = 10;

/** @param today local date of the caller */
export async function endingLicences(db: Database, psps: readonly PspId[], account: string | undefined, today: string) {
  const ending = await licencesEnding(db, psps, account, { from: today, to: addDays(today, 30) }, most);
  const nameOf = await clientNames(db, ending);
  return ending.map((l) => ({
    pspId: toWire('psp', l.psp),
    clientId: accountWire(l.psp, l.account),
    clientName: nameOf(l),
    activity: l.activity,
    validUntil: l.validUntil,
  }));
}
