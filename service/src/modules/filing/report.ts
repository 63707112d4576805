// The report of a return that can be filed: one form of one authority, filled in from the totals of a period.

import { Type } from 'typebox';
import { isMemberState } from '../../core/cesop/member-states.ts';
import { filedWithin } from '../../core/filing/calendar.ts';
import { fill } from '../../core/filing/fill.ts';
import { boxesOf } from '../../core/filing/form.ts';
import type { PeriodDays } from '../../core/filing/period.ts';
import { Refusal } from '../../core/refusal.ts';
import { day, said } from '../../core/said.ts';
import { negated } from '../../core/sums.ts';
import { HISTORY_FROM } from '../../core/tax/problems.ts';
import { profileOn, registeredFrom, type TaxProfile } from '../../core/tax/supplier.ts';
import { totalKinds } from '../../core/totals/figures.ts';
import { openPath } from '../../core/totals/open.ts';
import { type Account, findAccount } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { type ReportRun, reportKind } from '../kernel/report.ts';
import { PeriodParameter, periodFact } from '../kernel/report-period.ts';
import { analysisProgress } from '../telecom/index.ts';
import { totalsLag } from '../totals/index.ts';
import { readAskedReturn } from './asked-form.ts';
import { filingsOf } from './filing-store.ts';
import { movedSales } from './moved-sales.ts';
import { readCorrections } from './read-corrections.ts';
import { type DatedPart, readReturn, ruleOf } from './read-lines.ts';
import {
  adjustmentSection,
  boxSection,
  headSection,
  lineSection,
  type OpenLine,
  outsideSection,
  type Taxpayer,
  titleOf,
  unconvertedFact,
  unconvertedSection,
} from './sections.ts';

export const filingKind = 'filing';

/** Who sells from another Member State may use the one-stop shop of its own until it is registered in this one. */
const shopOf = (taxpayer: Account | undefined, country: string): string | undefined => {
  const home = taxpayer?.country;
  if (home === undefined || home === null || home === country) return undefined;
  return isMemberState(home) && isMemberState(country) ? home : undefined;
};

/** Sales of before the registration that came back after it, which totals take off: the one-stop shop does that. */
async function backOfShop(
  { db, psp, account }: ReportRun<unknown>,
  country: string,
  timeZone: string,
  { profiles, last }: { readonly profiles: readonly TaxProfile[] | null; readonly last: string },
): Promise<DatedPart[]> {
  const isRegistered = (day: string): boolean => profileOn(profiles, country, day)?.registered === true;
  const moved = await movedSales(db, {
    ...{ psp, account, zones: new Map([[country, timeZone]]), first: HISTORY_FROM, last },
    isTogether: (_, soldOn, movedOn) => isRegistered(soldOn) || !isRegistered(movedOn),
  });
  return moved.flatMap(({ kind, currency, movedOn, tax }) =>
    tax.map((l) => ({
      ...{ rule: l.rule, operation: kind, currency, day: movedOn },
      ...{ taxable: negated(l.taxable), tax: negated(l.tax) },
    })),
  );
}

