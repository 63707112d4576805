// Reads the bodies of journal entries: a reader names the schemas it knows and gets their types. For an unknown schema
// it throws, and the journal reader sets the entry aside.

import { expectKnown, parseExactly } from '../core/entry.ts';
import type { EventKind } from '../core/events.ts';
import { type Content, type EntrySchema, entrySchemas } from './index.ts';

/** Members common to all entries, whatever their schema. */
export interface Envelope {
  readonly schema?: string;
  readonly id: string;
  readonly type: EventKind;
  /** When it was decided, ISO 8601 UTC. */
  readonly timestamp: string;
  readonly actor: { readonly account: string; readonly by: string };
  readonly clientId: string;
  /** Counts the changes of the resource. */
  readonly version: number;
  readonly sealed?: string;
  readonly subject?: string;
  /** Sealed personal data of further persons. */
  readonly alsoSealed?: readonly { readonly sealed: string; readonly subject: string }[];
  /** SHA-256 of the rows written with it. */
  readonly rows?: Readonly<Record<string, string>>;
}

type KindOf<S extends EntrySchema> = S extends `${infer K extends EventKind}/${number}` ? K : never;
/** An entry of one of these schemas, discriminated by its type. */
export type EntryOf<S extends EntrySchema> = S extends EntrySchema
  ? Envelope & { readonly type: KindOf<S> } & Content<S>
  : never;

/** The same type with another number type, for callers that parse numbers differently. */
type WithNumbers<T, N> = T extends number
  ? N
  : T extends object
    ? { readonly [K in keyof T]: WithNumbers<T[K], N> }
    : T;

/** Parses JSON; `N` is the type that numbers become. */
export type Parse<N> = ((text: string) => unknown) & { readonly numbers?: N };

/**
 * @param known schemas that the caller can read
 * @throws UnknownEntry for any other; SyntaxError if the body is not JSON
 */
export function readEntry<S extends EntrySchema>(body: string, known: readonly S[]): EntryOf<S>;
/** @param parse for callers that need more than doubles */
export function readEntry<S extends EntrySchema, N>(
  body: string,
  known: readonly S[],
  parse: Parse<N>,
): WithNumbers<EntryOf<S>, N>;
export function readEntry(body: string, known: readonly EntrySchema[], parse: Parse<unknown> = JSON.parse): unknown {
  const entry = parse(body) as Envelope;
  expectKnown(entry, known);
  return entry;
}

const evidence = ',"evidence":';
const sealed = '},"sealed":';

/**
 * An entry without its evidence and the hashes of its rows, which are more than half of what there is to parse, for readers
 * of many entries. Quotes within texts are escaped, so that what is cut there is found only where the text is in balance,
 * and a cut anywhere else is no JSON: then all of it is parsed.
 * @param known schemas that the caller can read
 * @throws UnknownEntry for any other; SyntaxError if the body is not JSON
 */
export function readData<S extends EntrySchema>(
  body: string,
  known: readonly S[],
): Omit<EntryOf<S>, 'evidence' | 'rows'>;
export function readData(body: string, known: readonly EntrySchema[]): unknown {
  const from = body.indexOf(evidence);
  if (from < 0) return readEntry(body, known);
  const rest = body.indexOf(sealed, from);
  try {
    const entry = JSON.parse(`${body.slice(0, from)}}`) as Envelope;
    const further = rest < 0 ? undefined : (JSON.parse(`{${body.slice(rest + 2)}`) as Envelope);
    expectKnown(entry, known);
    return further === undefined ? entry : { ...entry, sealed: further.sealed, subject: further.subject };
  } catch (e) {
    if (e instanceof SyntaxError) return readEntry(body, known);
    throw e;
  }
}

/** The common members of an entry of any schema. */
export const readEnvelope = (body: string): Envelope => JSON.parse(body) as Envelope;

/** An entry of any kind, for output: its numbers keep their text. */
export interface ShownEntry extends Envelope {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly evidence?: Readonly<Record<string, unknown>>;
}

export const readToShow = (body: string): ShownEntry => parseExactly(body) as ShownEntry;

const all = new Set<string>(Object.keys(entrySchemas));

/** The schema of a body if this version does not know it. A body begins with the name of its schema. */
export function unknownSchema(body: string): string | undefined {
  const schema = /^\{"schema":"([^"]*)"/.exec(body)?.[1];
  return schema === undefined || all.has(schema) ? undefined : schema.slice(0, 80);
}
