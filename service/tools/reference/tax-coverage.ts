// What the tax dataset says of each country on the day it was last read: a fixed day, so that the page
// changes with the data and never with the calendar.
import type { Country } from '../../src/core/reference.ts';
import type { RuleBook } from '../../src/core/tax/book.ts';
import { type CountryTax, confidences, isChoosable, isUnknown, type TaxRule } from '../../src/core/tax/rule.ts';
import { mccRangesOf, supplies } from '../../src/core/tax/supplies.ts';
import { byText, code, page, table } from './markdown.ts';

/** The latest day a source of the dataset was read. */
export function datasetDate(book: RuleBook): string {
  let latest = '';
  for (const c of book.countries())
    for (const s of Object.values(c.sources)) if (s.retrievedOn > latest) latest = s.retrievedOn;
  return latest;
}

export function taxCoveragePage(book: RuleBook, countries: readonly Country[]): string {
  const date = datasetDate(book);
  const all = [...countries].sort((a, b) => byText(a.alpha2, b.alpha2));
  const missing = all.filter((c) => !book.country(c.alpha2));
  const covered = all.flatMap((c) => book.country(c.alpha2) ?? []);
  const rules = covered.flatMap((c) => c.rules);
  const backed = covered.flatMap((c) =>
    c.rules
      .filter((r) => r.confidence === 'official' || r.confidence === 'secondary')
      .map((r) => c.sources[r.source]?.publishedOn),
  );
  const dated = backed.filter((on) => typeof on === 'string').length;
  const undated = backed.filter((on) => on === null).length;
  const sure = (c: TaxRule['confidence']) => rules.filter((r) => r.confidence === c).length;
  return page(
    'Tax coverage',
    `As of ${date}, the day the dataset was last read. ${covered.length} of ${all.length} countries (ISO 3166-1 with XI and XK) have rules: ${rules.length} rules, ${confidences.map((c) => `${sure(c)} ${c}`).join(', ')}. Of ${rules.filter((r) => r.validFromKnown === false).length} rules nobody looked up the first day; of the ${backed.length} official and secondary ones ${dated} say when their source was published, of ${undated} the source says no date; ${rules.filter(isUnknown).length} say that a rate was not found. \`assay tax check\` says the same of today, \`assay tax explain\` shows what a rule does to an amount.`,
    '*Standard* is what a sale bears that no narrower rule fits, *Sale* how sure that is. *Weakest* is the confidence of the weakest rule in use on that day, and *Unknown* the taxes whose rate was not found. `official`: the statute or the authority was read; `secondary`: a professional summary or the press; `unverified`: a source that was held against no other; `assumed`: no source says so.',
    missing.length === 0
      ? 'No country is missing.'
      : `Missing, so that every amount there is refused with \`NO_TAX_RULE\`: ${missing.map((c) => `${c.name} (${c.alpha2})`).join(', ')}.`,
    table(
      ['Code', 'Country', 'Standard', 'Reduced', 'Taxes', 'Sale', 'Weakest', 'Unknown', 'Rules'],
      covered.map((c) => coverage(c, book, date)),
    ),
    'A rule may be for kinds of supply. `taxDetails.category` of a request says what a sale is of; without it the `mcc` does, as below; and where that is not below, the tax profile of the client.',
    table(
      ['Supply', 'Merchant category codes (ISO 18245)'],
      supplies.map((s) => [code(s), mccRangesOf(s).join(', ')]),
    ),
  );
}

function coverage(c: CountryTax, book: RuleBook, date: string): readonly unknown[] {
  const now = c.rules.filter((r) => r.validFrom <= date && (r.validTo === null || date < r.validTo));
  const plan = book.plan({ jurisdiction: c.jurisdiction, operation: 'verifyTransaction', classification: '', date });
  const standard = [...(plan?.inclusive ?? []), ...(plan?.added ?? [])].map((x) => x.rule);
  const reduced = now.filter((r) => r.category === 'reduced' || r.category === 'super_reduced');
  const rates = [...new Set(reduced.flatMap((r) => r.rate ?? []))].sort((a, b) => Number(b) - Number(a));
  const taxes = [...new Set(now.filter((r) => r.category !== 'none').map((r) => r.taxCode))].sort(byText);
  const used = now.filter(isChoosable);
  const unknown = [...new Set(used.filter(isUnknown).map((r) => r.taxCode))].sort(byText);
  return [
    code(c.jurisdiction),
    c.name,
    standard.map(rateOf).join(' + '),
    rates.map((r) => `${r} %`).join(', '),
    taxes.join(', '),
    weakest(standard),
    weakest(used),
    unknown.join(', '),
    c.rules.length,
  ];
}

/** The confidence of the least sure of them; undefined of none. */
const weakest = (rules: readonly TaxRule[]) =>
  [...confidences].reverse().find((x) => rules.some((r) => r.confidence === x));

const rateOf = (r: TaxRule): string =>
  r.category === 'none'
    ? 'no VAT'
    : `${r.rate} % ${r.taxCode}${r.compoundsOn.length > 0 ? ` on ${r.compoundsOn.join(', ')} too` : ''}`;