export const filingReport = reportKind({
  name: filingKind,
  title: 'Return to file',
  summary:
    "A form of an authority, filled in for one of its periods: its boxes in the authority's order, in one currency, with the lines behind them.",
  audience: ['psp', 'client', 'operator'],
  parameters: Type.Object({
    form: Type.String({
      description: 'The form, as listFilingForms names it: GB-VAT100.',
      minLength: 1,
      maxLength: 64,
    }),
    period: Type.Optional(PeriodParameter),
  }),
  settle({ parameters, now }, s: Needs<'reference' | 'rates'>) {
    const asked = readAskedReturn(s, parameters, now);
    if (asked instanceof Refusal) return asked;
    return { form: asked.version.form.form, period: asked.period.name };
  },
  read: ({ parameters, now }, s: Needs<'reference' | 'rates'>) => readAskedReturn(s, parameters, now),
  async run(run, s: Needs<'reference' | 'rates'>, asked) {
    const { version, period, timeZone, open } = asked;
    const { form, country } = version;
    const behind = await totalsLag(run.db, run.psp);
    const analysis = await analysisProgress(run.db, run.psp);
    const taxpayer = await findAccount(run.db, run.psp, run.account);
    const profiles = taxpayer?.taxProfiles ?? null;
    const profile = profileOn(profiles, country, period.last);
    const shopIn = run.only === undefined || !form.taxCodes.includes('VAT') ? undefined : shopOf(taxpayer, country);
    const from = shopIn === undefined ? period.first : registeredFrom(profiles, country, period);
    const declaredFrom = (p: PeriodDays): string =>
      shopIn === undefined ? p.first : (registeredFrom(profiles, country, p) ?? p.first);
    const besides =
      shopIn === undefined || !profile?.registered
        ? []
        : await backOfShop(run, country, timeZone, { profiles, last: period.last });
    const who: Taxpayer = {
      name: run.concerned.name,
      taxNumber: profile?.taxNumber ?? null,
      taxNumberKind: profile?.taxNumberKind,
      registeredNumber: taxpayer?.country === country ? taxpayer.organizationTin : null,
      withClients: run.only === undefined,
      shop: shopIn === undefined || from === period.first ? undefined : { home: shopIn, from },
    };
    run.progress(1, 4);
    const read = await readReturn(run.db, s, {
      psp: run.psp,
      only: run.only,
      version,
      period: { first: declaredFrom(period), last: period.last },
      besides,
    });
    run.progress(2, 4);
    const rule = ruleOf(s);
    const { psp, account, only } = run;
    const corrections = await readCorrections(run.db, s, {
      psp,
      account,
      only,
      form: form.form,
      period,
      declaredFrom,
      besides,
    });
    const filled = fill(form, read.lines, rule, corrections.lines);
    const before = filedWithin(await filingsOf(run.db, { psp, account, form: form.form }), period);
    run.progress(3, 4);
    const opened: OpenLine = (line) => {
      const { rule: taxRule, operation: kind, currency } = line;
      if (!(totalKinds as readonly (string | undefined)[]).includes(kind)) return undefined;
      const of = { psp, account: only, country, from: declaredFrom(period), to: period.last };
      return openPath({ ...of, taxRule, kind, currency, verdict: read.verdictOf(line) });
    };
    return {
      title: said`${titleOf(form)} of ${who.name}, ${period.name}`,
      facts: [
        { name: 'form', title: 'Form', value: said`${form.form}, ${form.authority}` },
        {
          name: 'account',
          title: 'Taxpayer',
          value: who.withClients ? said`${who.name} and all its clients` : who.name,
        },
        periodFact({ ...period, timeZone, open }),
        { name: 'due', title: 'Due on', value: day(period.dueOn) },
        {
          name: 'payable',
          title: said`Tax to pay, box ${form.payable}`,
          value: said`${form.currency} ${filled.payable}`,
        },
        ...unconvertedFact(read.notConverted, (l) => {
          const of = rule(l.rule);
          return of !== undefined && boxesOf(form, of, l.operation).length > 0;
        }),
        ...(before === undefined
          ? []
          : [
              {
                name: 'filedBefore',
                title: 'Filed before for days of this period',
                value: said`${before.period}, on ${day(before.filedOn)}, reference ${before.reference}: this return counts days of it again and cannot be recorded as filed`,
              },
            ]),
        ...(behind === 0
          ? []
          : [{ name: 'entriesBehind', title: 'Journal entries not counted yet', value: String(behind) }]),
      ],
      provisional: open || behind > 0 || (read.hasCalls && !analysis.complete),
      sections: [
        headSection(asked, who),
        boxSection(form, filled, who.withClients),
        lineSection(form, rule, read.lines, opened),
        ...(who.withClients
          ? []
          : [
              lineSection(form, rule, read.fees.lines, opened, {
                name: 'fees',
                title: "VAT on the PSP's fees, that may be deducted",
                note: "What the PSP charged on its fees. It is the client's input tax, as far as the law lets it deduct it, and in no box.",
              }),
              adjustmentSection(form, rule, corrections.fees, {
                name: 'feeAdjustments',
                title: "Corrections to VAT on the PSP's fees of periods filed before",
                note: "What the VAT on the PSP's fees in a filed period is today, less what it was when it was filed or corrected last. It is in no box.",
              }),
            ]),
        ...(read.hasCalls
          ? [
              lineSection(form, rule, read.calls.lines, opened, {
                name: 'calls',
                title: 'Tax on calls that is in sales',
                note: 'Sales bear the same tax, so that what is paid for calls by way of the PSP is in the lines already. These are in no box; the report cdrTax has them by class.',
              }),
            ]
          : []),
        adjustmentSection(form, rule, corrections.lines),
        unconvertedSection(
          form,
          rule,
          [...read.notConverted, ...read.fees.notConverted, ...read.calls.notConverted],
          opened,
        ),
        outsideSection(form, rule, filled.outside, opened),
      ],
    };
  },
});
