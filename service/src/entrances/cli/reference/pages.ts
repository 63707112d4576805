// All generated files: what each holds, which differ from what is committed, and what no page can make good.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clientFiles } from '@assay/client/generate';
import { refusalCodes } from '../../../core/refusal.ts';
import { loadReference, loadRuleBook } from '../../../platform/data-files.ts';
import type { Database } from '../../../platform/database.ts';
import { openApi } from '../../http/openapi.ts';
import { operations } from '../../http/operations.ts';
import { clauseProblems, clausesPage, coverClauses, readSources } from './clauses.ts';
import { dependenciesFile, dependencyProblems, directDependencies } from './dependencies.ts';
import { schemaPage } from './schema-page.ts';
import { eventsPage, operationsPage, refusalsPage, settingsPage } from './tables.ts';
import { taxCoveragePage } from './tax-coverage.ts';

/** The repository's root. */
export const root = join(import.meta.dirname, '..', '..', '..', '..', '..');

export interface GeneratedFile {
  /** From the root. */
  readonly path: string;
  readonly text: string;
}

/** @param db a migrated database, whose schema is written down */
export async function makeFiles(db: Database): Promise<GeneratedFile[]> {
  const covered = coverClauses(operations, readSources(root));
  const description = openApi(operations, '/');
  return [
    { path: 'openapi.json', text: `${JSON.stringify(description, null, 2)}\n` },
    ...(await clientFiles(description, refusalCodes)),
    { path: 'docs/reference/settings.md', text: settingsPage() },
    { path: 'docs/reference/refusals.md', text: refusalsPage(operations) },
    { path: 'docs/reference/events.md', text: eventsPage() },
    { path: 'docs/reference/operations.md', text: operationsPage(operations) },
    { path: 'docs/reference/tax-coverage.md', text: taxCoveragePage(loadRuleBook(), loadReference().countries) },
    { path: 'docs/reference/clauses.md', text: clausesPage(covered) },
    { path: 'docs/reference/schema.sql', text: await schemaPage(db) },
  ];
}

/** Paths of the files that are not as they should be. */
export const differing = (files: readonly GeneratedFile[]): string[] =>
  files.filter((f) => read(f.path) !== f.text).map((f) => f.path);

/** What generating cannot mend, each a sentence. */
export const openProblems = (): string[] => [
  ...clauseProblems(coverClauses(operations, readSources(root)), operations),
  ...dependencyProblems(directDependencies(root), read(dependenciesFile) ?? ''),
];

export function write(files: readonly GeneratedFile[]): void {
  for (const f of files) {
    mkdirSync(dirname(join(root, f.path)), { recursive: true });
    writeFileSync(join(root, f.path), f.text);
  }
}

function read(path: string): string | undefined {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : undefined;
}
