// The journal reader that opens alerts about what was observed: a deposit or wager against an exclusion or a limit of its
// player, and a licence or document of a client that ends soon. It changes no decision.
import { isoTime } from '../../core/calendar.ts';
import { parseExactly } from '../../core/entry.ts';
import type { PlayerCode } from '../../core/players/restriction.ts';
import { phrase, said, stored } from '../../core/said.ts';
import { type EntryOf, type Parse, readEntry } from '../../entries/read.ts';
import type { Pool } from '../../platform/database.ts';
import type { JournalEntry } from '../../platform/journal-entries.ts';
import { JournalReader } from '../../platform/journal-reader.ts';
import type { Needs } from '../kernel/needs.ts';
import { type Alert, openAlerts } from '../reviews/index.ts';

const read = ['transaction.created/1', 'wager.created/1', 'client.licence_expiring/1', 'client.updated/1'] as const;
/** Entries of version 0.1 begin with their id. All others are read, and those with another schema are set aside. */
const known = new RegExp(`^\\{(?:"id":"|"schema":"(?:${read.join('|')})",)`);
/** Written by JSON.stringify, so they have only one form in the text. */
const watched = /"code":"PLAYER_(?:EXCLUDED|LIMIT)"|"expiring(?:Licence|Document)":/;

const rules = {
  PLAYER_EXCLUDED: {
    severity: 'HIGH',
    reason: stored`A player who is excluded from gambling was let in: the exclusion is observed, not enforced.`,
  },
  PLAYER_LIMIT: {
    severity: 'MEDIUM',
    reason: stored`A player exceeded a limit: it is observed, not enforced.`,
  },
} as const satisfies Record<PlayerCode, { severity: Alert['severity']; reason: string }>;
const codes = Object.keys(rules) as PlayerCode[];

/** Named for what it has always written: with another name it would read every journal again. */
export const observedAlertsReader = 'player-alerts';

/** Amounts are not read. */
const parse: Parse<unknown> = parseExactly;

export function makeObservedAlertsReader(
  services: Needs<'clock' | 'ids' | 'log' | 'committer'>,
  pool: Pick<Pool, 'query' | 'transaction'>,
): JournalReader {
  return new JournalReader({
    name: observedAlertsReader,
    pool,
    log: services.log,
    kinds: ['transaction.created', 'wager.created', 'client.licence_expiring', 'client.updated'],
    limit: 2000,
    gapMs: 100,
    clock: services.clock,
    async readAll(tx, journals) {
      const found = journals.flatMap(({ entries }) =>
        entries.filter((e) => !known.test(e.body) || watched.test(e.body)).flatMap(alertsOf),
      );
      await openAlerts(tx, services, found, isoTime(services.clock()));
    },
  });
}

function alertsOf({ psp, account, resource, body }: JournalEntry): Alert[] {
  const entry = readEntry(body, read, parse);
  if (entry.type === 'client.licence_expiring')
    return licenceAlerts(psp, account, readEntry(body, ['client.licence_expiring/1']).data.expiringLicence);
  if (entry.type === 'client.updated')
    return documentAlerts(psp, account, readEntry(body, ['client.updated/1']).data.expiringDocument);
  const { type, data, subject: person } = entry;
  const about = type === 'wager.created' ? { about: data.wagerId as string } : { transaction: resource };
  return codes.flatMap((rule) => {
    const findings = data.observations.filter((o) => o.code === rule);
    return findings.length === 0 ? [] : [{ psp, account, rule, ...rules[rule], findings, person, ...about }];
  });
}

function whenEnding(validUntil: string, daysLeft: number) {
  const days = daysLeft === 1 ? said`1 day` : said`${daysLeft} days`;
  return daysLeft === 0 ? said`today` : said`on ${validUntil}, in ${days}`;
}

const severityOfEnd = (daysLeft: number) => (daysLeft <= 0 ? 'HIGH' : daysLeft <= 7 ? 'MEDIUM' : 'LOW');

/** As for a licence. No hold follows, so the people who read it decide. */
function documentAlerts(
  psp: JournalEntry['psp'],
  account: JournalEntry['account'],
  document: EntryOf<'client.updated/1'>['data']['expiringDocument'],
): Alert[] {
  if (document === undefined) return [];
  const { documentId, kind, validUntil, daysLeft } = document;
  const what = phrase(kind.toLowerCase().replaceAll('_', ' '));
  return [
    {
      ...{ psp, account, rule: 'DOCUMENT_ENDS', about: `${documentId} ${daysLeft}` },
      severity: severityOfEnd(daysLeft),
      reason:
        daysLeft < 0
          ? stored`The document ${documentId} of the client (${what}) ended on ${validUntil}. It is due again; the level of the client stays as it is.`
          : stored`The document ${documentId} of the client (${what}) ends ${whenEnding(validUntil, daysLeft)}. Unless another one is accepted, it is due again from the next day on; the level of the client stays as it is.`,
    },
  ];
}

/** One 30 days before, 7 days before and on the last day, more severe each time. */
function licenceAlerts(
  psp: JournalEntry['psp'],
  account: JournalEntry['account'],
  licence: EntryOf<'client.licence_expiring/1'>['data']['expiringLicence'],
): Alert[] {
  if (licence === undefined) return [];
  const { licenceId, activity, authority, number, validUntil, daysLeft } = licence;
  const when = whenEnding(validUntil, daysLeft);
  return [
    {
      ...{ psp, account, rule: 'LICENCE_ENDS', about: `${licenceId} ${daysLeft}` },
      severity: severityOfEnd(daysLeft),
      reason: stored`The licence ${number} of ${authority} (${activity}) ends ${when}. Unless another one is accepted, the client is on hold from the next day on.`,
    },
  ];
}
