import { createHash } from 'node:crypto';
import { changeFeed } from '../../../core/tax/change-feed.ts';
import { lastReading } from '../../../core/tax/changes.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { changesQuery, findChanges } from '../tax-changes.ts';

const path = '/v1/tax/changes.atom';

export const getTaxChangesFeed = operation({
  id: 'getTaxChangesFeed',
  method: 'GET',
  path,
  tag: 'Rates',
  summary: 'Changes of the tax rules as an Atom feed',
  description:
    'RFC 4287, the latest day first. Ids of entries are the same in every installation and every version of the tax rules; `updated` is the day on which a source of the change was last read.',
  audience: ['psp', 'client', 'operator'],
  query: changesQuery,
  produces: 'application/atom+xml',
  content: Type.String(),
  refusals: ['UNKNOWN_COUNTRY', 'NO_TAX_RULE'],
  async handle({ query, now }, s: Needs<'reference' | 'rates'>) {
    const { book } = s.rates;
    const { country, items } = findChanges(s, query, now);
    const file = country === null ? undefined : book.country(country);
    const sources = (file ? [file] : [...book.countries()]).flatMap((c) => Object.values(c.sources));
    const asked = new URLSearchParams(query as Record<string, string>).toString();
    const head = {
      title: file ? `Tax changes in ${file.name}` : 'Tax changes',
      id: iri(`feed/${country ?? 'all'}`),
      self: asked === '' ? path : `${path}?${asked}`,
      updatedOn: lastReading(sources),
      dataset: book.version,
    };
    return { message: 'changes', content: undefined, text: changeFeed(head, items, (id) => iri(`change/${id}`)) };
  },
});

/** The names below are Assay's own: a UUID of version 5 (RFC 9562) under this one, drawn once. */
const names = Buffer.from('d081b4ccb4bc45b880fa93814304fbe7', 'hex');

function iri(name: string): string {
  const hash = createHash('sha1').update(names).update(name).digest().subarray(0, 16);
  hash[6] = ((hash[6] as number) & 0x0f) | 0x50;
  hash[8] = ((hash[8] as number) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
