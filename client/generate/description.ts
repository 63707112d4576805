// The OpenAPI description as far as the generator reads it.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly required?: readonly string[];
}

export type Schemas = Readonly<Record<string, Schema>>;

export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface Parameter {
  readonly name: string;
  readonly in: string;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly 'x-idempotent'?: boolean;
  parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Schemas };
}

interface Shared {
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

export const operationsOf = (d: Described): DescribedOperation[] => Object.values(d.paths).flatMap(Object.values);

/** The description with the parameters that operations share written out in each of them. */
export function withOwnParameters(description: object): Described {
  const described = structuredClone(description) as Described & Shared;
  for (const o of operationsOf(described))
    o.parameters = (o.parameters ?? []).map((p) => {
      const { $ref } = p as { $ref?: string };
      return $ref === undefined ? p : (described.components.parameters[nameOf($ref)] as Parameter);
    });
  return described;
}

/** What a successful reply consists of. */
export const reply = (o: DescribedOperation): Content => o.responses[200]?.content ?? {};

/** The name of a schema or parameter that a reference names. */
export const nameOf = (ref: string): string => ref.split('/').at(-1) as string;

/**
 * Calls `visit` with every schema below one, named ones included, and the name it has there: `items`, `amounts.*` for any
 * member. A schema that contains itself is visited once on each way to it.
 */
export function walk(
  schemas: Schemas,
  schema: Schema | undefined,
  name: string,
  visit: (schema: Schema, name: string) => void,
  above: readonly string[] = [],
): void {
  if (schema === undefined) return;
  if (schema.$ref !== undefined) {
    const to = nameOf(schema.$ref);
    if (!above.includes(to)) walk(schemas, schemas[to], name, visit, [...above, to]);
    return;
  }
  const below = (s: Schema | undefined, called: string) => walk(schemas, s, called, visit, above);
  visit(schema, name);
  for (const [key, s] of Object.entries(schema.properties ?? {})) below(s, key);
  if (typeof schema.additionalProperties === 'object') below(schema.additionalProperties, `${name}.*`);
  for (const s of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) below(s, name);
  below(schema.items, `${name}[]`);
}

/** Names of all schemas of a type below one. */
export function namesOf(type: string, schemas: Schemas, schema: Schema | undefined): string[] {
  const names = new Set<string>();
  walk(schemas, schema, '', (s, name) => {
    if ([s.type].flat().includes(type)) names.add(name);
  });
  return [...names].sort();
}
