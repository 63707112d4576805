// Licences that end within 30 days, soonest first. Those that have ended are holds of their clients.
import { addDays } from '../../core/calendar.ts';
import { type PspId, toWire } from '../../core/ids.ts';
import { lastLicences } from '../../core/requirements/licence.ts';
import { accountWire } from '../../core/transaction.ts';
import type { Database } from '../../platform/database.ts';
import { clientNames } from '../accounts/index.ts';
import { warnedOf } from './verification-store.ts';

const most = 10;

/** @param today local date of the caller */
export async function endingLicences(db: Database, psps: readonly PspId[], account: string | undefined, today: string) {
  const until = addDays(today, 30);
  const ending = (await warnedOf(db, psps, account, until))
    .flatMap(({ psp, account, licences }) =>
      lastLicences(licences).map(({ activity, validUntil }) => ({
        psp,
        account,
        activity,
        validUntil: validUntil ?? '',
      })),
    )
    .filter((l) => l.validUntil >= today && l.validUntil <= until)
    .sort((a, b) => (a.validUntil < b.validUntil ? -1 : 1))
    .slice(0, most);
  const nameOf = await clientNames(db, ending);
  return ending.map((l) => ({
    pspId: toWire('psp', l.psp),
    clientId: accountWire(l.psp, l.account),
    clientName: nameOf(l),
    activity: l.activity,
    validUntil: l.validUntil,
  }));
}
