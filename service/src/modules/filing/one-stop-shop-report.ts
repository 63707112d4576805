// The report oneStopShop: what a client declares in one Member State of the European Union of its sales to consumers in the others.
import { Type } from 'typebox';
import { addDays, lastDayOf } from '../../core/calendar.ts';
import { isMemberState, memberStates, vatPrefixOf } from '../../core/cesop/member-states.ts';
import { isKnown, type UnknownKind } from '../../core/filing/goods-or-services.ts';
import type { RateOf } from '../../core/filing/lines.ts';
import {
  isCorrectable,
  isOfShop,
  type ShopCorrection,
  type ShopPart,
  type ShopRate,
  type ShopReturn,
  type ShopSupply,
  shopForm,
  shopReturn,
} from '../../core/filing/one-stop-shop.ts';
import type { PeriodDays } from '../../core/filing/period.ts';
import { Refusal } from '../../core/refusal.ts';
import type { SaidSection, Text } from '../../core/reports/document.ts';
import { startOfDate } from '../../core/reports/period.ts';
import { type Quarter, quarterEnd, quarterOn } from '../../core/reports/quarter.ts';
import { type Column, code, money, percent, section, text } from '../../core/reports/table.ts';
import { day, type Said, said } from '../../core/said.ts';
import { isZero, negated, sumOf } from '../../core/sums.ts';
import { profileOn } from '../../core/tax/supplier.ts';
import type { Database } from '../../platform/database.ts';
import { findAccount } from '../accounts/index.ts';
import { adjustedLines } from '../corrections/index.ts';
import { conversions } from '../exchange-rates/index.ts';
import { archivedBefore } from '../kernel/archived.ts';
import type { Needs } from '../kernel/needs.ts';
import { type ReportAsked, type ReportRun, reportKind } from '../kernel/report.ts';
import { readQuarter, timeZoneOf } from '../kernel/report-period.ts';
import { taxTotals, totalsLag } from '../totals/index.ts';
import { type Filing, filingsOf } from './filing-store.ts';
import { kindsOfSales } from './kinds-of-sales.ts';
import { movedSales } from './moved-sales.ts';
import { openToChange } from './read-corrections.ts';
import { returned, ruleOf } from './read-lines.ts';
import { unconvertedFact } from './sections.ts';

/** Of the returns of all Member States. */
const euro = 'EUR';

interface Asked {
  readonly quarter: string;
}
interface Read {
  readonly quarter: Quarter;
  readonly timeZone: string;
}

function read({ parameters: p, concerned, now }: ReportAsked<Asked>, s: Needs<'reference' | 'rates'>): Read | Refusal {
  const timeZone = timeZoneOf(s, concerned.country);
  const quarter = readQuarter(p.quarter, timeZone, now);
  if (quarter instanceof Refusal) return quarter;
  return { quarter, timeZone };
}

/** Whether the return has what a rule charges. */
function heldBy(s: Needs<'rates'>): (line: { readonly rule: string }) => boolean {
  const rule = ruleOf(s);
  return (l) => {
    const r = rule(l.rule);
    return r !== undefined && isOfShop(r);
  };
}

interface PartsOf {
  /** Earlier quarters that were filed, and the quarter itself: of these all there is. */
  readonly quarters: readonly PeriodDays[];
  readonly countries: readonly string[];
  /** Whether the client declares its sales of a day to a country in that country's own return. */
  readonly isElsewhere: (country: string, day: string) => boolean;
}

interface FoundPart extends ShopPart {
  readonly elsewhere: boolean;
}

