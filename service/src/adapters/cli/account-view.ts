// How PSPs and clients are printed for a person.
import type { Output as Answer } from '@assay/client';
import type { Output } from './output.ts';

type ShownAccount = Answer<'getClient'>;
type Flag = ShownAccount['flags'][number];
type Profile = NonNullable<ShownAccount['taxProfiles']>[number];

/** A client on a blocking hold is not called active: its transactions are declined. */
const standingOf = (a: ShownAccount): string =>
  a.operationalStanding === 'ACTIVE' && !a.acceptable && a.flags.some((f) => f.blocking)
    ? 'ON_HOLD'
    : a.operationalStanding;

/** Prints a list, newest first. */
export function showAccounts(out: Output, items: readonly ShownAccount[], noun: string): void {
  if (items.length === 0) {
    out.line(`no ${noun}s`);
    return;
  }
  out.table<ShownAccount>(items, [
    { title: 'Id', value: (a) => a.clientId },
    { title: 'Name', value: (a) => a.registeredName },
    { title: 'Country', value: (a) => a.countryCode },
    noun === 'client'
      ? { title: 'Classification', value: (a) => a.classification }
      : { title: 'Mode', value: (a) => (a.testOf === undefined ? 'live' : 'test') },
    { title: 'Standing', value: standingOf },
    { title: 'Level', value: (a) => a.verificationLevel },
    { title: 'Acceptable', value: (a) => a.acceptable },
    { title: 'Since', value: (a) => a.createdAt.slice(0, 10) },
  ]);
}

/** Prints one account with its holds and tax profiles. */
export function showAccount(out: Output, a: ShownAccount): void {
  out.facts([
    ['Id', a.clientId],
    ['Name', a.registeredName],
    ...(a.testOf === undefined ? [] : [['For tests of', a.testOf] as const]),
    ['Registration', a.registrationNumber],
    ['Country', a.countryCode],
    ['Classification', a.classification],
    ['Tax number', a.organizationTin],
    ['Standing', standingOf(a)],
    ['Level', a.verificationLevel],
    ['Acceptable', a.reason === null ? 'yes' : `no: ${a.reason}`],
    ...(a.taxProfiles ? [] : [['Tax profile', 'none: counts as registered in every country'] as const]),
    ['Created', a.createdAt],
    ['Changed', a.updatedAt],
  ]);
  if (a.flags.length > 0) showHolds(out, a.flags);
  if (a.taxProfiles) showProfiles(out, a.taxProfiles);
}

function showHolds(out: Output, flags: readonly Flag[]): void {
  out.line();
  out.table<Flag>(flags, [
    { title: 'Hold', value: (f) => f.id },
    { title: 'Code', value: (f) => f.code },
    { title: 'Blocks', value: (f) => f.blocking },
    { title: 'From', value: (f) => f.since },
    { title: 'Until', value: (f) => f.until },
    { title: 'Reason', value: (f) => f.reason },
  ]);
}

/** A profile is in force until the next one of its country. */
function showProfiles(out: Output, profiles: readonly Profile[]): void {
  out.line();
  out.table<Profile>(profiles, [
    { title: 'Tax in', value: (p) => p.country },
    { title: 'Part', value: (p) => p.subdivision },
    { title: 'From', value: (p) => p.validFrom },
    { title: 'Registered', value: (p) => p.registered },
    { title: 'Scheme', value: (p) => p.scheme },
    { title: 'Number', value: (p) => p.taxNumber },
    { title: 'Kind', value: (p) => p.taxNumberKind },
    { title: 'Valid', value: (p) => p.taxNumberValid },
    { title: 'Sells', value: (p) => p.supply },
  ]);
}
