// The generated reference agrees with the code and contains every setting, refusal, operation and clause.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../src/adapters/http/operations.ts';
import { eventKinds } from '../src/core/events.ts';
import { refusalCodes } from '../src/core/refusal.ts';
import { entrySchemas } from '../src/entries/index.ts';
import { commitForm } from '../src/platform/batch-parameters.ts';
import { loadReference, loadRuleBook } from '../src/platform/data-files.ts';
import { settingRows } from '../src/settings.ts';
import { type Clause, clauses } from '../tools/reference/clause-list.ts';
import { clauseProblems, clausesNamed, clausesPage, coverClauses, described } from '../tools/reference/clauses.ts';
import { dependencyProblems } from '../tools/reference/dependencies.ts';
import { differing, type GeneratedFile, makeFiles, openProblems, root } from '../tools/reference/pages.ts';
import { datasetDate } from '../tools/reference/tax-coverage.ts';
import { makeDatabase, type TestDatabase } from './support/app.ts';

let database: TestDatabase;
let files: GeneratedFile[];
const text = (path: string) => files.find((f) => f.path === path)?.text as string;
const cells = (path: string) => [...text(path).matchAll(/^\| `([^`]+)` \|/gm)].map((m) => m[1]);

beforeAll(async () => {
  database = await makeDatabase();
  files = await makeFiles(database.admin);
});
afterAll(() => database.drop());

describe('the generated reference', () => {
  it('is committed as it is generated; if this fails, run `npm run generate`', () => {
    expect(differing(files)).toEqual([]);
  });

  it('leaves nothing open: clauses without a test, dependencies without a line', () => {
    expect(openProblems()).toEqual([]);
  });

  it('is the same each time', async () => {
    expect(await makeFiles(database.admin)).toEqual(files);
  });

  it('notices one changed byte', () => {
    const changed = files.map((f, i) => (i === 2 ? { ...f, text: `${f.text} ` } : f));
    expect(differing(changed)).toContain(files[2]?.path);
  });

  it('names every setting, refusal, event and operation', () => {
    expect(cells('docs/reference/settings.md')).toEqual(settingRows.map((s) => s.name));
    expect(cells('docs/reference/refusals.md')).toEqual(Object.keys(refusalCodes));
    const schemas = Object.keys(entrySchemas);
    expect(cells('docs/reference/events.md').slice(0, schemas.length).sort()).toEqual(schemas.sort());
    expect([...new Set(schemas.map((schema) => schema.split('/')[0]))].sort()).toEqual(Object.keys(eventKinds).sort());
    expect([...cells('docs/reference/operations.md')].sort()).toEqual(operations.map((o) => o.id).sort());
  });

  it('describes every operation once in openapi.json, each refusal an operation names among the known ones', () => {
    const paths = JSON.parse(text('openapi.json')).paths as Record<string, Record<string, { operationId: string }>>;
    const ids = Object.values(paths).flatMap((p) => Object.values(p).map((o) => o.operationId));
    expect(ids.sort()).toEqual(operations.map((o) => o.id).sort());
    expect(new Set(ids).size).toBe(ids.length);
    for (const o of operations) for (const code of o.refusals ?? []) expect(Object.keys(refusalCodes)).toContain(code);
  });

  it('has an openapi.json of at most 3,500 bytes an operation, in which every object they take or answer has a name', () => {
    expect(
      Buffer.byteLength(text('openapi.json')),
      'say the same in fewer words, in a summary, description or meaning, and run npm run generate',
    ).toBeLessThanOrEqual(3500 * operations.length);
    const { paths, components } = JSON.parse(text('openapi.json'));
    const unnamed: string[] = [];
    const walk = (schema: unknown, where: string, named: boolean): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { properties, ...rest } = schema as { properties?: Record<string, unknown> };
      if (properties !== undefined && !named && Object.keys(properties).length > 0) unnamed.push(where);
      for (const [name, property] of Object.entries(properties ?? {})) walk(property, `${where}.${name}`, false);
      for (const [word, inner] of Object.entries(rest)) if (word !== 'examples') walk(inner, `${where}/${word}`, false);
    };
    for (const [name, schema] of Object.entries(components.schemas)) walk(schema, name, true);
    expect(unnamed).toEqual([]);
    for (const operation of Object.values(paths).flatMap((p) => Object.values(p as object))) {
      const body = operation.requestBody?.content['application/json'].schema;
      if (body !== undefined) expect(Object.keys(body), operation.operationId).toContain('$ref');
    }
  });

  it('gives every country of ISO 3166 a row or names it as missing', () => {
    const coverage = text('docs/reference/tax-coverage.md');
    for (const c of loadReference().countries)
      expect(coverage.includes(`| \`${c.alpha2}\` |`) || coverage.includes(`(${c.alpha2})`), c.alpha2).toBe(true);
    expect(coverage).toContain(`As of ${datasetDate(loadRuleBook())}`);
  });

  it('shows every table of the migrated database and no monthly partition', async () => {
    const schema = text('docs/reference/schema.sql');
    const tables = await database.admin.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition",
    );
    for (const t of tables) expect(schema).toContain(`CREATE TABLE ${t.name} (`);
    expect(schema).not.toMatch(/CREATE TABLE \w+_\d{6} /);
    expect(schema).toContain('FUNCTION public.store_subjects(');
    expect(text('docs/reference/commit-function.sql')).toContain(`CREATE FUNCTION ${commitForm.function.name}(`);
  });

  it('links only to files that are there', () => {
    const known = new Set(
      ['service/src', 'service/test'].flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((f) => `${folder}/${f}`),
      ),
    );
    for (const [, path] of text('docs/reference/clauses.md').matchAll(/\]\(\.\.\/\.\.\/([^)]+)\)/g))
      expect(known).toContain(path);
  });
});