/** The taxes of the quarters, each with what came back of its own sales, in whichever quarter. */
async function readParts(
  { db, psp, account }: ReportRun<Asked>,
  s: Needs<'reference' | 'rates'>,
  own: Quarter,
  { quarters, countries, isElsewhere }: PartsOf,
): Promise<FoundPart[]> {
  const isHeld = heldBy(s);
  const names = new Set(quarters.map((q) => q.name));
  const out: FoundPart[] = [];
  for (const q of quarters)
    for (const l of await taxTotals(db, { psp, account, from: q.first, to: q.last }, [
      'country',
      'day',
      'currency',
      'verdict',
      'rule',
    ])) {
      const sums = returned(l);
      if (sums && countries.includes(l.country) && isHeld(l))
        out.push({
          ...{ quarter: q.name, country: l.country, rule: l.rule, currency: l.currency, ...sums },
          elsewhere: isElsewhere(l.country, l.day),
        });
    }
  const first = quarters.map((q) => q.first).sort()[0] ?? own.first;
  const days = { psp, account, first, last: own.last };
  for (const country of new Set(out.map((p) => p.country)))
    for (const l of await adjustedLines(db, { ...days, country, timeZone: timeZoneOf(s, country) }))
      if (isHeld(l) && names.has(quarterOn(l.day)))
        out.push({ ...l, quarter: quarterOn(l.day), country, elsewhere: isElsewhere(country, l.day) });
  // What came back counts in the totals of the day on which it did: it is moved to the return of the sale.
  const zones = new Map(countries.map((c) => [c, timeZoneOf(s, c)]));
  const isTogether = (country: string, soldOn: string, movedOn: string): boolean =>
    isElsewhere(country, soldOn)
      ? isElsewhere(country, movedOn)
      : !isElsewhere(country, movedOn) && quarterOn(soldOn) === quarterOn(movedOn);
  for (const { country, currency, soldOn, movedOn, tax } of await movedSales(db, { ...days, zones, isTogether })) {
    const [soldIn, movedIn] = [quarterOn(soldOn), quarterOn(movedOn)];
    for (const l of tax.filter(isHeld)) {
      const moved = { country, rule: l.rule, currency, quarter: movedIn, elsewhere: isElsewhere(country, movedOn) };
      if (names.has(movedIn)) out.push({ ...moved, taxable: negated(l.taxable), tax: negated(l.tax) });
      const sold = { ...moved, quarter: soldIn, elsewhere: isElsewhere(country, soldOn) };
      if (names.has(soldIn) || movedIn === own.name) out.push({ ...sold, taxable: l.taxable, tax: l.tax });
    }
  }
  return out;
}

/** Quarters that were filed before, whose sales can still change and whose corrections a return takes. */
async function followedQuarters(
  { db, psp, account }: ReportRun<Asked>,
  quarter: Quarter,
): Promise<{ filings: readonly Filing[]; followed: readonly PeriodDays[] }> {
  const filings = await filingsOf(db, { psp, account, form: shopForm });
  const before = await archivedBefore(db);
  const followed = openToChange(filings, quarter.first, before)
    .filter((f) => isCorrectable(f.period, quarter.name))
    .map((f) => ({ name: f.period, first: f.firstDay, last: f.lastDay }));
  return { filings, followed };
}

/** Days on which the European Central Bank publishes nothing in a row, at most. */
const longestGap = 10;

/** The rate of the last day of a quarter, else the next one that was published (article 369h). */
async function quarterRates(db: Database, parts: readonly ShopPart[]): Promise<RateOf> {
  const foreign = parts.filter((p) => p.currency !== euro);
  const ends = foreign.map((p) => quarterEnd(p.quarter)).sort();
  const [firstDay, last] = [ends[0], ends.at(-1)];
  if (firstDay === undefined || last === undefined) return () => undefined;
  const currencies = [...new Set(foreign.map((p) => p.currency))];
  const find = await conversions(db, {
    publisher: 'ECB',
    rate: 'DAY',
    to: euro,
    currencies,
    firstDay,
    lastDay: addDays(last, longestGap),
  });
  return (currency, end) => {
    for (let n = 0; n <= longestGap; n += 1) {
      const found = find(currency, addDays(end, n));
      if (found && found.day >= end)
        return { rate: found.published.join('; '), exact: found.ratio, day: found.day, publisher: found.publisher };
    }
    return undefined;
  };
}

/** @param registration the number of the client's registration, of a kind nobody said */
function numberText(number: string | null | undefined, registration: string | null | undefined): Text {
  if (number) return number;
  return registration
    ? said`${registration}: the number of the registration; check that it is the ${said`VAT number`}, or set it in a tax profile`
    : said`missing: no tax profile of the account in this country has it`;
}

