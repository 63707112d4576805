// Writes the operations' schemas into the OpenAPI document: each named schema once under its name, with references
// elsewhere. A field without a description of its own gets the general one for its name.
import { isDeepStrictEqual } from 'node:util';
import { fieldMeanings } from './field-meanings.ts';

export type Json = Record<string, unknown>;

/** Schemas used in several places, each time with limits or a description of its own. */
const bases: Readonly<Record<string, Json>> = {
  Amount: {
    type: 'number',
    description:
      'An exact amount of money in units of its currency, for example 107.5; never in cents. Read it as a decimal, not as a binary float: crypto assets have up to 18 decimals.',
  },
};

const isObject = (v: unknown): v is Json => typeof v === 'object' && v !== null && !Array.isArray(v);
const without = (node: Json, ...omitted: string[]): Json =>
  Object.fromEntries(Object.entries(node).filter(([key]) => !omitted.includes(key)));

/**
 * What is shown, with its description and, if its text has a form, the words of that.
 * @param meaning description of what has none of its own
 */
export function described(shown: Json, meaning?: string): Json {
  const { 'x-says': says, ...rest } = shown;
  const parts = [rest.description ?? meaning, says && `Must be ${says}.`].filter((part) => part !== undefined);
  return parts.length === 0 ? rest : { ...rest, description: parts.join(' ') };
}

export class NamedSchemas {
  readonly #schemas = new Map<string, Json>();
  readonly #place: string;

  /** @param place path of the document's named schemas */
  constructor(place = '#/components/schemas/') {
    this.#place = place;
  }

  /**
   * The schema as the document shows it.
   * @param name for a schema that has no name of its own
   * @throws if two different schemas have the same name
   */
  show(schema: object, name?: string): Json {
    // Drops the library's hidden members.
    const plain = JSON.parse(JSON.stringify(schema)) as Json;
    return this.#show(name === undefined || '$id' in plain ? plain : { ...plain, $id: name });
  }

  /**
   * All named schemas, by name.
   * @param examples examples by schema name
   */
  all(examples: Readonly<Record<string, unknown>>): Record<string, Json> {
    return Object.fromEntries(
      [...this.#schemas]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, schema]) => [name, name in examples ? { ...schema, examples: [examples[name]] } : schema]),
    );
  }

  #show(node: Json): Json {
    if (typeof node.$id !== 'string') return this.#shape(node);
    const { $id: name, 'x-about': about, ...own } = node;
    const base = bases[name as string];
    const here = about === undefined ? {} : { description: about };
    const limits = base ? Object.fromEntries(Object.entries(own).filter(([key]) => !(key in base))) : {};
    this.#add(name as string, base ?? this.#shape(own, name as string));
    return { $ref: `${this.#place}${name}`, ...here, ...limits };
  }

  #add(name: string, schema: Json): void {
    const known = this.#schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas are named ${name}:\n${JSON.stringify(known)}\n${JSON.stringify(schema)}`);
    this.#schemas.set(name, schema);
  }

  /** @param owner name of the enclosing schema */
  #shape(node: Json, owner?: string): Json {
    if (isObject(node['x-extends'])) return this.#extension(node, node['x-extends'], owner);
    if (Array.isArray(node.anyOf)) return this.#union(node, node.anyOf as Json[]);
    const out: Json = { ...node };
    if (isObject(node.properties)) out.properties = this.#fields(node.properties, owner);
    if (isObject(node.items)) out.items = described(this.#show(node.items));
    if (isObject(node.patternProperties)) {
      out.additionalProperties = this.#show(Object.values(node.patternProperties)[0] as Json);
      delete out.patternProperties;
    } else if (isObject(node.additionalProperties)) out.additionalProperties = this.#show(node.additionalProperties);
    if (Array.isArray(node.enum) && node.type === undefined) return { type: typeof node.enum[0], ...out };
    return out;
  }

  /** The members a schema adds to the one it extends, with a reference to that one. */
  #extension(node: Json, base: Json, owner: string | undefined): Json {
    const inherited = base.properties as Json;
    const own = Object.entries(node.properties as Json).filter(([n, p]) => !isDeepStrictEqual(p, inherited[n]));
    const properties = Object.fromEntries(own);
    const required = (node.required as string[]).filter((name) => name in properties);
    return this.#shape(
      {
        ...without(node, 'x-extends', 'required'),
        allOf: [this.#show(base)],
        ...(required.length > 0 ? { required } : {}),
        properties,
      },
      owner,
    );
  }

  /** A schema or null is written as one schema of two types where possible. */
  #union(node: Json, members: readonly Json[]): Json {
    const [only, ...more] = members.filter((m) => m.type !== 'null');
    const rest = without(node, 'anyOf');
    const nullable = more.length === 0 && members.length === 2;
    const shown = only && this.#show(only);
    if (!nullable || !shown || typeof shown.type !== 'string' || 'const' in shown)
      return this.#describedAs({ anyOf: members.map((m) => this.#show(m)), ...rest }, nullable ? only : undefined);
    const values = Array.isArray(shown.enum) ? { enum: [...shown.enum, null] } : {};
    return { ...shown, type: [shown.type, 'null'], ...values, ...rest };
  }

  /** Moves the description of a schema that may be null to the place that uses it. */
  #describedAs(union: Json, only: Json | undefined): Json {
    const about = only?.['x-about'];
    if (about === undefined) return union;
    const anyOf = (union.anyOf as Json[]).map((m) => without(m, 'description'));
    return { description: about, ...union, anyOf };
  }

  #fields(properties: Json, owner: string | undefined): Json {
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const shown = this.#show(property as Json);
        return [name, described(shown, fieldMeanings[`${owner}.${name}`] ?? fieldMeanings[name])];
      }),
    );
  }
}
