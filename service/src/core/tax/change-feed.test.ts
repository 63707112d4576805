// The Atom feed, read by an XML parser that knows nothing of us, against what RFC 4287 requires.
import { XmlDocument, type XmlElement, type XmlNode } from 'libxml2-wasm';
import { describe, expect, it } from 'vitest';
import { feeRows, taxCountry, taxRow } from '../../../test/support/tax-rows.ts';
import { loadRuleBook } from '../../platform/data-files.ts';
import { RuleBook } from './book.ts';
import { changeFeed, type FeedHead } from './change-feed.ts';
import { type TaxChangeResource, taxChangeResources } from './change-resource.ts';

const head: FeedHead = {
  title: 'Tax changes',
  id: 'urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a',
  self: '/v1/tax/changes.atom?since=2024-01-01&country=AA',
  updatedOn: '2026-11-21',
  dataset: 'v',
};
const namespaces = { a: 'http://www.w3.org/2005/Atom' };

interface Read {
  readonly one: (path: string) => string;
  readonly all: (path: string) => string[];
}

function read<T>(text: string, look: (feed: Read, entries: readonly Read[]) => T): T {
  const document = XmlDocument.fromString(text);
  try {
    const reader = (node: XmlNode): Read => {
      const all = (path: string) => (node as XmlElement).find(path, namespaces).map((n) => n.content);
      return {
        all,
        one: (path) => {
          const found = all(path);
          expect(found, path).toHaveLength(1);
          return found[0] as string;
        },
      };
    };
    return look(reader(document.root), document.root.find('/a:feed/a:entry', namespaces).map(reader));
  } finally {
    document.dispose();
  }
}

const feedOf = (changes: readonly TaxChangeResource[]) => changeFeed(head, changes, (id) => `urn:test:${id}`);
const time = /^\d{4}-\d\d-\d\dT00:00:00Z$/;

describe('the feed', () => {
  it('of shipped rules has what RFC 4287 requires, of the feed and of each entry', () => {
    const changes = taxChangeResources(loadRuleBook(), { since: '2026-03-01' });
    read(feedOf(changes), (feed, entries) => {
      expect(feed.one('/a:feed/a:id')).toBe(head.id);
      expect(feed.one('/a:feed/a:title')).toBe('Tax changes');
      expect(feed.one('/a:feed/a:updated')).toBe('2026-11-21T00:00:00Z');
      expect(feed.one('/a:feed/a:author/a:name')).not.toBe('');
      expect(feed.one('/a:feed/a:link[@rel="self"]/@href')).toBe(head.self);
      expect(entries).toHaveLength(changes.length);
      const ids = entries.map((e) => e.one('a:id'));
      expect(new Set(ids).size).toBe(ids.length);
      for (const e of entries) {
        expect(e.one('a:title')).toMatch(/^\d{4}-\d\d-\d\d \S/);
        expect(e.one('a:updated')).toMatch(time);
        expect(e.one('a:content')).toContain('Confidence: ');
        expect(e.all('a:category/@term')).toHaveLength(3);
      }
    });
  });

  it('has the latest day first, whatever is to come', () => {
    const changes = taxChangeResources(loadRuleBook(), { since: '2025-01-01', country: 'EE' });
    const days = read(feedOf(changes), (_, entries) => entries.map((e) => e.one('a:title').slice(0, 10)));
    expect(days).toEqual([...days].sort().reverse());
    expect(days.at(0)).toBe('2029-01-01');
  });

  it('carries law, source and confidence, and any text unharmed', () => {
    const country = taxCountry(
      [
        taxRow({ ruleId: 'AA-OLD', validTo: '2025-01-01' }),
        taxRow({
          ruleId: 'AA-NEW',
          rate: '21',
          validFrom: '2025-01-01',
          source: 'amendment',
          legalRef: 'VAT Act § 5 <b> & "others"',
          confidence: 'secondary',
          note: 'it\u0000s ]]> é',
        }),
        ...feeRows,
      ],
      {
        name: 'A & B <Land>',
        sources: {
          ...taxCountry([]).sources,
          amendment: {
            title: 'Law 5 "of" 2024',
            publisher: 'P & Q',
            url: 'https://law.example/?a=1&b=<2>',
            publishedOn: '2024-12-12',
            retrievedOn: '2026-11-25',
          },
        },
      },
    );
    const text = feedOf(taxChangeResources(new RuleBook('v', [country]), { since: '2024-01-01' }));
    read(text, (_, [entry]) => {
      expect(entry?.one('a:title')).toBe('2025-01-01 A & B <Land>, VAT on sales: 21 % in place of 20 %');
      expect(entry?.one('a:id')).toBe('urn:test:AA-NEW.start');
      expect(entry?.one('a:updated')).toBe('2026-11-25T00:00:00Z');
      expect(entry?.one('a:link[@rel="via"]/@href')).toBe('https://law.example/?a=1&b=<2>');
      expect(entry?.one('a:content')).toBe(
        [
          'First day: 2025-01-01, by the calendar of A & B <Land>',
          'Before: 20 % (AA-OLD)',
          'From then on: 21 % (AA-NEW)',
          'Law: VAT Act § 5 <b> & "others"',
          'Source: Law 5 "of" 2024 (P & Q), of 2024-12-12, read on 2026-11-25',
          'Confidence: secondary',
          'Note: it\ufffds ]]> é',
        ].join('\n'),
      );
    });
  });

  it('without changes is a feed nevertheless', () => {
    read(feedOf([]), (feed, entries) => {
      expect(feed.one('/a:feed/a:updated')).toMatch(time);
      expect(entries).toEqual([]);
    });
  });
});
