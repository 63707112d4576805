// The pages that are tables of the code: settings, refusals, operations.

import { type MetricRow, metricRows } from '../../src/adapters/http/metric-rows.ts';
import { refusalsOf } from '../../src/adapters/http/openapi.ts';
import { statusOf } from '../../src/adapters/http/status.ts';
import { type RefusalCode, refusalCodes } from '../../src/core/refusal.ts';
import type { Operation } from '../../src/modules/kernel/operation.ts';
import { settingRows } from '../../src/settings.ts';
import { code, page, table } from './markdown.ts';

export const settingsPage = (): string =>
  page(
    'Settings',
    'Read once at the start from environment variables. A value that is not allowed stops the start and is named.',
    table(
      ['Name', 'Default', 'Meaning'],
      settingRows.map((s) => [code(s.name), s.default && code(s.default), s.meaning]),
    ),
  );

export const metricsPage = (): string =>
  page(
    'Metrics',
    "What `GET /metrics` shows in Prometheus' text form, beside what `prom-client` shows of each Node process (`assay_process_…`, `assay_nodejs_…`). Of several workers, counts are added; a gauge that is read from the database or the machine is shown once, and one of the fullest process is the largest of all.",
    table(
      ['Name', 'Kind', 'Labels', 'Meaning'],
      Object.entries<MetricRow>(metricRows).map(([name, { kind, labels = [], shared, fullest, help }]) => [
        code(name),
        shared ? `${kind}, of the ${shared}` : fullest ? `${kind}, of the fullest process` : kind,
        labels.map(code).join(', '),
        help,
      ]),
    ),
  );

export function refusalsPage(operations: readonly Operation[]): string {
  const givers = new Map<RefusalCode, string[]>();
  for (const o of operations) for (const c of refusalsOf(o)) givers.set(c, [...(givers.get(c) ?? []), o.id]);
  const codes = Object.keys(refusalCodes) as RefusalCode[];
  return page(
    'Refusals',
    'A refusal is an expected no. Its body is `{"success":false,"message":"…"}`; its code stands in the header `x-error-code`. Refusals of the kinds `limited` and `unavailable` carry `Retry-After`. A fault of the service itself is 500 with the code `INTERNAL`.',
    table(
      ['Code', 'Kind', 'HTTP', 'Meaning', 'Operations'],
      codes.map((c) => {
        const [kind, meaning] = refusalCodes[c];
        return [code(c), kind, statusOf[kind], meaning, saidBy(givers.get(c) ?? [], operations)];
      }),
    ),
  );
}

/** Whom a code comes from, in the shortest true words. */
function saidBy(ids: readonly string[], operations: readonly Operation[]): string {
  if (ids.length === 0) return 'the HTTP server itself';
  if (ids.length === operations.length) return 'every operation';
  const others = operations.filter((o) => !ids.includes(o.id)).map((o) => code(o.id));
  if (others.length < ids.length / 2) return `every operation but ${others.join(', ')}`;
  const bodied = operations.filter((o) => o.body).map((o) => o.id);
  const all = bodied.length > 0 && bodied.every((id) => ids.includes(id));
  const rest = ids.filter((id) => !all || !bodied.includes(id)).map(code);
  return [...(all ? ['every operation with a body'] : []), ...rest].join(', ');
}

export function operationsPage(operations: readonly Operation[]): string {
  const tags = [...new Set(operations.map((o) => o.tag))];
  return page(
    'Operations',
    'Every operation of the HTTP API. Bodies, replies and examples: `openapi.json`, shown at `/docs`.',
    ...tags.flatMap((tag) => [
      `## ${tag}`,
      table(
        ['Operation', 'Method', 'Path', 'For', 'Clause', 'Summary'],
        operations
          .filter((o) => o.tag === tag)
          .map((o) => [code(o.id), o.method, code(o.path), o.audience.join(', '), o.spec, o.summary]),
      ),
    ]),
  );
}
