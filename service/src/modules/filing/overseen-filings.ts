// Which filed returns an authority sees: those of its country, on forms of its taxes alone, of periods within its days.
import { holdsPeriod, seesTax, type View } from '../../core/oversight.ts';
import { loadFilingForms } from '../../platform/data-files.ts';
import { livePsps } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { type FiledWithin, type Filing, filingOfReport } from './filing-store.ts';

/** A form with another tax besides shows more than concerns it. */
const formsOf = (view: View): string[] =>
  loadFilingForms()
    .all()
    .filter((f) => f.country === view.country && f.form.taxCodes.every((code) => seesTax(view, code)))
    .map((f) => f.form.form);

/** What a list of returns is limited to. */
export const filedWithin = async (s: Needs<'db'>, view: View): Promise<FiledWithin> => ({
  country: view.country,
  psps: await livePsps(s.db),
  forms: formsOf(view),
  from: view.dayFrom,
  to: view.dayTo,
});

/** The return of a report (UUID), if an authority sees it. */
export async function overseenFiling(s: Needs<'db'>, view: View, report: string): Promise<Filing | undefined> {
  const found = await filingOfReport(s.db, report);
  const isSeen =
    found !== undefined &&
    found.country === view.country &&
    formsOf(view).includes(found.form) &&
    holdsPeriod(view, { from: found.firstDay, to: found.lastDay }) &&
    (await livePsps(s.db)).includes(found.psp);
  return isSeen ? found : undefined;
}
