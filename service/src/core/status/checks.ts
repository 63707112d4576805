// What the state of the service means: for each figure whether it is well, and in words what to do if it is not. Pure.

import { type Said, said } from '../said.ts';
import { bytesInWords, counted, durationInWords } from './words.ts';

export const checkStates = ['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'] as const;
export type CheckState = (typeof checkStates)[number];
export const checkAreas = ['PROCESSES', 'JOURNAL', 'QUEUES', 'DATABASE', 'STORAGE', 'KEYS'] as const;

export interface Check {
  /** Stable. */
  readonly name: string;
  readonly area: (typeof checkAreas)[number];
  readonly title: string;
  readonly state: CheckState;
  /** The figure in words. */
  readonly value: string;
  /** What to do; null if nothing is. */
  readonly advice: string | null;
}

export interface ReaderLag {
  readonly reader: string;
  readonly entries: number;
  /** Age of the oldest entry that it has not read; 0 if it has read all. */
  readonly oldestS: number;
  /** The age that this has while all is well, beyond that of other readers. */
  readonly usualS: number;
}

/** Undefined where something could not be read. */
export interface Figures {
  readonly version: string;
  readonly followers: number | undefined;
  readonly versions: readonly { readonly version: string; readonly connections: number }[] | undefined;
  /** Names of settings that another process on the database has otherwise. */
  readonly settingsApart: readonly string[] | undefined;
  /** How far this process's clock is ahead of the database's; negative where it is behind. */
  readonly clockAheadS: number | undefined;
  readonly lags: readonly ReaderLag[] | undefined;
  /** Entries that readers set aside. */
  readonly setAside: number | undefined;
  readonly sealing: { readonly entries: number; readonly oldestS: number } | undefined;
  /** Age of the newest checkpoint; null if there is none. */
  readonly checkpointS: number | null | undefined;
  readonly deliveries: { readonly waiting: number; readonly exhausted: number; readonly disabled: number } | undefined;
  readonly reports: { readonly waiting: number } | undefined;
  /** `etaS` is null if it is not known; `stillS` is how long nothing was done where it is longest, null if no file waits. */
  readonly callFiles:
    | { readonly bytesLeft: number; readonly etaS: number | null; readonly stillS: number | null }
    | undefined;
  readonly scheduleProblems: number | undefined;
  readonly database:
    | { readonly version: string; readonly bytes: number; readonly connections: number; readonly most: number }
    | undefined;
  readonly migrations: { readonly count: number; readonly last: string; readonly at: string } | undefined;
  readonly disk: { readonly free: number; readonly total: number } | undefined;
  /** `lastS` is null if there is no good one; null altogether if this process makes none. */
  readonly backup: { readonly lastS: number | null; readonly mostS: number } | null | undefined;
  readonly sealingKeyS: number | null | undefined;
  readonly keys: { readonly unused: number; readonly expiring: number } | undefined;
}

type Verdict = readonly [state: CheckState, value: string | Said, advice?: string];
const unread: Verdict = [
  'UNKNOWN',
  'could not be read',
  'Look at the log of the service: it says why. Reload this page.',
];

function read<T>(figure: T | undefined, verdictOf: (figure: T) => Verdict): Verdict {
  return figure === undefined ? unread : verdictOf(figure);
}

/** By the age of the oldest entry that waits to be read or sealed. */
const stateByAge = (s: number): CheckState => (s < 60 ? 'OK' : s < 900 ? 'WARNING' : 'CRITICAL');

const lagAdvice =
  'Background work is behind. If it grows, look at the log for errors of this reader, and start another background process.';
const stuckAdvice =
  'What this reader makes comes that much later. If it is stuck in a journal, the log names the PSP and the cause; if the log says nothing of it, see that a background process runs.';

