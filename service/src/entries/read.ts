// Reads the bodies of journal entries: a reader names the schemas it knows, and gets their types. What it does not know it
// does not read: it throws, and the reader of the journal sets the entry aside.

import { expectKnown, parseExactly } from '../core/entry.ts';
import type { EventKind } from '../core/events.ts';
import { type Content, type EntrySchema, entrySchemas } from './index.ts';

/** What all entries have, whatever their schema. */
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
  /** Personal data of others. */
  readonly alsoSealed?: readonly { readonly sealed: string; readonly subject: string }[];
  /** SHA-256 of the rows that were written with it. */
  readonly rows?: Readonly<Record<string, string>>;
}

type KindOf<S extends EntrySchema> = S extends `${infer K extends EventKind}/${number}` ? K : never;
/** An entry of one of these schemas, which its type tells apart. */
export type EntryOf<S extends EntrySchema> = S extends EntrySchema
  ? Envelope & { readonly type: KindOf<S> } & Content<S>
  : never;

/** The same with other numbers: as whoever parses the text makes them. */
type WithNumbers<T, N> = T extends number
  ? N
  : T extends object
    ? { readonly [K in keyof T]: WithNumbers<T[K], N> }
    : T;

/** Parses JSON; `N` is what becomes of numbers. */
export type Parse<N> = ((text: string) => unknown) & { readonly numbers?: N };

/**
 * @param known schemas that the caller can read
 * @throws UnknownEntry for any other; SyntaxError where the body is no JSON
 */
export function readEntry<S extends EntrySchema>(body: string, known: readonly S[]): EntryOf<S>;
/** @param parse where doubles are not good enough */
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

/** What all entries have, of an entry of whatever schema. */
export const readEnvelope = (body: string): Envelope => JSON.parse(body) as Envelope;

/** An entry of any kind, to be shown: its numbers leave as they stand. */
export interface ShownEntry extends Envelope {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly evidence?: Readonly<Record<string, unknown>>;
}

export const readToShow = (body: string): ShownEntry => parseExactly(body) as ShownEntry;

const all = new Set<string>(Object.keys(entrySchemas));

/** The schema of a body where this version of the service does not know it. A body begins with the name of its schema. */
export function unknownSchema(body: string): string | undefined {
  const schema = /^\{"schema":"([^"]*)"/.exec(body)?.[1];
  return schema === undefined || all.has(schema) ? undefined : schema.slice(0, 80);
}

/**
 * SQL that is true of bodies of schemas that are not among these. A body begins with its schema, and one of version 0.1
 * with its id.
 */
export const unknownSql = (body: string, known: readonly EntrySchema[]): string =>
  `NOT (${['{"id":"', ...known.map((s) => `{"schema":"${s}",`)].map((start) => `starts_with(${body}, '${start}')`).join(' OR ')})`;
