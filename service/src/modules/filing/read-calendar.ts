// Reads which returns a taxpayer has to file in which countries, and whether anything was recorded for them.

import { addDays, lastDayOf, localDate } from '../../core/calendar.ts';
import { isMemberState } from '../../core/cesop/member-states.ts';
import { type CalendarReturn, filingCalendar, returnStates } from '../../core/filing/calendar.ts';
import { type CountryForm, type FilingForm, holds } from '../../core/filing/form.ts';
import { isOfShop, shopForm, shopRhythm } from '../../core/filing/one-stop-shop.ts';
import type { PeriodDays } from '../../core/filing/period.ts';
import type { AccountId, PspId } from '../../core/ids.ts';
import { isOfClient } from '../../core/tax/duty.ts';
import { profileOn, registeredFrom } from '../../core/tax/supplier.ts';
import { loadFilingForms } from '../../platform/data-files.ts';
import type { Database } from '../../platform/database.ts';
import type { Account } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { timeZoneOf } from '../kernel/report-period.ts';
import { callTaxes } from '../telecom/index.ts';
import { accrualTotals, type TotalsFilter, taxTotals } from '../totals/index.ts';
import { type Filing, filingsOfAccount } from './filing-store.ts';
import { ruleOf } from './read-lines.ts';

export interface ReturnToFile extends CalendarReturn<Filing> {
  readonly form: Pick<FilingForm, 'form' | 'title' | 'english' | 'authority' | 'currency'>;
  /** Whose form it is; of the one-stop shop where the taxpayer is at home. */
  readonly country: string;
  /** Whether taxes that the form holds were recorded in the period. */
  readonly hasRecords: boolean;
}

/** Taxes on sales of every kind. */
const onSales: ReadonlySet<string> = new Set(['VAT', 'IGIC', 'IPSI']);

/** How far back unfiled periods are listed. */
const daysBack = 400;

interface CalendarOf {
  readonly psp: PspId;
  /** The taxpayer: a client, or the PSP with all its clients. */
  readonly account: Pick<Account, 'id' | 'createdAt' | 'country' | 'taxProfiles'>;
  /** ISO 3166-1 alpha-2; undefined for those with records. */
  readonly country: string | undefined;
  readonly form: string | undefined;
}

/**
 * Returns by urgency: overdue ones first, the oldest of them first, and filed ones last, the newest of them first.
 * @param now milliseconds since the epoch
 */
export async function readCalendar(
  db: Database,
  s: Needs<'reference' | 'rates'>,
  { psp, account, country, form }: CalendarOf,
  now: number,
): Promise<ReturnToFile[]> {
  const only = account.id === psp ? undefined : (account.id as AccountId);
  // In every zone, the days asked for are within these.
  const since = addDays(new Date(now).toISOString().slice(0, 10), -daysBack);
  const filter: TotalsFilter = { psp, account: only, country, from: since, to: addDays(since, daysBack + 1) };
  const days = await recordedDays(db, filter);
  const filings = await filingsOfAccount(db, { psp, account: account.id });
  const shop = await shopCalendar(db, s, { psp, account, filings, since }, now);
  const asksShop = (country ?? account.country) === account.country && (form ?? shopForm).toUpperCase() === shopForm;
  const out: ReturnToFile[] = asksShop ? shop.returns : [];
  for (const version of loadFilingForms().all()) {
    if (country === undefined ? !days.has(version.country) : version.country !== country) continue;
    if (form !== undefined && version.form.form !== form.toUpperCase()) continue;
    const timeZone = timeZoneOf(s, version.country);
    const known = localDate(timeZone, Date.parse(account.createdAt));
    const rule = ruleOf(s);
    const own = (days.get(version.country) ?? []).flatMap((r) => {
      const found = rule(r.rule);
      return found && (only === undefined || isOfClient(found)) && holds(version.form, found) ? [r.day] : [];
    });
    const filed = filings.filter((f) => f.form === version.form.form);
    // A return of the tax on sales is filed by all who are registered, also without sales; one on gaming, calls and the like
    // by those who have such.
    const from =
      form !== undefined || version.form.taxCodes.some((code) => onSales.has(code))
        ? since
        : [...own, ...filed.map((f) => f.firstDay)].sort()[0];
    if (from === undefined) continue;
    const of = { filings: filed, since: [known, since, from].sort().at(-1) as string };
    for (const r of filingCalendar(version.form, of, timeZone, now)) {
      const hasRecords = own.some((d) => d >= r.period.first && d <= r.period.last);
      // Of single days only those with something to declare: a month without sales is returned, a day is not.
      const isAsked = r.period.first < r.period.last || r.filed || r.state === 'OPEN' || hasRecords;
      if (isAsked && (r.filed || !shop.holds(version, r.period)))
        out.push({ ...r, form: version.form, country: version.country, hasRecords });
    }
  }
  return out.sort(byUrgency);
}

