// Compares a reply with the shape documented in openapi.json: every documented field has its type, and there are no
// others.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compile } from 'typebox/schema';

type Schema = Record<string, unknown>;

/** A reply of an operation; of a failure, by reference where several operations share it. */
export interface DescribedReply {
  readonly $ref?: string;
  readonly headers?: { readonly 'x-error-code'?: { readonly schema: { readonly enum: readonly string[] } } };
  readonly content: Record<string, { readonly schema: Schema }>;
}

export interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: Record<string, unknown> }> };
  readonly responses: Record<string, DescribedReply>;
}

const file = join(import.meta.dirname, '../../../openapi.json');
export const { paths, webhooks, components } = JSON.parse(readFileSync(file, 'utf8')) as {
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: Schema }> } } }>;
  components: {
    readonly schemas: Record<string, Schema>;
    readonly responses: Readonly<Record<string, DescribedReply>>;
  };
};
const described = new Map(
  Object.values(paths).flatMap((p) => Object.values(p).map((o) => [o.operationId, o] as const)),
);

export const documentedIds = (): string[] => [...described.keys()];

/** The example of an operation's body, as the documentation shows it. */
export function exampleOf(id: string): Record<string, unknown> {
  const example = described.get(id)?.requestBody?.content['application/json']?.example;
  if (example === undefined) throw new Error(`${id} has no example`);
  return example;
}

/** What differs between a content and its documentation, each a sentence; a document in another form has to have any. */
export function differences(id: string, content: unknown): string[] {
  const [type, { schema }] = Object.entries(described.get(id)?.responses[200]?.content ?? {})[0] as [
    string,
    { schema: Schema },
  ];
  const isDocument = content instanceof Uint8Array || typeof content === 'string';
  if (type !== 'application/json') return isDocument && content.length > 0 ? [] : [`${type} is empty`];
  // A document without the envelope is described by its whole schema.
  return misfits(inEnvelope(schema) ?? schema, content);
}

/** The operations that take `expand`, each with all parts that it documents. */
export const expandable = (): (readonly [id: string, parts: string])[] =>
  [...described.values()].flatMap(
    (o) =>
      (o.parameters ?? [])
        .filter((p) => p.name === 'expand')
        .map((p) => {
          const list = /separated by commas: ([a-z, ]+)\./.exec(p.description ?? '')?.[1]?.replaceAll(' ', '');
          return [o.operationId, list ?? (/`([a-z]+)` adds/.exec(p.description ?? '') as RegExpExecArray)[1]] as const;
        }) as (readonly [string, string])[],
  );

/** The name of the schema of an operation's content; undefined where it has none. */
export function contentName(id: string): string | undefined {
  const { schema } = Object.values(described.get(id)?.responses[200]?.content ?? {})[0] as { schema: Schema };
  const content = inEnvelope(schema) ?? schema;
  // The first of several replies.
  return nameOf((content.anyOf as Schema[] | undefined)?.[0] ?? content);
}

const nameOf = ({ $ref }: Schema): string | undefined => ($ref as string | undefined)?.split('/').at(-1);

/** The content that the documentation shows for an operation: a list has one entry. */
export function exampleReply(id: string): unknown {
  const name = contentName(id);
  return name === undefined ? 'text' : exampleOfSchema(name);
}

function exampleOfSchema(name: string): unknown {
  const {
    examples,
    properties,
    allOf = [],
  } = components.schemas[name] as {
    examples?: unknown[];
    properties: Record<string, { items?: Schema }>;
    allOf?: Schema[];
  };
  if (examples !== undefined) return examples[0];
  // A record with the parts of `expand` is, without them, the record.
  const base = nameOf(allOf[0] ?? {});
  if (base !== undefined) return exampleOfSchema(base);
  const items = nameOf(properties.items?.items ?? {});
  if (items === undefined) throw new Error(`${name} has no example`);
  const [, cursor] = Object.keys(properties);
  return { items: [exampleOfSchema(items)], ...(cursor === undefined ? {} : { [cursor]: null }) };
}

/** The name of the entries of a list that consists of nothing else. */
export function listedName(id: string): string | undefined {
  const name = contentName(id) ?? '';
  const { properties = {} } = (components.schemas[name] as { properties?: Record<string, Schema> } | undefined) ?? {};
  const others = Object.keys(properties).filter((p) => !['items', 'nextCursor', 'nextAfter'].includes(p));
  return others.length > 0 ? undefined : nameOf((properties.items?.items ?? {}) as Schema);
}

/** What differs between an event and the documentation of its type, each a sentence. */
export function eventDifferences(event: { type: string }): string[] {
  const schema = webhooks[event.type]?.post.requestBody.content['application/json']?.schema;
  if (schema === undefined) return [`${event.type} is not documented`];
  return misfits(schema, event);
}

/** The schema of the content of a reply that has the envelope. */
function inEnvelope(schema: Schema): Schema | undefined {
  const [, own] = (schema.allOf ?? []) as { properties: { content: Schema } }[];
  return own?.properties.content;
}

/** A schema that has all of another one, with what that has written out. */
export function written({ allOf, ...own }: Schema, named: Readonly<Record<string, Schema>>): Schema {
  const [base] = (allOf ?? []) as Schema[];
  const name = base && own.properties !== undefined ? nameOf(base) : undefined;
  if (name === undefined) return allOf === undefined ? own : { ...own, allOf };
  const inherited = written(named[name] as Schema, named);
  return {
    ...own,
    properties: { ...(inherited.properties as Schema), ...(own.properties as Schema) },
    required: [inherited.required, own.required].flatMap((r) => (r as string[] | undefined) ?? []),
  };
}

let closedComponents: unknown;

const validators = new Map<Schema, ReturnType<typeof Compile>>();

/** Compiled once for each schema of the document; all of them refer to the same components. */
function validatorOf(schema: Schema): ReturnType<typeof Compile> {
  closedComponents ??= closed(components);
  const made =
    validators.get(schema) ?? Compile({ components: closedComponents, ...(closed(schema) as Schema) } as Schema);
  validators.set(schema, made);
  return made;
}

/** What of a value its schema does not say, each a sentence. To say so takes long; whether there is anything does not. */
function misfits(schema: Schema, value: unknown): string[] {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return [];
  return validator.Errors(value)[1].map((e) => `${e.instancePath || '/'} ${e.message} ${JSON.stringify(e.params)}`);
}

/** The schema with no room for fields it does not name. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const schema = written(part as Schema, components.schemas);
  const inside = Object.fromEntries(Object.entries(schema).map(([k, v]) => [k, closed(v)]));
  const named = 'properties' in inside && !('patternProperties' in inside) && !('additionalProperties' in inside);
  return named ? { ...inside, additionalProperties: false } : inside;
}
