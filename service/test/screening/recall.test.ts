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

interface InScript {
  readonly name: string;
  readonly latin: string;
}
type Scripts = Readonly<Record<'hangul' | 'kana' | 'hebrew', readonly InScript[]>>;
const inScripts: { readonly known: Scripts; readonly unseen: Scripts } = JSON.parse(
  read('service/test/screening/names-in-scripts.json'),
);

/** Latin spellings are listed, and asked for in their script: found, and those for which others are found, at 85. */
function inScript(script: keyof Scripts, group: keyof typeof inScripts): readonly [string, number] {
  const others = new NameIndex(readHan);
  for (const { latin } of Object.values(inScripts[group]).flat())
    others.put({
      ...{ list: 'PUBLIC', purpose: 'SANCTIONS', revision: 1 },
      entry: {
        ref: latin,
        kind: 'PERSON',
        names: [{ name: latin }],
        births: [],
        countries: [],
        keys: [],
        programmes: [],
      },
    });
  const names = inScripts[group][script];
  const refs = names.map(({ name }) => others.search({ name, least: 85 }).map((m) => m.entry.ref));
  const hits = names.filter(({ latin }, i) => refs[i]?.includes(latin)).length;
  return [`${hits} of ${names.length}`, names.filter(({ latin }, i) => refs[i]?.some((ref) => ref !== latin)).length];
}

it.each([
  ['Hangul', 'hangul'],
  ['Kana', 'kana'],
  ['Hebrew', 'hebrew'],
] as const)('of names in %s as many are found by a usual Latin spelling as the page says', (label, script) => {
  const [known, taken] = inScript(script, 'known');
  const [unseen, alsoTaken] = inScript(script, 'unseen');
  expect(page).toContain(`| ${label} | ${known} | ${unseen} | ${taken + alsoTaken} |`);
});

it('at the usual threshold, more than nine of ten are found, and fewer than one of twenty others', () => {
  const [hits = 0, of = 1] = found(85).split(' of ').map(Number);
  const [alarms = 0, others = 1] = falsely(85).split(' of ').map(Number);
  expect(hits / of).toBeGreaterThan(0.9);
  expect(alarms / others).toBeLessThan(0.05);
});
