// The OpenAPI description as the pages of documentation read it.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
}

type Contents = Readonly<Record<string, { readonly schema?: Schema; readonly example?: object }>>;

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

export interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Contents;
}

export interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly 'x-scope'?: string;
  readonly 'x-idempotent'?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Description {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly webhooks: Readonly<Record<string, unknown>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

export interface OperationRow {
  readonly path: string;
  /** In capitals. */
  readonly method: string;
  readonly o: Described;
}

export const operationRows = (d: Description): OperationRow[] =>
  Object.entries(d.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, o]) => ({ path, method: method.toUpperCase(), o })),
  );

export const nameIn = (s: Schema | undefined): string | undefined => s?.$ref?.split('/').at(-1);

/** The schema of the `content` of a successful reply; undefined if the reply is no JSON. */
export function contentSchema(o: Described): Schema | undefined {
  const [, own] = o.responses[200]?.content?.['application/json']?.schema?.allOf ?? [];
  return own?.properties?.content;
}

/** An example of the `content` of the reply; undefined if none is described. */
export function replyOf(o: Described, schemas: Description['components']['schemas']): unknown {
  let name = nameIn(contentSchema(o));
  // A record with the parts of `expand` is, without them, the record.
  while (name !== undefined && schemas[name]?.examples === undefined) name = nameIn(schemas[name]?.allOf?.[0]);
  return name === undefined ? undefined : schemas[name]?.examples?.[0];
}

/** The parameters of an operation, those that several share included. */
export const parametersOf = (d: Description, o: Described): Parameter[] =>
  (o.parameters ?? []).map((p) => (p.$ref ? (d.components.parameters[p.$ref.split('/').at(-1) as string] ?? p) : p));
