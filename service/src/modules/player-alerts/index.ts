// The journal reader that opens an alert for each deposit or wager that an exclusion or a limit of its player was
// observed on. It changes no decision.
import { isoTime } from '../../core/calendar.ts';
import { parseExactly } from '../../core/entry.ts';
import type { PlayerCode } from '../../core/players/restriction.ts';
import { type Parse, readEntry } from '../../entries/read.ts';
import type { Pool } from '../../platform/database.ts';
import type { JournalEntry } from '../../platform/journal-entries.ts';
import { JournalReader } from '../../platform/journal-reader.ts';
import type { Needs } from '../kernel/needs.ts';
import { type Alert, openAlerts } from '../reviews/index.ts';

const read = ['transaction.created/1', 'wager.created/1'] as const;
/** Entries of version 0.1 begin with their id. All others are read, and those with another schema are set aside. */
const known = new RegExp(`^\\{(?:"id":"|"schema":"(?:${read.join('|')})",)`);
/** Observations are written by JSON.stringify, so a code has only one form in the text. */
const watched = /"code":"PLAYER_(?:EXCLUDED|LIMIT)"/;

const rules = {
  PLAYER_EXCLUDED: {
    severity: 'HIGH',
    reason: 'A player who is excluded from gambling was let in: the exclusion is observed, not enforced.',
  },
  PLAYER_LIMIT: {
    severity: 'MEDIUM',
    reason: 'A player exceeded a limit: it is observed, not enforced.',
  },
} as const satisfies Record<PlayerCode, { severity: Alert['severity']; reason: string }>;
const codes = Object.keys(rules) as PlayerCode[];

/** Amounts are not read. */
const parse: Parse<unknown> = parseExactly;

export function makePlayerAlertsReader(
  services: Needs<'clock' | 'ids' | 'log' | 'committer'>,
  pool: Pick<Pool, 'query' | 'transaction'>,
): JournalReader {
  return new JournalReader({
    name: 'player-alerts',
    pool,
    log: services.log,
    kinds: ['transaction.created', 'wager.created'],
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
  const { type, data, subject: person } = readEntry(body, read, parse);
  const about = type === 'wager.created' ? { about: data.wagerId as string } : { transaction: resource };
  return codes.flatMap((rule) => {
    const findings = data.observations.filter((o) => o.code === rule);
    return findings.length === 0 ? [] : [{ psp, account, rule, ...rules[rule], findings, person, ...about }];
  });
}
