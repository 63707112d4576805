// Which form and period a return is for.

import { localDate } from '../../core/calendar.ts';
import type { CountryForm, FilingForm } from '../../core/filing/form.ts';
import { versionOn } from '../../core/filing/forms.ts';
import { type FilingPeriod, readFilingPeriod } from '../../core/filing/period.ts';
import { Refusal, refuse } from '../../core/refusal.ts';
import { type Said, said, saidInRow } from '../../core/said.ts';
import { loadFilingForms } from '../../platform/data-files.ts';
import type { Needs } from '../kernel/needs.ts';
import { timeZoneOf } from '../kernel/report-period.ts';

export interface AskedReturn {
  readonly version: CountryForm;
  readonly period: FilingPeriod;
  readonly timeZone: string;
  /** True if the period has not ended. */
  readonly open: boolean;
}

/** The version of a form for a period: the one in force on its first day. */
export const versionFor = (form: string, period: Pick<FilingPeriod, 'first'>): CountryForm | undefined =>
  versionOn(loadFilingForms().versions(form), period.first);

/**
 * @param period undefined for the last finished one
 * @param now milliseconds since the epoch
 */
export function readAskedReturn(
  s: Needs<'reference' | 'rates'>,
  asked: { readonly form: string; readonly period?: string | undefined },
  now: number,
): AskedReturn | Refusal {
  const versions = loadFilingForms().versions(asked.form);
  const latest = versions.at(-1);
  if (!latest)
    return refuse('FIELD_INVALID', said`the field 'form' names no form: '${asked.form.slice(0, 60)}'; ${known()}`);
  const timeZone = timeZoneOf(s, latest.country);
  const current = versionOn(versions, localDate(timeZone, now)) ?? latest;
  const period = readFilingPeriod(current.form, asked.period, timeZone, now);
  if (period instanceof Refusal) return period;
  const version = versionOn(versions, period.first);
  if (!version) return refuse('FIELD_INVALID', notInForce(versions, period));
  // A version may have had other periods.
  const own = readFilingPeriod(version.form, period.name, timeZone, now);
  if (own instanceof Refusal) return own;
  if (period.from > now)
    return refuse(
      'FIELD_INVALID',
      said`the field 'period' names a period that has not started: ${period.name}; it is ${localDate(timeZone, now)} there`,
    );
  return { version, period: own, timeZone, open: own.to > now };
}

const known = (): Said =>
  said`the forms are ${[
    ...new Set(
      loadFilingForms()
        .all()
        .map((f) => f.form.form),
    ),
  ].join(', ')}`;

function notInForce(versions: readonly CountryForm[], { name }: FilingPeriod): Said {
  const spans = versions.map(({ form: f }: { form: FilingForm }) =>
    f.validTo ? said`from ${f.validFrom} to before ${f.validTo}` : said`from ${f.validFrom}`,
  );
  return said`the field 'period' is ${name}, and the form ${versions[0]?.form.form ?? ''} is only known ${saidInRow(spans, (a, b) => said`${a} and ${b}`)}`;
}