export const oneStopShopKind = 'oneStopShop';

export const oneStopShopReport = reportKind({
  name: oneStopShopKind,
  title: 'Return of the one-stop shop',
  summary:
    'What a client declares in the one-stop shop of the European Union for a quarter: VAT on sales to consumers in Member States where it is not registered, by state and rate, with corrections of earlier quarters.',
  audience: ['psp', 'client', 'operator'],
  parameters: Type.Object({
    quarter: Type.String({ description: "Calendar quarter, such as '2026-Q3'.", minLength: 1, maxLength: 20 }),
  }),
  read,
  async run(run, s: Needs<'reference' | 'rates'>, asked) {
    const { quarter, timeZone } = asked;
    const taxpayer = await findAccount(run.db, run.psp, run.account);
    const profiles = taxpayer?.taxProfiles ?? null;
    const home =
      run.concerned.country !== null && isMemberState(run.concerned.country) ? run.concerned.country : undefined;
    const away: readonly string[] = memberStates.filter((c) => c !== home);
    const isElsewhere = (country: string, date: string): boolean =>
      profileOn(profiles, country, date)?.registered === true;
    const behind = await totalsLag(run.db, run.psp);
    const { filings, followed } = await followedQuarters(run, quarter);
    const of = { quarters: [...followed, quarter], countries: away, isElsewhere };
    const parts = await readParts(run, s, quarter, of);
    const rateOf = await quarterRates(run.db, parts);
    run.progress(1, 3);
    const sales = {
      ...{ psp: run.psp, account: run.account, first: quarter.first, last: quarter.last },
      zones: new Map(away.map((c) => [c, timeZoneOf(s, c)])),
      isOwn: (country: string, day: string) => !isElsewhere(country, day),
    };
    const kinds = await kindsOfSales(run.db, sales, heldBy(s));
    run.progress(2, 3);
    const rule = ruleOf(s);
    const rateTypeOf = (id: string): ShopRate | undefined => {
      const r = rule(id);
      return r?.rate === undefined
        ? undefined
        : { rateType: r.category === 'standard' ? 'STANDARD' : 'REDUCED', rate: r.rate };
    };
    const shop = shopReturn({
      quarter: quarter.name,
      parts: parts.filter((p) => !p.elsewhere),
      filings,
      followed: new Set(followed.map((q) => q.name)),
      ...{ rateOf, rateTypeOf, kinds },
      countryOf: (id) => s.rates.book.rule(id)?.country.jurisdiction.slice(0, 2) ?? '',
    });
    const other = shopReturn({
      quarter: quarter.name,
      parts: parts.filter((p) => p.quarter === quarter.name && p.elsewhere),
      filings: [],
      followed: new Set(),
      ...{ rateOf, rateTypeOf, kinds: [], countryOf: () => '' },
    });
    const open = away.some((c) => startOfDate(timeZoneOf(s, c), addDays(quarter.last, 1)) > run.now);
    const due = lastDayOf(addDays(quarter.last, 1).slice(0, 7));
    const number = home === undefined ? undefined : profileOn(profiles, home, quarter.last)?.taxNumber;
    const registration = home === undefined ? undefined : taxpayer?.organizationTin;
    const head: [Text, Text][] = [
      [said`Scheme`, home ? said`Union scheme` : said`Non-Union scheme, for services`],
      [said`Member State of identification`, home ?? said`the one that the client is registered for the scheme in`],
      [said`Taxpayer`, run.concerned.name],
      [said`VAT number`, numberText(number, registration)],
      [said`Period`, said`${quarter.name}: ${day(quarter.first)} to ${day(quarter.last)}`],
      [said`Due on`, day(due)],
      [said`Currency`, euro],
      [said`Law`, 'Directive 2006/112/EC, art. 359–369k; Implementing Regulation (EU) 282/2011, art. 57a–63c'],
    ];
    return {
      title: said`Return of the one-stop shop of ${run.concerned.name}, ${quarter.name}`,
      facts: [
        { name: 'account', title: 'Taxpayer', value: run.concerned.name },
        { name: 'quarter', title: 'Quarter', value: said`${day(quarter.first)} to ${day(quarter.last)}, ${timeZone}` },
        { name: 'due', title: 'Due on', value: day(due) },
        { name: 'payable', title: 'VAT due', value: said`${euro} ${shop.payable}` },
        ...unconvertedFact(shop.notConverted, () => true),
        ...vatFact(
          'kindUnknown',
          'VAT of goods or services, not known which',
          shop.supplies,
          (l) => l.kind === 'UNKNOWN',
        ),
        ...vatFact(
          'suppliedWithin',
          'VAT of what is supplied within the state',
          shop.supplies,
          (l) => l.from === l.country,
        ),
        ...(behind === 0
          ? []
          : [{ name: 'entriesBehind', title: 'Journal entries not counted yet', value: String(behind) }]),
      ],
      provisional: open || quarter.to > run.now || behind > 0,
      sections: [
        section(head, {
          name: 'return',
          title: 'Return',
          note: 'Sales to consumers in another Member State are taxed there. A client that is registered for the one-stop shop declares their VAT in one Member State, in euros and cents. A client that stays below EUR 10,000 a year in all of them and has not chosen otherwise taxes these sales at home and files none. Goods that are imported have a scheme of their own.',
          columns: [text('field', 'Field', (r) => r[0]), text('value', 'Value', (r) => r[1])],
        }),
        suppliesSection(shop, (state) => profileOn(profiles, state, quarter.last)?.taxNumber),
        unknownSection(shop),
        correctionsSection(shop.corrections, {
          name: 'corrections',
          title: 'Corrections of earlier quarters',
          note: 'VAT of sales of earlier quarters that were charged back in this one, or whose chargeback was reversed in it. Of a quarter that was recorded as filed, all that its VAT is today, less what was declared: sales that were declined, decided again or corrected are in it too.',
        }),
        correctionsSection(shop.tooOld, {
          name: 'tooOld',
          title: 'After three years',
          note: 'A return is corrected in a later one within three years of the day it was due. These corrections are in no figure: each goes to the Member State of consumption itself.',
        }),
        balancesSection(shop),
        linesSection(
          shop.lines,
          'lines',
          'Lines',
          said`What the figures add up. Another currency is converted at the rate of the European Central Bank of the last day of the quarter, or the next one that was published.`,
        ),
        unconvertedSection(shop.notConverted),
        linesSection(
          other.lines,
          'registered',
          'In other returns',
          said`Sales in Member States whose tax profile says that the client is registered there. They are in the return of that state, and in no figure here.`,
        ),
      ],
    };
  },
});

