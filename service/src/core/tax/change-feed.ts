// Changes of the tax rules as an Atom feed (RFC 4287). Its times are days on which sources were read, so that the same data
// is the same feed. Pure.
import { xmlElement as element, xmlText } from '../xml.ts';
import { sayAll, type TaxChangeResource } from './change-resource.ts';
import type { TaxSource } from './rule.ts';

export interface FeedHead {
  readonly title: string;
  /** IRI of the feed; the same for the same question in every installation. */
  readonly id: string;
  /** Address of this feed. */
  readonly self: string;
  /** ISO date: when the data behind it was last read. */
  readonly updatedOn: string;
  /** Version of the tax rules. */
  readonly dataset: string;
}

/** @param idOf IRI of a change by its changeId; the same in every installation */
export function changeFeed(
  head: FeedHead,
  changes: readonly TaxChangeResource[],
  idOf: (changeId: string) => string,
): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    element('title', head.title),
    element('subtitle', `Version ${head.dataset} of the tax rules.`),
    element('id', head.id),
    element('updated', timeOf(head.updatedOn)),
    '<author><name>Assay</name></author>',
    '<generator>Assay</generator>',
    link('self', head.self, { type: 'application/atom+xml' }),
    // Feed readers list the newest first; what comes last by day is newest.
    ...[...changes].reverse().map((c) => entry(c, idOf(c.changeId))),
    '</feed>',
    '',
  ].join('\n');
}

function entry(c: TaxChangeResource, id: string): string {
  const { source } = c;
  return [
    '<entry>',
    element('title', `${c.day} ${c.title}`),
    element('id', id),
    element('updated', timeOf(c.readOn)),
    ...(source?.url == null ? [] : [link('via', source.url, { title: `${source.title} (${source.publisher})` })]),
    category(c.country, c.countryName),
    category(c.taxCode, c.taxName),
    category(c.kind),
    element('content', contentOf(c), ' type="text"'),
    '</entry>',
  ].join('\n');
}

function contentOf(c: TaxChangeResource): string {
  const lines: (string | null)[] = [
    c.kind === 'EXPIRES' ? `Last certain day: ${c.day}` : `First day: ${c.day}, by the calendar of ${c.countryName}`,
    c.before.length === 0 ? null : `Before: ${sayAll(c.before)} (${c.before.map((t) => t.ruleId).join(', ')})`,
    c.after.length === 0 ? null : `From then on: ${sayAll(c.after)} (${c.after.map((t) => t.ruleId).join(', ')})`,
    c.applied ? null : 'A published rate that is not applied by itself: the rule does not name what it is limited to.',
    c.legalRef === null ? null : `Law: ${c.legalRef}`,
    c.source === null ? null : `Source: ${sourceText(c.source)}`,
    `Confidence: ${c.confidence}`,
    c.says === null ? null : `It says: ${c.says}`,
    c.note === null ? null : `Note: ${c.note}`,
  ];
  return lines.filter((l) => l !== null).join('\n');
}

/** A source in words, with its date and the day it was read. */
export function sourceText({ title, publisher, publishedOn, retrievedOn }: TaxSource): string {
  const published = publishedOn == null ? '' : `, of ${publishedOn}`;
  return `${title} (${publisher})${published}, read on ${retrievedOn}`;
}

const timeOf = (day: string): string => `${day}T00:00:00Z`;

const attributesOf = (of: Readonly<Record<string, string>>): string =>
  Object.entries(of)
    .map(([name, value]) => ` ${name}="${xmlText(value)}"`)
    .join('');

const link = (rel: string, href: string, more: Readonly<Record<string, string>>): string =>
  `<link${attributesOf({ rel, href, ...more })}/>`;

const category = (term: string, label = term): string => `<category${attributesOf({ term, label })}/>`;
