// What changes in the tax rules that ship, between two days. As GET /v1/tax/changes answers of the rules in force.
import { Refusal } from '../../core/refusal.ts';
import { sourceText } from '../../core/tax/change-feed.ts';
import { type TaxChangeResource, taxChangeResources } from '../../core/tax/change-resource.ts';
import { loadReference, loadRuleBook } from '../../platform/data-files.ts';
import { named, UsageError } from './exit-codes.ts';
import type { Output } from './output.ts';

export interface ChangesOptions {
  readonly since: string;
  readonly until?: string;
  readonly country?: string;
}

export interface ChangesShown {
  readonly since: string;
  readonly until: string | null;
  readonly country: string | null;
  readonly dataset: string;
  readonly items: readonly TaxChangeResource[];
}

/** @throws UsageError, Refusal */
export function changesShipped({ since, until, country: code }: ChangesOptions): ChangesShown {
  if (until !== undefined && until < since) throw new UsageError('--until must not be before --since');
  const book = loadRuleBook();
  const found = code === undefined ? undefined : loadReference().country(code, 'country');
  if (found instanceof Refusal) throw named(found, {});
  const country = found?.alpha2;
  if (country !== undefined && !book.country(country)) throw new UsageError(`there are no tax rules for ${country}`);
  const items = taxChangeResources(book, { since, until, country });
  return { since, until: until ?? null, country: country ?? null, dataset: book.version, items };
}

export function showChanges(out: Output, { items }: ChangesShown): void {
  if (items.length === 0) out.line('Nothing changes in these days.');
  for (const c of items) {
    out.line(`${c.day} ${c.title}`);
    out.line(`  ${ruleIds(c)}`);
    if (c.legalRef !== null) out.line(`  law: ${c.legalRef}`);
    if (c.source) out.line(`  ${c.confidence}: ${sourceText(c.source)}`);
    if (c.source?.url) out.line(`  ${c.source.url}`);
  }
}

const ids = (terms: TaxChangeResource['before']): string => terms.map((t) => t.ruleId).join(' and ') || 'no rule';

/** Nobody knows what follows a rule that expires. */
const ruleIds = ({ kind, before, after }: TaxChangeResource): string =>
  kind === 'EXPIRES' ? ids(before) : `${ids(before)} → ${ids(after)}`;
