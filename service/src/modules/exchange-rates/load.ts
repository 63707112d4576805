// Stores the rates of a published file that are new or corrected, with one journal entry, in one commit. A file that was
// loaded before changes nothing.
import { createHash } from 'node:crypto';
import { dayAfter } from '../../core/exchange/conversion.ts';
import { publishers } from '../../core/exchange/publishers.ts';
import { isSameRate, type Quote, type RateFile } from '../../core/exchange/quotes.ts';
import { readRateFile } from '../../core/exchange/rate-file.ts';
import { toWire } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import { exchangeRates } from '../../records/exchange-rates.ts';
import { heldRows } from '../kernel/held-rows.ts';
import { journalRow, row } from '../kernel/journal.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Principal } from '../kernel/principal.ts';
import { recordIn } from '../kernel/record-in.ts';
import { lockPublisher, ratesInForce, wasLoaded } from './exchange-store.ts';

/** Most new rates of one load: six years of thirty currencies. */
export const mostNewRates = 60_000;
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
  const refused = (why: string) => refuse('RATES_INVALID', `${name} was refused, nothing of it is loaded: ${why}`);
  const file = readRateFile(text, from);
  if (file instanceof Error) throw refused(file.message);
  // A day has begun somewhere before it begins in UTC.
  const last = dayAfter(new Date(now).toISOString().slice(0, 10), file.kind === 'DAY' ? 1 : monthAheadDays);
  const ahead = file.quotes.find((q) => q.day > last);
  if (ahead) throw refused(`it has a rate of ${ahead.currency} for ${ahead.day}, a day to come`);
  return file;
}

const key = (q: Pick<Quote, 'currency' | 'day'>): string => `${q.currency} ${q.day}`;

/** @returns what the load read and what of it was new; `loadId` is null if nothing was */
export async function loadRates(
  s: Needs<'ids' | 'db' | 'committer'>,
  principal: Principal,
  given: GivenFile,
  now: number,
) {
  const { publisher, kind, quotes } = read(given, now);
  const sha256 = createHash('sha256').update(given.text).digest('hex');
  const days = quotes.map((q) => q.day).sort();
  const [from, to] = [days[0] as string, days.at(-1) as string];
  const currencies = new Set(quotes.map((q) => q.currency)).size;
  const whole = { publisher, kind, name: given.name, sha256, from, to, currencies };
  return s.db.transaction(async (tx) => {
    await lockPublisher(tx, publisher);
    const again = await wasLoaded(tx, sha256, given.from);
    const known = new Map((await ratesInForce(tx, { publisher, kind, from, to })).map((q) => [key(q), q]));
    const fresh = again
      ? []
      : quotes.filter((q) => {
          const other = known.get(key(q));
          return !other || !isSameRate(other, q);
        });
    const corrected = fresh.filter((q) => known.has(key(q))).length;
    const done = { ...whole, added: fresh.length - corrected, corrected };
    if (fresh.length === 0) return { loadId: null, ...done };
    if (fresh.length > mostNewRates)
      throw refuse(
        'RATES_INVALID',
        `${given.name} has ${fresh.length} new rates, more than ${mostNewRates}: load it from a later day (from) first`,
      );
    const [load, at] = [s.ids.next(), new Date(now).toISOString()];
    const rows = fresh.map((q) => ({
      publisher,
      kind,
      currency: q.currency,
      day: q.day,
      revision: (known.get(key(q))?.revision ?? 0) + 1,
      base: publishers[publisher].base,
      per: q.per,
      units: q.units,
      rate: q.rate,
      load_id: load,
      file_sha256: sha256,
      read_from: given.from,
      loaded_at: at,
    }));
    const loadId = toWire('exchangeLoad', load);
    const entry = journalRow(s, principal, at, {
      kind: 'exchange_rates.loaded',
      psp: principal.psp,
      account: principal.account,
      resourceId: load,
      version: 1,
      data: { loadId, ...done },
      evidence: heldRows(exchangeRates.columns, rows),
    });
    await recordIn(tx, s, { rows: [...rows.map((r) => row('exchange_rates', r)), entry] });
    return { loadId, ...done };
  });
}
