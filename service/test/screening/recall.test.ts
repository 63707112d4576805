// How many spellings of listed names are found, and how many names of others are taken for them. The figures stand in
// docs/reference/screening.md; whoever changes how names are compared sees here what it costs.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { NameIndex } from '../../src/core/screening/name-index.ts';
import { readHan } from '../../src/platform/han-reader.ts';

interface Names {
  readonly listed: readonly { readonly listed: string; readonly asked: readonly { how: string; name: string }[] }[];
  readonly innocent: readonly string[];
}
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const names: Names = JSON.parse(read('service/test/screening/names.json'));
const index = new NameIndex(readHan);
for (const [i, { listed }] of names.listed.entries())
  index.put({
    ...{ list: 'GOLDEN', purpose: 'SANCTIONS', revision: 1 },
    entry: {
      ...{ ref: String(i), kind: 'PERSON', names: [{ name: listed }], births: [], countries: [], keys: [] },
      programmes: [],
    },
  });

const asked = names.listed.flatMap(({ asked }, i) => asked.map((a) => ({ ...a, ref: String(i) })));
const found = (least: number, how?: string) => {
  const of = asked.filter((a) => how === undefined || a.how === how);
  const hits = of.filter((a) => index.search({ name: a.name, least }).some((m) => m.entry.ref === a.ref));
  return `${hits.length} of ${of.length}`;
};
const falsely = (least: number) =>
  `${names.innocent.filter((name) => index.search({ name, least }).length > 0).length} of ${names.innocent.length}`;

const page = read('docs/reference/screening.md');
const row = (label: string, of: (least: number) => string) =>
  `| ${label} | ${[80, 85, 90].map((least) => of(least)).join(' | ')} |`;

it.each([
  ['Another script', 'script'],
  ['Another transliteration', 'transliteration'],
  ['Another order, fewer words', 'order'],
  ['Initials', 'initials'],
  ['A typing error', 'typing'],
  ['Words joined or parted', 'joined'],
  ['Another legal form', 'forms'],
])('%s: as many are found as the page says', (label, how) => {
  expect(page).toContain(row(label, (least) => found(least, how)));
});

it('all together, and false alarms, are as many as the page says', () => {
  expect(page).toContain(row('**All**', (least) => found(least)));
  expect(page).toContain(row('**False alarms**', falsely));
});

it('at the usual threshold, more than nine of ten are found, and fewer than one of twenty others', () => {
  const [hits = 0, of = 1] = found(85).split(' of ').map(Number);
  const [alarms = 0, others = 1] = falsely(85).split(' of ').map(Number);
  expect(hits / of).toBeGreaterThan(0.9);
  expect(alarms / others).toBeLessThan(0.05);
});
