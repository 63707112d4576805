import { isInForce, localDate } from '../../../core/calendar.ts';
import { rateRules } from '../../../core/exchange/conversion.ts';
import type { CountryForm, FilingForm, FilingRhythm } from '../../../core/filing/form.ts';
import { currentPeriod, lastFinished, periodBefore } from '../../../core/filing/period.ts';
import { orThrow } from '../../../core/refusal.ts';
import { confidences, type TaxSource } from '../../../core/tax/rule.ts';
import { loadFilingForms } from '../../../platform/data-files.ts';
import { Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { timeZoneOf } from '../../kernel/report-period.ts';

const FilingSource = Named('FilingSource', 'Source of a form.', {
  title: Type.String(),
  publisher: Type.String({ description: 'The publisher of the source.' }),
  url: Nullable(Type.String()),
  retrievedOn: Type.String({ description: 'Day on which the source was read, `YYYY-MM-DD`.' }),
});

const FilingFormResource = Named('FilingForm', 'A form on which a return can be made.', {
  form: Type.String({ description: 'Its id: the parameter `form` of the report filing.' }),
  countryCode: Type.String(),
  title: Type.String({ description: 'In its own language.' }),
  english: Nullable(Type.String({ description: 'Its title in English; null if it is English.' })),
  authority: Type.String({ description: 'The authority that receives it.' }),
  taxCodes: Type.Array(Type.String(), { description: 'Tax codes of the rules it holds.' }),
  currency: Type.String({ description: 'The currency it is filed in.' }),
  periods: Type.Array(
    Named('FilingRhythm', 'A length of period.', {
      months: Nullable(Type.Integer(), 'Length of a period in months; null if it is in weeks or days.'),
      firstMonth: Nullable(
        Type.Integer(),
        'Month of the year in which a period begins, 1 to 12; null for weeks and days.',
      ),
      firstDay: Nullable(
        Type.Integer(),
        'Day of the month on which a period begins, 1 to 28; null for weeks and days.',
      ),
      weeks: Nullable(Type.Integer(), 'Length of a period in weeks; null if it is in months or days.'),
      days: Nullable(Type.Integer(), 'Length of a period in days; null if it is in months or weeks.'),
      lastPeriod: Type.String({ description: 'The last finished period of this length.' }),
      dueOn: Type.String({ description: 'Day on which the return of that period is due.' }),
      who: Type.String({ description: 'The businesses that file at this rhythm.' }),
    }),
    { description: 'Lengths of periods, the usual one first.' },
  ),
  lastPeriod: Type.String({ description: 'The last finished period of the usual length.' }),
  dueOn: Type.String({ description: 'Day on which the return of that period is due.' }),
  taxNumber: Type.String({ description: "The authority's name for the taxpayer's number." }),
  exchange: Named('FilingExchange', 'The rate of exchange for amounts in other currencies, as the law names it.', {
    publisher: Type.String({ description: 'The bank or authority that publishes it.' }),
    rate: Type.Enum(rateRules, {
      description:
        '`DAY`: of the day, or the last one before it; `DAY_BEFORE`: the last one before the day; `MONTH`: the one for the month; `MONTH_AVERAGE`: the mean of the month.',
    }),
    legalRef: Nullable(Type.String()),
    confidence: Type.Enum(confidences),
  }),
  boxes: Type.Integer({ description: 'Number of its boxes.' }),
  validFrom: Type.String(),
  confidence: Type.Enum(confidences),
  legalRef: Nullable(Type.String()),
  says: Type.String({ description: 'Summary of its source.' }),
  source: FilingSource,
  furtherSources: Type.Array(FilingSource, { description: 'Sources beside that of the boxes.' }),
});

export const listFilingForms = operation({
  id: 'listFilingForms',
  method: 'GET',
  path: '/v1/filing-forms',
  tag: 'Reports',
  summary: 'List the forms on which returns can be made',
  description: 'The versions in force today, by country. The report filing fills one in.',
  audience: ['psp', 'client', 'operator'],
  query: Type.Object({
    countryCode: Type.Optional(
      Type.String({ description: 'ISO 3166-1 code of the country.', minLength: 2, maxLength: 3 }),
    ),
  }),
  content: Named('FilingFormList', 'The forms.', { items: Type.Array(FilingFormResource) }),
  refusals: ['UNKNOWN_COUNTRY'],
  async handle({ query, now }, s: Needs<'reference' | 'rates'>) {
    const country = orThrow(query.countryCode === undefined ? undefined : s.reference.country(query.countryCode));
    const items = loadFilingForms()
      .all()
      .filter((f) => country === undefined || f.country === country.alpha2)
      .flatMap((f) => {
        const timeZone = timeZoneOf(s, f.country);
        return isInForce(f.form, localDate(timeZone, now)) ? [formResource(f, timeZone, now)] : [];
      });
    return { message: 'forms', content: { items } };
  },
});

function rhythmResource(f: FilingForm, r: FilingRhythm, timeZone: string, now: number) {
  const { name, dueOn } = periodBefore(f, r, timeZone, currentPeriod(f, r, timeZone, now));
  const length =
    r.months === undefined
      ? { months: null, firstMonth: null, firstDay: null, weeks: r.weeks ?? null, days: r.days ?? null }
      : { months: r.months, firstMonth: r.firstMonth ?? 1, firstDay: r.firstDay ?? 1, weeks: null, days: null };
  return { ...length, lastPeriod: name, dueOn, who: r.who };
}

/** @param id among the file's sources, which the checks of files have seen to */
function sourceResource(sources: CountryForm['sources'], id: string) {
  const { title, publisher, url, retrievedOn } = sources[id] as TaxSource;
  return { title, publisher, url, retrievedOn };
}

function formResource({ form: f, country, sources }: CountryForm, timeZone: string, now: number) {
  const last = lastFinished(f, timeZone, now);
  return {
    form: f.form,
    countryCode: country,
    title: f.title,
    english: f.english ?? null,
    authority: f.authority,
    taxCodes: f.taxCodes,
    currency: f.currency,
    periods: f.periods.map((r) => rhythmResource(f, r, timeZone, now)),
    lastPeriod: last.name,
    dueOn: last.dueOn,
    taxNumber: f.taxNumber,
    exchange: {
      publisher: f.exchange.publisher,
      rate: f.exchange.rate,
      legalRef: f.exchange.legalRef,
      confidence: f.exchange.confidence,
    },
    boxes: f.boxes.length,
    validFrom: f.validFrom,
    confidence: f.confidence,
    legalRef: f.legalRef,
    says: f.says,
    source: sourceResource(sources, f.source),
    furtherSources: (f.furtherSources ?? []).map((s) => sourceResource(sources, s)),
  };
}