/** The prefix of VAT numbers, which the shop names states by: EL for Greece. */
const state = (r: { readonly country: string }): string => vatPrefixOf(r.country);

const rateAndSums: readonly Column<Pick<ShopSupply, 'rateType' | 'rate' | 'taxable' | 'tax'>>[] = [
  code('rateType', 'Kind of rate', (r) => r.rateType),
  percent('rate', 'Rate', (r) => r.rate),
  money('taxable', said`Taxable, ${euro}`, (r) => r.taxable),
  money('tax', said`VAT, ${euro}`, (r) => r.tax),
];

/** @param numberIn the client's tax number in a Member State */
const suppliesSection = (
  { supplies }: ShopReturn,
  numberIn: (state: string) => string | null | undefined,
): SaidSection =>
  section(supplies, {
    name: 'supplies',
    title: 'Sales of the quarter',
    note: 'By Member State of consumption, goods or services, and rate, less chargebacks of sales of the quarter. Whether something is goods is what the request says (taxDetails.kind), else what is sold, else what merchants of its code sell. Supplied from is the Member State that goods are sent from or whose establishment supplies a service, where the request says it (taxDetails.suppliedFrom); what comes from another one than the Member State of identification has parts of its own in the form, with the tax number there. What is supplied from the Member State of consumption itself is declared there, unless an electronic interface is its supplier (article 14a, paragraph 2).',
    columns: [
      text('memberState', 'Member State of consumption', state),
      code('kind', 'Goods or services', (r) => r.kind),
      text('suppliedFrom', 'Supplied from', (r) => r.from && vatPrefixOf(r.from)),
      text('taxNumber', 'Tax number there', (r) => r.from && numberIn(r.from)),
      ...rateAndSums,
    ],
  });

