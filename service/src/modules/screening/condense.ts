// Condenses a published XML file to its entries, one a line, as it is read: one of 120 MB is sent as a few, and is never held whole.
import { createHash } from 'node:crypto';
import type { CountryReader } from '../../core/screening/list-file.ts';
import type { CondensedHead } from './condensed-list.ts';
import { readListXml } from './read-list.ts';

/** @param bytes of an XML file in UTF-8, in their order @throws FileFault */
export async function condensed(bytes: AsyncIterable<Uint8Array>, country: CountryReader): Promise<string> {
  const hash = createHash('sha256');
  async function* texts(): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const part of bytes) {
      hash.update(part);
      yield decoder.decode(part, { stream: true });
    }
    yield decoder.decode();
  }
  const { form, list, published, entries } = await readListXml(texts(), country);
  const head: CondensedHead = {
    ...{ condensed: 1, form, list: list ?? form, published: published ?? null },
    sha256: hash.digest('hex'),
  };
  return [head, ...entries.values()].map((line) => JSON.stringify(line)).join('\n');
}