interface ShopCalendar {
  readonly returns: ReturnToFile[];
  /** Whether the shop takes the place of a return of another Member State. */
  readonly holds: (version: CountryForm, period: PeriodDays) => boolean;
}

/**
 * The quarters of the one-stop shop: those with sales in Member States where the taxpayer is not registered, and all once it
 * filed one. From then on it declares the sales in all these states there (article 369b).
 */
async function shopCalendar(
  db: Database,
  s: Needs<'reference' | 'rates'>,
  { psp, account, filings, since }: Pick<CalendarOf, 'psp' | 'account'> & { filings: Filing[]; since: string },
  now: number,
): Promise<ShopCalendar> {
  const { country: home, taxProfiles } = account;
  const filed = filings.filter((f) => f.form === shopForm);
  if (home === null || !isMemberState(home)) return { returns: [], holds: () => false };
  const rule = ruleOf(s);
  const totals = await taxTotals(
    db,
    { psp, account: account.id as AccountId, from: since, to: addDays(since, daysBack + 1) },
    ['country', 'day', 'rule'],
  );
  const days = totals.flatMap((l) => {
    const r = rule(l.rule);
    return l.country !== home &&
      isMemberState(l.country) &&
      r !== undefined &&
      isOfShop(r) &&
      profileOn(taxProfiles, l.country, l.day)?.registered !== true
      ? [l.day]
      : [];
  });
  const timeZone = timeZoneOf(s, home);
  const known = localDate(timeZone, Date.parse(account.createdAt));
  const form = {
    ...{ form: shopForm, currency: 'EUR', authority: `Member State of identification: ${home}` },
    title: 'Return of the one-stop shop',
  };
  const returns = filingCalendar(
    shopRhythm,
    { filings: filed, since: known > since ? known : since },
    timeZone,
    now,
  ).flatMap((r) => {
    const hasRecords = days.some((d) => d >= r.period.first && d <= r.period.last);
    const isUser = filed.some((f) => f.firstDay <= r.period.first);
    return hasRecords || isUser ? [{ ...r, form, country: home, hasRecords }] : [];
  });
  const firstFiled = filed.map((f) => f.firstDay).sort()[0];
  const holds = ({ form: { taxCodes }, country }: CountryForm, period: PeriodDays): boolean =>
    firstFiled !== undefined &&
    firstFiled <= period.first &&
    country !== home &&
    isMemberState(country) &&
    taxCodes.includes('VAT') &&
    registeredFrom(taxProfiles, country, period) === undefined;
  return { returns, holds };
}

const rank = (r: ReturnToFile): number => returnStates.indexOf(r.state);

function byUrgency(a: ReturnToFile, b: ReturnToFile): number {
  if (a.state !== b.state) return rank(a) - rank(b);
  const [x, y] = [a, b].map((r) => `${r.period.dueOn} ${r.form.form}`) as [string, string];
  const order = x < y ? -1 : 1;
  return a.state === 'FILED' ? -order : order;
}

interface RecordedDay {
  readonly rule: string;
  readonly day: string;
}

/** Days with taxes, by country. Taxes on calls are kept by month and count on its last day. */
async function recordedDays(db: Database, filter: TotalsFilter): Promise<Map<string, RecordedDay[]>> {
  const of = { psp: filter.psp, account: filter.account, country: filter.country };
  const found = [
    ...(await taxTotals(db, filter, ['country', 'day', 'rule'])),
    ...(await accrualTotals(db, filter, ['country', 'day', 'rule'])),
    ...(await callTaxes(db, of, filter.from.slice(0, 7), filter.to.slice(0, 7))).map(({ period, ...c }) => ({
      ...c,
      day: lastDayOf(period),
    })),
  ];
  const out = new Map<string, RecordedDay[]>();
  for (const { country, rule, day } of found) {
    const list = out.get(country) ?? [];
    if (list.length === 0) out.set(country, list);
    list.push({ rule, day });
  }
  return out;
}