export function checksOf(f: Figures): Check[] {
  const checks: Check[] = [];
  const add = (area: Check['area'], name: string, title: string | Said, [state, value, advice]: Verdict) =>
    checks.push({ name, area, title: String(title), state, value: String(value), advice: advice ?? null });
  add(
    'PROCESSES',
    'background',
    'Background processes',
    read(f.followers, (n) =>
      n > 0
        ? ['OK', counted(n, 'process', 'processes')]
        : [
            'CRITICAL',
            'none',
            'Nothing is delivered, counted or sealed. Start a process without ROLE, or with ROLE=follow or ROLE=all.',
          ],
    ),
  );
  add(
    'PROCESSES',
    'versions',
    'Versions',
    read(f.versions, (all) => {
      const names = [...new Set([f.version, ...all.map((v) => v.version)])];
      return names.length > 1
        ? [
            'WARNING',
            names.join(', '),
            'An upgrade is under way or was left half done: restart the processes of the older version.',
          ]
        : ['OK', f.version];
    }),
  );
  add(
    'PROCESSES',
    'settings',
    'Settings',
    read(f.settingsApart, (names) =>
      names.length > 0
        ? [
            'WARNING',
            said`not the same in all processes: ${names.join(', ')}`,
            'What callers are answered depends on the process that they reach: give all processes and commands the same values, and restart those that had others.',
          ]
        : ['OK', 'the same in all processes'],
    ),
  );
  add(
    'PROCESSES',
    'clocks',
    'Clocks',
    read(f.clockAheadS, (s) => {
      const apart = durationInWords(Math.abs(s));
      if (Math.abs(s) < 30) return ['OK', 'the same as that of the database'];
      return [
        'WARNING',
        s > 0 ? said`${apart} ahead of that of the database` : said`${apart} behind that of the database`,
        'Work at set times, such as backups, waits for the clock that is behind. Keep the clocks of all machines by NTP.',
      ];
    }),
  );
  if (f.lags === undefined) add('JOURNAL', 'readers', 'Readers of the journal', unread);
  for (const { reader, entries, oldestS, usualS } of f.lags ?? []) {
    // One that is stuck in a quiet journal is few entries behind, and one under load is many behind for a moment.
    const byCount = entries < 1_000 ? 'OK' : entries < 100_000 ? 'WARNING' : 'CRITICAL';
    const byAge = stateByAge(oldestS - usualS);
    const state = worse(byCount, byAge);
    const behind = said`${counted(entries, 'entry', 'entries')} behind`;
    const value =
      entries === 0
        ? 'at the end'
        : byAge === 'OK'
          ? behind
          : said`${behind}, the oldest ${durationInWords(oldestS)} old`;
    add(
      'JOURNAL',
      `reader.${reader}`,
      said`Reader: ${reader}`,
      state === 'OK' ? [state, value] : [state, value, byCount === 'OK' ? stuckAdvice : lagAdvice],
    );
  }
  add(
    'JOURNAL',
    'setAside',
    'Entries set aside',
    read(f.setAside, (n) =>
      n === 0
        ? ['OK', 'none']
        : [
            'WARNING',
            counted(n, 'entry', 'entries'),
            'Totals and analyses are not complete. The log names each and its cause. During an upgrade, finish it; report the others. Each is tried again every hour.',
          ],
    ),
  );
  add(
    'JOURNAL',
    'sealing',
    'Sealing',
    read(f.sealing, ({ entries, oldestS }) => {
      if (entries === 0) return ['OK', 'every entry is sealed'];
      const value = said`${counted(entries, 'entry', 'entries')}, the oldest ${durationInWords(oldestS)} old`;
      const state = stateByAge(oldestS);
      if (state === 'OK') return [state, value];
      return [state, value, 'Receipts of these records wait. Look at the log for errors of sealing.'];
    }),
  );
  add(
    'JOURNAL',
    'checkpoint',
    'Last checkpoint',
    read(f.checkpointS, (s) => ['OK', s === null ? 'none yet' : said`${durationInWords(s)} ago`]),
  );
  add(
    'QUEUES',
    'deliveries',
    'Webhook deliveries waiting',
    read(f.deliveries, ({ waiting }) =>
      waiting < 1_000
        ? ['OK', waiting.toLocaleString('en')]
        : [
            waiting < 50_000 ? 'WARNING' : 'CRITICAL',
            waiting.toLocaleString('en'),
            'Receivers are slow or away: see which under Webhooks.',
          ],
    ),
  );
  add(
    'QUEUES',
    'webhooks',
    'Webhook addresses disabled, deliveries failed',
    read(f.deliveries, ({ disabled, exhausted }) =>
      disabled + exhausted === 0
        ? ['OK', 'none']
        : [
            'WARNING',
            said`${counted(disabled, 'address', 'addresses')}, ${counted(exhausted, 'delivery', 'deliveries')}`,
            'Tell the receivers; then resume the address and replay its events under Webhooks.',
          ],
    ),
  );
  add(
    'QUEUES',
    'reports',
    'Reports waiting',
    read(f.reports, ({ waiting }) =>
      waiting < 50
        ? ['OK', String(waiting)]
        : ['WARNING', String(waiting), 'They are made two at a time in each background process: start another one.'],
    ),
  );
  add(
    'QUEUES',
    'schedules',
    'Scheduled reports not made',
    read(f.scheduleProblems, (n) =>
      n === 0
        ? ['OK', 'none']
        : ['WARNING', counted(n, 'schedule'), 'Reports, Scheduled reports: each says why. Change it or end it.'],
    ),
  );
  add(
    'QUEUES',
    'callFiles',
    'Call detail files',
    read(f.callFiles, ({ bytesLeft, etaS, stillS }) => {
      if (stillS === null) return ['OK', 'none waiting'];
      if (stillS >= 30 * 60)
        return [
          'WARNING',
          said`${bytesInWords(bytesLeft)} left, nothing done for ${durationInWords(stillS)}`,
          'A file was picked up and is not worked on. Look for "a call detail file could not be worked on to its end" in the log: it says why, and the file continues at the next pick-up.',
        ];
      const value =
        etaS === null || etaS === 0
          ? said`${bytesInWords(bytesLeft)} left`
          : said`${bytesInWords(bytesLeft)} left, about ${durationInWords(etaS)}`;
      return etaS === null || etaS < 4 * 3600
        ? ['OK', value]
        : ['WARNING', value, 'More arrives than is taken in: start another background process.'];
    }),
  );
  add(
    'DATABASE',
    'connections',
    'Connections',
    read(f.database, ({ connections, most }) => {
      const value = said`${connections} of ${most}`;
      const share = connections / most;
      if (share < 0.8) return ['OK', value];
      return [
        share < 0.95 ? 'WARNING' : 'CRITICAL',
        value,
        'Lower DATABASE_POOL, run fewer processes, or raise max_connections of the server.',
      ];
    }),
  );
  add(
    'DATABASE',
    'size',
    'Size',
    read(f.database, ({ bytes, version }) => ['OK', `${bytesInWords(bytes)}, PostgreSQL ${version}`]),
  );
  add(
    'DATABASE',
    'migrations',
    'Migrations',
    read(f.migrations, ({ count, last, at }) => [
      'OK',
      said`${count} applied, the last one ${last} on ${at.slice(0, 10)}`,
    ]),
  );
  add(
    'STORAGE',
    'disk',
    'Free disk',
    read(f.disk, ({ free, total }) => {
      const value = said`${bytesInWords(free)} of ${bytesInWords(total)}`;
      const share = total === 0 ? 0 : free / total;
      if (share > 0.15) return ['OK', value];
      return [
        share > 0.05 ? 'WARNING' : 'CRITICAL',
        value,
        'Add room, or archive old months. A full disk stops every decision.',
      ];
    }),
  );
  add(
    'STORAGE',
    'backup',
    'Last good backup',
    read(f.backup, (b) => {
      const advice = 'Look at the log for why; "assay backup" makes one at once.';
      if (b === null)
        return ['WARNING', 'this process makes none', 'Set BACKUP_DIR on one machine, if nothing else makes backups.'];
      if (b.lastS === null) return ['CRITICAL', 'none', advice];
      const value = said`${durationInWords(b.lastS)} ago`;
      return b.lastS > b.mostS ? ['CRITICAL', value, advice] : ['OK', value];
    }),
  );
  add(
    'KEYS',
    'sealingKey',
    'Key of the seal',
    read(f.sealingKeyS, (s) => ['OK', s === null ? 'none yet' : said`${durationInWords(s)} old`]),
  );
  add(
    'KEYS',
    'apiKeys',
    'API keys',
    read(f.keys, ({ unused, expiring }) => {
      if (unused + expiring === 0) return ['OK', 'none unused for 90 days, none ends within 30 days'];
      const value = said`${unused} unused for 90 days, ${expiring} ending within 30 days`;
      return ['WARNING', value, 'Tell their owners: replace those that end, revoke those that nobody uses.'];
    }),
  );
  return checks;
}

const order: Readonly<Record<CheckState, number>> = { OK: 0, UNKNOWN: 1, WARNING: 2, CRITICAL: 3 };

const worse = (a: CheckState, b: CheckState): CheckState => (order[b] > order[a] ? b : a);

export const worstOf = (checks: readonly Pick<Check, 'state'>[]): CheckState =>
  checks.reduce<CheckState>((worst, c) => worse(worst, c.state), 'OK');
