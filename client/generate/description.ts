// The OpenAPI description as far as the generator reads it.

export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly required?: readonly string[];
}

export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly 'x-idempotent'?: boolean;
  parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Content };
  responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

export const operationsOf = (d: Described): DescribedOperation[] => Object.values(d.paths).flatMap(Object.values);

/** What a successful reply consists of. */
export const reply = (o: DescribedOperation): Content => o.responses[200]?.content ?? {};

/** Calls `visit` with every schema below one, and the name it has there: `items`, `amounts.*` for any member. */
export function walk(schema: Schema | undefined, name: string, visit: (schema: Schema, name: string) => void): void {
  if (schema === undefined) return;
  visit(schema, name);
  for (const [key, s] of Object.entries(schema.properties ?? {})) walk(s, key, visit);
  for (const s of Object.values(schema.patternProperties ?? {})) walk(s, `${name}.*`, visit);
  for (const s of schema.anyOf ?? []) walk(s, name, visit);
  walk(schema.items, `${name}[]`, visit);
}

/** Names of all schemas of a type below one. */
export function namesOf(type: string, schema: Schema | undefined): string[] {
  const names = new Set<string>();
  walk(schema, '', (s, name) => {
    if ([s.type].flat().includes(type)) names.add(name);
  });
  return [...names].sort();
}
