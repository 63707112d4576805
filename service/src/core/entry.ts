// The schema of a journal entry's body, and the error for an unknown one: nothing is guessed.

/** Thrown for an entry whose schema the reader does not know: another version of the service wrote it. */
export class UnknownEntry extends Error {}

interface Named {
  readonly schema?: unknown;
  readonly type?: unknown;
}

/** The schema of an entry. Entries that name none are from version 0.1 and equal version 1 of their kind. */
const schemaOf = ({ schema, type }: Named): string => String(schema ?? `${type}/1`);

/** @throws UnknownEntry */
export function expectKnown(entry: Named, known: readonly string[]): void {
  const schema = schemaOf(entry);
  if (known.includes(schema)) return;
  throw new UnknownEntry(
    `the entry is of the schema '${schema.slice(0, 80)}', which this version of the service does not know; it reads ${known.join(', ')}`,
  );
}

const exactly = (_: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' ? JSON.rawJSON((context as { source: string }).source) : value;

/** Parses JSON so that numbers are written again digit by digit. */
export const parseExactly = (text: string): unknown => JSON.parse(text, exactly);
