// Stores the rates of a published file that are new or corrected, with one journal entry, in one commit. A file that was
// loaded before changes nothing.
import { createHash } from 'node:crypto';
import { addDays } from '../../core/calendar.ts';
import { publishers } from '../../core/exchange/publishers.ts';
import { isSameRate, type Quote, type RateFile } from '../../core/exchange/quotes.ts';
import { readRateFile } from '../../core/exchange/rate-file.ts';
import { toWire } from '../../core/ids.ts';
import { refuse, type Said, said } from '../../core/refusal.ts';
import type { Database } from '../../platform/database.ts';
import { readXml } from '../../platform/xml-elements.ts';
import { exchangeRates } from '../../records/exchange-rates.ts';
import { heldRows } from '../kernel/held-rows.ts';
import { journalRow, row } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { recordIn } from '../kernel/record-in.ts';
import { lockPublisher, ratesInForce, wasLoaded } from './exchange-store.ts';

/** Most new rates of one load: six years of thirty currencies. */
const mostNewRates = 60_000;
/** Rates of a commit: as many as are stored well within the limit of a statement. */
const portion = 3_000;
/** How far ahead authorities publish the rates of the next month. */
const monthAheadDays = 31;

export interface GivenFile {
  /** File name or address. */
  readonly name: string;
  readonly text: string;
  /** First day that is read. */
  readonly from: string;
}

/** @throws RATES_INVALID naming the file, the line and the reason */
function read({ name, text, from }: GivenFile, now: number): RateFile {
  const refused = (why: Said) =>
    refuse('RATES_INVALID', said`the file ${name} was refused, nothing of it is loaded: ${why}`);
  const file = readRateFile(text, from, readXml);
  if (file instanceof Error) throw refused(file.said);
  // A day has begun somewhere before it begins in UTC.
  const last = addDays(new Date(now).toISOString().slice(0, 10), file.kind === 'DAY' ? 1 : monthAheadDays);
  const ahead = file.quotes.find((q) => q.day > last);
  if (ahead) throw refused(said`it has a rate of ${ahead.currency} for ${ahead.day}, a day to come`);
  return file;
}

const key = (q: Pick<Quote, 'currency' | 'day'>): string => `${q.currency} ${q.day}`;

/** The rates that differ from those in force, with their next revision. */
async function freshOf(db: Pick<Database, 'query'>, { publisher, kind }: RateFile, quotes: readonly Quote[]) {
  const days = quotes.map((q) => q.day).sort();
  const range = { publisher, kind, from: days[0] as string, to: days.at(-1) as string };
  const known = new Map((await ratesInForce(db, range)).map((q) => [key(q), q]));
  return quotes.flatMap((quote) => {
    const other = known.get(key(quote));
    return other && isSameRate(other, quote) ? [] : [{ ...quote, revision: (other?.revision ?? 0) + 1 }];
  });
}

interface Loaded {
  readonly loadId: string;
  readonly added: number;
  readonly corrected: number;
}

/**
 * Loads a file in parts, each with a commit and a journal entry. The last one notes that the file is complete: one that was
 * interrupted is loaded again.
 * @returns what was read, and what of it was new
 */
export async function loadRates(
  s: Needs<'ids' | 'db' | 'committer'>,
  principal: Principal,
  given: GivenFile,
  now: number,
) {
  const file = read(given, now);
  const { quotes } = file;
  const sha256 = createHash('sha256').update(given.text).digest('hex');
  const again = await wasLoaded(s.db, sha256, given.from);
  const others = byDay(await freshOf(s.db, file, quotes));
  const fresh = again ? [] : others;
  if (fresh.length > mostNewRates)
    throw refuse(
      'RATES_INVALID',
      said`the file ${given.name} has ${fresh.length} new rates, more than ${mostNewRates}: load it from a later day (from) first`,
    );
  const loads: Loaded[] = [];
  for (let i = 0; i < fresh.length; i += portion) {
    const last = i + portion >= fresh.length;
    const done = await loadPortion(s, principal, file, fresh.slice(i, i + portion), {
      name: given.name,
      sha256,
      readFrom: last ? given.from : null,
      at: new Date(now).toISOString(),
    });
    if (done) loads.push(done);
  }
  return {
    loadIds: loads.map((l) => l.loadId),
    ...described(file, quotes, given.name, sha256),
    added: loads.reduce((n, l) => n + l.added, 0),
    corrected: loads.reduce((n, l) => n + l.corrected, 0),
    unchanged: quotes.length - others.length,
    correctedSince: again ? others.length : 0,
  };
}

const byDay = <Q extends Quote>(quotes: readonly Q[]): Q[] => quotes.toSorted((a, b) => (a.day < b.day ? -1 : 1));

function described({ publisher, kind }: RateFile, quotes: readonly Quote[], name: string, sha256: string) {
  const days = quotes.map((q) => q.day).sort();
  const currencies = new Set(quotes.map((q) => q.currency)).size;
  return { publisher, kind, name, sha256, from: days[0] as string, to: days.at(-1) as string, currencies };
}

/** @returns undefined if another load brought the same meanwhile */
function loadPortion(
  s: Needs<'ids' | 'db' | 'committer'>,
  principal: Principal,
  file: RateFile,
  quotes: readonly Quote[],
  of: { readonly name: string; readonly sha256: string; readonly readFrom: string | null; readonly at: string },
): Promise<Loaded | undefined> {
  const { publisher, kind } = file;
  return s.db.transaction(async (tx) => {
    await lockPublisher(tx, publisher);
    const fresh = await freshOf(tx, file, quotes);
    if (fresh.length === 0) return undefined;
    const load = s.ids.next();
    const rows = fresh
      .toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
      .map(({ currency, day, revision, per, units, rate }) => ({
        ...{ publisher, kind, currency, day, revision, per, units, rate },
        base: publishers[publisher].base,
        load_id: load,
        file_sha256: of.sha256,
        read_from: of.readFrom,
        loaded_at: of.at,
      }));
    const corrected = rows.filter((r) => r.revision > 1).length;
    const loadId = toWire('exchangeLoad', load);
    const done = { loadId, added: rows.length - corrected, corrected };
    const entry = journalRow(s, principal, of.at, {
      kind: 'exchange_rates.loaded',
      psp: principal.psp,
      account: principal.account,
      resourceId: load,
      version: 1,
      data: { ...done, ...described(file, fresh, of.name, of.sha256) },
      evidence: heldRows(exchangeRates.columns, rows),
    });
    await recordIn(tx, s, { rows: [...rows.map((r) => row('exchange_rates', r)), entry] });
    return done;
  });
}
