// From each clause of the specification to what carries it and to its tests, found by reading the sources:
// a test stands for an operation when a `describe` bears the operation's id, and for a clause when a comment
// names it (`// Spec 7.1`).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '../../src/modules/kernel/operation.ts';
import { type Clause, clauses } from './clause-list.ts';
import { byText, code, fileLink, page, table } from './markdown.ts';

export interface Source {
  /** From the repository's root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file of the service but these pages' own. */
export function readSources(root: string): Source[] {
  return ['service/src', 'service/test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((f) => `${folder}/${f.replaceAll('\\', '/')}`)
      .filter((f) => f.endsWith('.ts') && !f.endsWith('/reference.test.ts'))
      .sort(byText)
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  );
}

/** A part without numbered clauses is named by its own number: Parts 1 and 3. */
const mention = /\bSpec (\d+(?:\.\d+)?(?:(?:, and |, | and | or |\/)\d+(?:\.\d+)?)*)/g;

/** Clauses that the comments of a source name. */
export function clausesNamed(text: string): Set<string> {
  const named = new Set<string>();
  for (const [comment] of text.matchAll(/\/\/.*|\/\*[\s\S]*?\*\//g))
    for (const [, list] of comment.matchAll(mention))
      for (const c of (list as string).match(/\d+(?:\.\d+)?/g) ?? []) named.add(c);
  return named;
}

/** Names that the `describe` blocks of a test start with. */
export const described = (text: string): Set<string> =>
  new Set([...text.matchAll(/\bdescribe(?:\.\w+)*\(\s*['"`](\w+)/g)].map((m) => m[1] as string));

export interface Coverage {
  readonly clause: Clause;
  readonly operations: readonly string[];
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

/** What carries and what tests each clause. */
export function coverClauses(operations: readonly Operation[], sources: readonly Source[]): Coverage[] {
  const isTest = (s: Source) => s.path.endsWith('.test.ts');
  const tests = sources.filter(isTest).map((s) => ({ ...s, named: clausesNamed(s.text), by: described(s.text) }));
  const code = sources.filter((s) => !isTest(s));
  return clauses.map((clause) => {
    const ids = clause.by ?? operations.filter((o) => o.spec === clause.clause).map((o) => o.id);
    const carriers = operations.filter((o) => ids.includes(o.id));
    return {
      clause,
      operations: ids,
      files: clause.where ?? carriers.flatMap((o) => fileOf(o, code) ?? []),
      tests: tests.filter((t) => t.named.has(clause.clause) || ids.some((id) => t.by.has(id))).map((t) => t.path),
    };
  });
}

/** The file that declares an operation: the one that holds its clause. */
const fileOf = (o: Operation, sources: readonly Source[]): string | undefined =>
  sources.find((s) => s.path.includes('/operations/') && s.text.includes(`spec: '${o.spec}'`))?.path;

/** Clauses that nothing tests or carries and that do not say so. */
export function clauseProblems(covered: readonly Coverage[], operations: readonly Operation[]): string[] {
  const problems: string[] = [];
  for (const c of covered) {
    const { clause } = c;
    if (clause.notYet !== undefined) continue;
    if (c.tests.length === 0) problems.push(`specification ${clause.clause} (${clause.says}) has no test`);
    const unknown = c.operations.filter((id) => !operations.some((o) => o.id === id));
    if (unknown.length > 0) problems.push(`specification ${clause.clause}: no operation ${unknown.join(', ')}`);
    if (c.operations.length + c.files.length === 0)
      problems.push(`specification ${clause.clause} (${clause.says}) is carried by nothing`);
  }
  for (const o of operations)
    if (o.spec !== undefined && !clauses.some((c) => c.clause === o.spec))
      problems.push(`${o.id} names the unknown clause ${o.spec}`);
  return problems;
}

export const clausesPage = (covered: readonly Coverage[]): string =>
  page(
    'Clauses of the specification',
    'Each clause, what carries it and which tests hold it to its word. Clauses marked *not yet* are open.',
    table(
      ['Clause', 'About', 'Carried by', 'Tests'],
      covered.map(({ clause, operations, files, tests }) => [
        clause.clause,
        clause.says,
        carriedBy(operations, files, clause),
        tests.map((t) => fileLink(t, t.split('/').at(-1))).join(', '),
      ]),
    ),
  );

function carriedBy(operations: readonly string[], files: readonly string[], clause: Clause): string {
  if (clause.notYet !== undefined && operations.length + files.length === 0) return `*not yet*: ${clause.notYet}`;
  const names = operations.length === files.length ? operations : [];
  return files.map((f, i) => fileLink(f, names[i] === undefined ? f.split('/').at(-1) : code(names[i]))).join(', ');
}
