// The named schemas as Python: TypedDicts, with exact decimals as Decimal in what is read, and as Decimal, int or text in
// what is sent only. Anonymous objects get the name of where they are.
import { type Described, nameOf, operationsOf, reply, type Schema, type Schemas } from './description.ts';

interface Told extends Schema {
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** Whether a name can be an attribute or a parameter of Python. */
export const isIdentifier = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);

/** Text as a literal of Python; what JSON escapes Python reads alike. */
export const literal = (value: unknown): string =>
  value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

/** A text between three quotation marks. */
export const docstring = (text: string, indent: string): string => {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  return `${indent}"""${safe}${safe.endsWith('"') ? ' ' : ''}"""\n`;
};

const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ');

export class PythonTypes {
  readonly #schemas: Schemas;
  /** Named schemas that are sent and never returned. */
  readonly #sent: ReadonlySet<string>;
  readonly #classes = new Map<string, { readonly base: string | undefined; readonly text: string }>();
  readonly #aliases = new Map<string, string>();

  constructor(description: Described) {
    this.#schemas = description.components.schemas;
    const named = (roots: readonly (Schema | undefined)[]) => {
      const names = new Set<string>();
      const add = (s: Schema | undefined) => {
        if (s?.$ref !== undefined && !names.has(nameOf(s.$ref))) {
          names.add(nameOf(s.$ref));
          for (const inner of refsIn(this.#schemas[nameOf(s.$ref)])) add({ $ref: inner });
        }
      };
      for (const root of roots) for (const $ref of refsIn(root)) add({ $ref });
      return names;
    };
    const all = operationsOf(description);
    const read = named(all.flatMap((o) => Object.values(reply(o)).map((c) => c.schema)));
    const sent = named(all.map((o) => o.requestBody?.content['application/json']?.schema));
    this.#sent = new Set([...sent].filter((name) => !read.has(name)));
    for (const [name, schema] of Object.entries(this.#schemas)) this.#declare(name, schema, this.#sent.has(name));
  }

  /** The type of a value. @param at what an anonymous object there is called */
  of(schema: Told, at: string, sent: boolean): string {
    if (schema.$ref !== undefined) {
      const name = nameOf(schema.$ref);
      return this.#schemas[name]?.type === 'number' ? number(sent) : name;
    }
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    if (schema.anyOf !== undefined) {
      const parts = schema.anyOf.map((s, i) => this.of(s, `${at}${i + 1}`, sent));
      return [...new Set(parts)].join(' | ');
    }
    if (schema.allOf !== undefined || hasMembers(schema)) {
      const [only, ...others] = schema.allOf ?? [];
      if (only !== undefined && others.length === 0 && schema.properties === undefined) return this.of(only, at, sent);
      this.#declare(at, schema, sent);
      return at;
    }
    const types = [schema.type ?? []].flat();
    const parts = types.map((type) => this.#plain(type, schema, at, sent));
    return parts.length === 0 ? 'Any' : [...new Set(parts)].join(' | ');
  }

  #plain(type: string, schema: Schema, at: string, sent: boolean): string {
    if (type === 'array') return `list[${schema.items ? this.of(schema.items, `${at}Item`, sent) : 'Any'}]`;
    if (type === 'object') {
      const { additionalProperties: more } = schema;
      return `dict[str, ${typeof more === 'object' ? this.of(more, `${at}Value`, sent) : 'Any'}]`;
    }
    if (type === 'number') return number(sent);
    const plain: Readonly<Record<string, string>> = { string: 'str', integer: 'int', boolean: 'bool', null: 'None' };
    return plain[type] ?? 'Any';
  }

  #declare(name: string, schema: Told, sent: boolean): void {
    if (this.#classes.has(name) || this.#aliases.has(name) || schema.type === 'number') return;
    const own = hasMembers(schema) ? schema.properties : undefined;
    const bases = (schema.allOf ?? []).filter((s) => s.$ref !== undefined);
    if (own === undefined && bases.length === 0) {
      this.#aliases.set(name, '');
      this.#aliases.set(name, this.of(schema, `${name}Part`, sent));
      return;
    }
    const base = bases[0]?.$ref === undefined ? undefined : nameOf(bases[0].$ref);
    this.#classes.set(name, { base, text: '' });
    const inline = (schema.allOf ?? []).filter((s) => s.$ref === undefined);
    const parts: Told[] = [schema, ...inline];
    const required = new Set(parts.flatMap((s) => s.required ?? []));
    const fields = parts.flatMap((s) => Object.entries(s.properties ?? {}));
    const members = fields.map(([field, s]) => {
      const type = this.of(s, `${name}${capital(field)}`, sent);
      return { field, type: required.has(field) ? type : `NotRequired[${type}]`, says: (s as Told).description };
    });
    this.#classes.set(name, { base, text: classText(name, base, members, schema.description) });
  }

  /** Every declaration, those first that others are based on. */
  text(): string {
    const written = new Set<string>();
    const lines: string[] = [];
    const write = (name: string): void => {
      const known = this.#classes.get(name);
      if (known === undefined || written.has(name)) return;
      written.add(name);
      if (known.base !== undefined) write(known.base);
      lines.push(known.text);
    };
    for (const name of [...this.#classes.keys()].sort()) write(name);
    const aliases = new Set<string>();
    const alias = (name: string): void => {
      if (aliases.has(name)) return;
      aliases.add(name);
      const type = this.#aliases.get(name) as string;
      for (const other of this.#aliases.keys()) if (new RegExp(`\\b${other}\\b`).test(type)) alias(other);
      lines.push(`${name} = ${type}\n`);
    };
    for (const name of [...this.#aliases.keys()].sort()) alias(name);
    return lines.join('\n\n');
  }
}

/** An object that names no member is a dictionary. */
const hasMembers = ({ properties, additionalProperties }: Schema): boolean =>
  properties !== undefined && (Object.keys(properties).length > 0 || additionalProperties === false);

const number = (sent: boolean): string => (sent ? 'Number' : 'Decimal');

const capital = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('');

function refsIn(schema: Schema | undefined): string[] {
  const refs: string[] = [];
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [key, inner] of Object.entries(value))
      if (key === '$ref' && typeof inner === 'string') refs.push(inner);
      else if (key !== 'examples' && key !== 'example') visit(inner);
  };
  visit(schema);
  return refs;
}

interface Member {
  readonly field: string;
  readonly type: string;
  readonly says: string | undefined;
}

function classText(name: string, base: string | undefined, members: readonly Member[], says = ''): string {
  const about = says === '' ? '' : docstring(oneLine(says), '    ');
  if (members.some((m) => !isIdentifier(m.field))) {
    // A name that is no identifier of Python: the same in the form of a call.
    const rows = members.map((m) => `    ${literal(m.field)}: ${literal(m.type)},\n`).join('');
    return `${name} = TypedDict("${name}", {\n${rows}})\n`;
  }
  const rows = members.map((m) => `${m.says ? `    # ${oneLine(m.says)}\n` : ''}    ${m.field}: ${m.type}\n`);
  const body = `${about}${rows.join('')}`;
  return `class ${name}(${base ?? 'TypedDict'}):\n${body === '' ? '    pass\n' : body}`;
}

/** All properties of what is sent, whatever of several forms it has, and those that every form needs. */
export function fieldsOf(
  schemas: Schemas,
  schema: Schema | undefined,
): Map<string, { schema: Schema; needed: boolean }> {
  const fields = new Map<string, { schema: Schema; needed: boolean }>();
  const add = (s: Schema | undefined, optional: boolean): void => {
    if (s === undefined) return;
    if (s.$ref !== undefined) {
      add(schemas[nameOf(s.$ref)], optional);
      return;
    }
    for (const part of s.allOf ?? []) add(part, optional);
    for (const [name, property] of Object.entries(s.properties ?? {}))
      if (!fields.has(name))
        fields.set(name, { schema: property, needed: !optional && (s.required ?? []).includes(name) });
    const forms = (s.anyOf ?? []).map((form) => fieldsOf(schemas, form));
    for (const form of forms)
      for (const [name, field] of form)
        if (!fields.has(name))
          fields.set(name, { ...field, needed: !optional && forms.every((f) => f.get(name)?.needed === true) });
  };
  add(schema, false);
  return fields;
}
