// Words in texts for strangers (docs/decisions/0122): descriptions in the API and the hand-written pages use plain
// sentences and the field's own words, and comments leave out those that a stranger stumbles at. The lists contain words that were replaced once, so that they do not return.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pages } from '../docs/pages.ts';

const openapi = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));

/** Words of a private dialect, each with the one to use. */
const instead: Readonly<Record<string, string>> = {
  whoever: 'a person who, the caller',
  whomever: 'the person',
  anew: 'again',
  'of ours': 'our',
  'in hand': 'in flight, assigned to',
  told: 'published, returned, shown',
  tells: 'says, shows',
  stands: 'is, is stored',
  stood: 'was',
  'gone on with': 'continued',
  'given up': 'exhausted, written off',
  'kept out': 'rejected',
  'asked for': 'requested',
  'looked for': 'searched',
  begun: 'started',
  mended: 'fixed, corrected',
};

/** How a fragment begins; a description is a sentence, or a noun phrase that names the value. */
const fragment = /^(Of|What|Whose|Whom|Those|Who|How|Where)\b/;

interface Text {
  readonly at: string;
  readonly text: string;
}

function* descriptions(value: unknown, at = ''): Generator<Text> {
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'example' || key === 'examples') continue;
    if ((key === 'description' || key === 'summary') && typeof inner === 'string') yield { at, text: inner };
    else yield* descriptions(inner, `${at}/${key}`);
  }
}

function dialectIn(text: string): string[] {
  return Object.keys(instead).filter((words) => new RegExp(`\\b${words}\\b`, 'i').test(text));
}

/** The prose of a page: no code, no links' addresses. */
const proseOf = (page: string) =>
  page
    .replace(/```[\s\S]*?```/g, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']');

describe('the words', () => {
  it('of the API are sentences without a private dialect', () => {
    const wrong = [...descriptions(openapi)].flatMap(({ at, text }) => [
      ...dialectIn(text).map((words) => `${at}: "${words}" (${instead[words]}): ${text}`),
      ...(fragment.test(text) ? [`${at} is a fragment: ${text}`] : []),
    ]);
    expect(wrong).toEqual([]);
  });

  it.each(['ARCHITECTURE.md', 'docs/reference/receipt-format.md', ...pages])('of %s are plain', (page) => {
    const wrong = proseOf(readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8'))
      .split('\n')
      .flatMap((line) => dialectIn(line).map((words) => `"${words}" (${instead[words]}): ${line.trim()}`));
    expect(wrong).toEqual([]);
  });

  it('of comments are those of the field', () => {
    const comment = /^\s*(?:\/\/|\/?\*).*?\b(?:whoever|whomever|anew|of ours|told|heard|goes on|in hand)\b/i;
    const wrong = ['service/src', 'console/src', 'client/src'].flatMap((room) => {
      const folder = new URL(`../../../${room}/`, import.meta.url);
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
        .flatMap((path) =>
          readFileSync(new URL(path, folder), 'utf8')
            .split('\n')
            .map((line) => `${path}: ${line}`),
        )
        .filter((line) => comment.test(line.slice(line.indexOf(': ') + 2)));
    });
    expect(wrong).toEqual([]);
  });

  it('of files and of what they export are those of the field', () => {
    const dialect = /(?:^|[a-z/-])(?:told|entrances?|courtesy|chores|rounds|heard)(?=[A-Z./-]|$)/i;
    const exported = /^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm;
    const folder = new URL('../../src/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const names = files.flatMap((path) => [
      path,
      ...readFileSync(new URL(path, folder), 'utf8')
        .matchAll(exported)
        .map((m) => `${path} ${m[1]}`),
    ]);
    expect(names.length).toBeGreaterThan(2 * files.length);
    expect(names.filter((name) => dialect.test(name.split(' ').at(-1) as string))).toEqual([]);
    expect(['ratesAsTold', 'as-told.ts', 'Rounds', 'entrances/x.ts'].filter((n) => !dialect.test(n))).toEqual([]);
  });

  it('that are forbidden are found', () => {
    expect(dialectIn('What was asked for stands in the reply')).toEqual(['stands', 'asked for']);
    expect(fragment.test('Of wagers.')).toBe(true);
    expect(fragment.test('Sum of the wagers.')).toBe(false);
  });
});
