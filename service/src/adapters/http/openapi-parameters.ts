// Parameters of the operations in the OpenAPI document; shared ones are written once.
import type { Operation } from '../../modules/kernel/operation.ts';
import { fieldMeanings, filterMeanings } from './field-meanings.ts';
import { described, type Json, type NamedSchemas } from './openapi-schemas.ts';

interface Parameter extends Json {
  readonly name: string;
}

const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', maxLength: 64 },
});
const asPsp = header('x-psp-id', 'For staff: the PSP to act as. The journal names the person.');
const forClient = header('x-client-id', "With a PSP's key: the client to act for. Default: the PSP's own account.");

const conditions = [
  header(
    'If-Match',
    'The change is made only of what has this ETag; else the answer is 412 and nothing is saved. `*`: of whatever there is.',
  ),
  header('If-None-Match', '`*`: the change is made only if there is none yet; else the answer is 412.'),
];

/** @param forPsp the operation is about a PSP's data */
export function parametersOf(o: Operation, forPsp: boolean, schemas: NamedSchemas): Parameter[] {
  const inPath = [...o.path.matchAll(/:([A-Za-z]+)/g)].map(
    ([, name]): Parameter => ({
      name: name as string,
      in: 'path',
      required: true,
      ...described({}, fieldMeanings[name as string]),
      schema: { type: 'string', maxLength: 100 },
    }),
  );
  const inQuery = Object.entries(o.query?.properties ?? {}).map(([name, property]): Parameter => {
    const shown = described(schemas.show(property as object), filterMeanings[name] ?? fieldMeanings[name]);
    const { description, ...schema } = shown;
    return {
      name,
      in: 'query',
      required: o.query?.required?.includes(name) ?? false,
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
  return [
    ...inPath,
    ...inQuery,
    ...(forPsp ? [asPsp] : []),
    ...(o.method !== 'GET' && o.conditional ? conditions : []),
    ...(forPsp && o.ofPsp !== true && o.id !== 'registerClient' ? [forClient] : []),
  ];
}

/** Gives parameters used by at least two operations a name. @returns `components.parameters` */
export function shareParameters(operations: readonly { parameters?: Json[] }[]): Record<string, Json> {
  const uses = new Map<string, number>();
  const all = operations.flatMap((o) => o.parameters ?? []);
  for (const p of all) uses.set(JSON.stringify(p), (uses.get(JSON.stringify(p)) ?? 0) + 1);
  const named = new Map<string, string>();
  for (const [text, count] of uses) {
    const name = pascal((JSON.parse(text) as Parameter).name);
    if (count >= 2 && !named.has(name)) named.set(name, text);
  }
  const nameOf = new Map([...named].map(([name, text]) => [text, name]));
  for (const o of operations)
    if (o.parameters !== undefined)
      o.parameters = o.parameters.map((p) => {
        const name = nameOf.get(JSON.stringify(p));
        return name === undefined ? p : { $ref: `#/components/parameters/${name}` };
      });
  return Object.fromEntries([...named].sort().map(([name, text]) => [name, JSON.parse(text) as Json]));
}

export const pascal = (name: string): string =>
  name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
