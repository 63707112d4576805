// Which schema the body of a journal entry is of, and what to do about one that is not known: nothing is guessed.

/** Thrown for an entry of a schema that whoever reads it does not know: another version of the service wrote it. */
export class UnknownEntry extends Error {}

interface Named {
  readonly schema?: unknown;
  readonly type?: unknown;
}

/** The schema of an entry. One that names none is of version 0.1, whose entries are as version 1 of their kind says. */
export const schemaOf = ({ schema, type }: Named): string => String(schema ?? `${type}/1`);

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

/** JSON whose numbers leave as they stand, digit by digit. */
export const parseExactly = (text: string): unknown => JSON.parse(text, exactly);
