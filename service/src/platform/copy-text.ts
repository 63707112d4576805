// Reads rows as COPY writes them in its text format. Does not know any table.

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Values of one line, without its line end; null for SQL's null. */
export const valuesOf = (line: string): (string | null)[] =>
  line
    .split('\t')
    .map((v) =>
      v === '\\N' ? null : v.includes('\\') ? v.replaceAll(/\\(.)/g, (_, c: string) => escapes[c] ?? c) : v,
    );

/** Splits bytes that arrive in chunks into lines; a line end within a value is escaped. */
export class CopyLines {
  #rest = Buffer.alloc(0);

  /** @returns the lines that are complete, without their ends */
  take(chunk: Buffer): string[] {
    const all = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = all.lastIndexOf(10);
    this.#rest = Buffer.from(all.subarray(end + 1));
    return end < 0 ? [] : all.toString('utf8', 0, end).split('\n');
  }
}
