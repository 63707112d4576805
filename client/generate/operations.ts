// The table of operations: what the client needs to know of each at run time.
import type { OperationRow } from '../src/operation-row.ts';
import {
  type Described,
  type DescribedOperation,
  nameOf,
  namesOf,
  reply,
  type Schema,
  type Schemas,
} from './description.ts';

export function operationTable(description: Described): string {
  const rows = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, o]) => `  ${o.operationId}: ${JSON.stringify(row(path, method, o, description.components.schemas))},`,
    ),
  );
  return [
    "import type { OperationRow } from '../operation-row.ts';",
    '',
    'export const operations = {',
    ...rows,
    '} as const satisfies Record<string, OperationRow>;',
    '',
  ].join('\n');
}

/** The schema that a reference names, or the schema itself. */
const resolved = (schemas: Schemas, s: Schema | undefined): Schema | undefined =>
  s?.$ref === undefined ? s : schemas[nameOf(s.$ref)];

const isText = (type: string): boolean => /^text\/|[/+]xml$/.test(type);

/** What the client needs to know of an operation at run time. */
export function row(path: string, method: string, o: DescribedOperation, schemas: Schemas): OperationRow {
  const named = (place: string) => (o.parameters ?? []).filter((p) => p.in === place).map((p) => p.name);
  const body = resolved(schemas, o.requestBody?.content['application/json']?.schema);
  const [type, answer] = Object.entries(reply(o))[0] ?? [];
  if (type === undefined) throw new Error(`${o.operationId}: no reply is described`);
  const inPath = named('path');
  // One argument holds path parameters and body; a query beside a body is an option of the call.
  const twice = inPath.filter((name) => Object.hasOwn(body?.properties ?? {}, name));
  if (twice.length > 0) throw new Error(`${o.operationId}: ${twice[0]} is a field of the path and of the body`);
  const unreachable = body ? named('query').filter((name) => name !== 'expand') : [];
  if (unreachable.length > 0) throw new Error(`${o.operationId}: the query ${unreachable[0]} beside a body`);
  const decimals = namesOf('number', schemas, body);
  const integers = namesOf('integer', schemas, answer?.schema);
  return {
    method: method.toUpperCase(),
    path,
    ...(inPath.length > 0 ? { inPath } : {}),
    ...(body ? { body: true } : {}),
    ...(type === 'application/json' ? {} : isText(type) ? { text: true } : { bytes: true }),
    ...(method === 'get' || o['x-idempotent'] === true ? { idempotent: true } : {}),
    ...(decimals.length > 0 ? { decimals } : {}),
    ...(integers.length > 0 ? { integers } : {}),
  };
}