describe('the table of clauses', () => {
  const source = (path: string, body: string) => ({ path, text: body });
  const at = (clause: string) => clauses.find((c) => c.clause === clause) as Clause;

  it('has every clause of every part once, and Parts 1 and 3, which have none, as a whole', () => {
    const parts: Record<string, number> = { 1: 0, 2: 9, 3: 0, 4: 17, 5: 6, 6: 5, 7: 4, 8: 2, 9: 3 };
    const wanted = Object.entries(parts).flatMap(([part, n]) =>
      n === 0 ? [part] : Array.from({ length: n }, (_, i) => `${part}.${i + 1}`),
    );
    expect(clauses.map((c) => c.clause)).toEqual(wanted);
  });

  it('reads clauses from comments only, alone or in a row', () => {
    const named = clausesNamed(
      "// Spec 4.1\n/** as Spec 4.8, 4.9 and 4.10 say. */\nconst x = 'Spec 7.1';\n// Specification 5.1, spec 5.2, Spec 3: states\n",
    );
    expect([...named]).toEqual(['4.1', '4.8', '4.9', '4.10', '3']);
  });

  it('takes the word a describe starts with for the operation it is about', () => {
    const text =
      "describe('chargeBack', f); describe.skip('deposit: x', f); describe(`addPSPSecret`, f); it('withdrawal', f)";
    expect([...described(text)]).toEqual(['chargeBack', 'deposit', 'addPSPSecret']);
  });

  it('finds tests by describe and by comment, and calls a clause without one a gap', () => {
    const covered = coverClauses(operations, [
      source('service/test/a.test.ts', "describe('chargeBack', () => {})"),
      source('service/test/b.test.ts', '// Spec 7.1'),
      source('service/src/c.ts', "// Spec 9.1\ndescribe('deposit')"),
    ]);
    const tests = (clause: string) => covered.find((c) => c.clause === at(clause))?.tests;
    expect(tests('4.4')).toEqual(['service/test/a.test.ts']);
    expect(tests('5.3')).toEqual(['service/test/a.test.ts']);
    expect(tests('7.1')).toEqual(['service/test/b.test.ts']);
    expect(tests('9.1')).toEqual([]);
    const problems = clauseProblems(covered, operations);
    expect(problems.some((p) => p.startsWith('specification 9.1 '))).toBe(true);
    expect(problems.some((p) => p.startsWith('specification 4.4 '))).toBe(false);
  });

  it('says openly what is not yet there, and never calls that a gap', () => {
    const covered = coverClauses(operations, []);
    const page = clausesPage(covered);
    for (const c of clauses.filter((x) => x.notYet !== undefined)) {
      expect(page).toContain(`| ${c.clause} | ${c.says} | *not yet*: ${c.notYet} |`);
      expect(clauseProblems(covered, operations).some((p) => p.includes(` ${c.clause} `))).toBe(false);
    }
  });
});

describe('the page of dependencies', () => {
  it('needs a line with reason and licence for each, and none for what is gone', () => {
    const page = '| `a` | does things | MIT |\n| `b` | | MIT |\n| `old` | did things | MIT |\n';
    expect(dependencyProblems(['a', 'b', 'c'], page)).toEqual([
      'docs/reference/dependencies.md: b needs its reason and licence',
      'docs/reference/dependencies.md: no line for c',
      'docs/reference/dependencies.md: old is no longer a dependency',
    ]);
  });
});
