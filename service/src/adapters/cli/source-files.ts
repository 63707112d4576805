// Published files that a command loads: a file, all files of a folder, or an https address. Decodes their bytes.
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { FetchFault, fetchPublished } from '../../platform/published-file.ts';
import { type CommandEnvironment, UsageError } from './surroundings.ts';

export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

const isAddress = (source: string): boolean => /^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(source);

/**
 * Text in the encoding that its byte order mark or its XML says, else in UTF-8, or in Latin 1 where it is not UTF-8. The mark stays, so
 * that the text of a file in UTF-8 has the hash of the file.
 * @throws UsageError
 */
export function decoded(name: string, bytes: Uint8Array): string {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) throw new UsageError(`${name} is a ZIP archive; unpack it first`);
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const marked = start.startsWith('ÿþ') ? 'utf-16le' : start.startsWith('þÿ') ? 'utf-16be' : undefined;
  const declared = marked ?? /^<\?xml [^>]{0,80}encoding=["']([A-Za-z0-9_.-]{1,30})["']/.exec(start)?.[1];
  try {
    return new TextDecoder(declared ?? 'utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    if (declared !== undefined) throw new UsageError(`${name} is not in ${declared}, as it says`);
    return new TextDecoder('latin1').decode(bytes);
  }
}

/** How a file that is too large to be read whole becomes one that is not. */
export type Condense = (bytes: AsyncIterable<Uint8Array>) => Promise<string>;

async function fromFile(path: string, maxBytes: number, condense: Condense | undefined): Promise<SourceFile> {
  const { size } = statSync(path);
  if (size > maxBytes && condense) return { name: basename(path), text: await condense(createReadStream(path)) };
  if (size > maxBytes) throw new UsageError(`${basename(path)} is larger than ${maxBytes} bytes`);
  return { name: basename(path), text: decoded(basename(path), readFileSync(path)) };
}

/**
 * @param maxBytes of each file
 * @throws UsageError if it cannot be read or fetched
 */
export async function filesAt(
  { cwd }: CommandEnvironment,
  source: string,
  maxBytes: number,
  condense?: Condense,
): Promise<SourceFile[]> {
  if (isAddress(source)) {
    try {
      return [{ name: source, text: decoded(source, await fetchPublished(source, { maxBytes })) }];
    } catch (e) {
      throw e instanceof FetchFault ? new UsageError(e.message) : e;
    }
  }
  const path = resolve(cwd, source);
  try {
    if (!statSync(path).isDirectory()) return [await fromFile(path, maxBytes, condense)];
    const entries = readdirSync(path, { withFileTypes: true }).filter((e) => e.isFile() && !e.name.startsWith('.'));
    const files: SourceFile[] = [];
    for (const name of entries.map((e) => e.name).sort())
      files.push(await fromFile(join(path, name), maxBytes, condense));
    return files;
  } catch (e) {
    throw e instanceof UsageError ? e : new UsageError(`${source} cannot be read: ${(e as Error).message}`);
  }
}