const unknownBecause: Readonly<Record<UnknownKind, Said>> = {
  CODE_OF_BOTH: said`merchants of this code sell goods and services`,
  NO_CODE: said`no code says what was sold`,
  BASKET_OF_BOTH: said`the basket has goods and services`,
  NOT_READ: said`the transactions do not have it: run the report again once all is counted`,
};

const unknownSection = ({ unknown }: ShopReturn): SaidSection =>
  section(unknown, {
    name: 'kindUnknown',
    title: 'Goods or services, not known which',
    note: 'These sales are in the figures, and nothing that was recorded says whether they are goods or services. Take it from your own books for this return; requests can say it (taxDetails.kind).',
    columns: [
      text('memberState', 'Member State of consumption', state),
      text('mcc', 'Merchant category code', (r) => r.mcc),
      text('reason', 'Reason', (r) => (isKnown(r.kind) ? null : unknownBecause[r.kind])),
      ...rateAndSums,
    ],
  });

/** The VAT of some of the supplies, if there is any. */
function vatFact(
  name: string,
  title: string,
  supplies: readonly ShopSupply[],
  which: (line: ShopSupply) => boolean,
): { name: string; title: string; value: Said }[] {
  const vat = sumOf(supplies.filter(which).map((l) => l.tax));
  return isZero(vat) ? [] : [{ name, title, value: said`${euro} ${vat}` }];
}

const correctionsSection = (
  corrections: readonly ShopCorrection[],
  head: { readonly name: string; readonly title: string; readonly note: string },
): SaidSection =>
  section(corrections, {
    ...head,
    columns: [
      text('memberState', 'Member State of consumption', state),
      text('quarter', 'Quarter', (r) => r.quarter),
      money('tax', said`VAT, ${euro}`, (r) => r.tax),
    ],
  });

const balancesSection = ({ balances }: ShopReturn): SaidSection =>
  section(balances, {
    name: 'balances',
    title: 'Balances',
    note: 'What each Member State is owed. A negative balance is not set off against what another state is owed: that state pays it back.',
    columns: [
      text('memberState', 'Member State of consumption', state),
      money('supplies', said`VAT on sales of the quarter`, (r) => r.supplies),
      money('corrections', said`Corrections`, (r) => r.corrections),
      money('balance', said`Balance, ${euro}`, (r) => r.balance),
    ],
  });

const linesSection = (lines: ShopReturn['lines'], name: string, title: Text, note: Said): SaidSection =>
  section(lines, {
    name,
    title,
    note,
    columns: [
      text('memberState', 'Member State of consumption', state),
      text('quarter', 'Quarter', (r) => r.quarter),
      text('rule', 'Rule', (r) => r.rule),
      text('currency', 'Currency', (r) => r.currency),
      money('foreignTaxable', 'Taxable', (r) => r.foreignTaxable),
      money('foreignTax', 'Tax', (r) => r.foreignTax),
      text('exchangeRate', 'Rate of exchange', (r) => r.exchange?.rate),
      text('exchangeDay', 'Rate of', (r) => r.exchange?.day),
      text('exchangePublisher', 'Published by', (r) => r.exchange?.publisher),
      money('taxable', said`Taxable, ${euro}`, (r) => r.taxable),
      money('tax', said`Tax, ${euro}`, (r) => r.tax),
    ],
  });

const unconvertedSection = (parts: ShopReturn['notConverted']): SaidSection =>
  section(parts, {
    name: 'notConverted',
    title: 'Not converted',
    note: 'There is no rate of exchange for these, so that they are in no figure. An administrator of the service loads those of the European Central Bank, in the console under Rates or by the command assay fx load; then make the return again.',
    columns: [
      text('memberState', 'Member State of consumption', state),
      text('quarter', 'Quarter', (r) => r.quarter),
      text('rule', 'Rule', (r) => r.rule),
      text('currency', 'Currency', (r) => r.currency),
      money('taxable', 'Taxable', (r) => r.taxable),
      money('tax', 'Tax', (r) => r.tax),
    ],
  });
