// The text of a published file that somebody chose, by the same rules as on the command line: in the encoding that its byte
// order mark or its XML says, else in UTF-8, or in Latin 1 where it is not UTF-8. A browser by itself takes every file for
// UTF-8 and loses the letters of others. The mark stays, so that the text of a file in UTF-8 has the hash of the file.
import { say } from '../words/words.ts';

/** @throws Error with a sentence for the person */
export async function publishedText(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const marked = start.startsWith('ÿþ') ? 'utf-16le' : start.startsWith('þÿ') ? 'utf-16be' : undefined;
  const said = marked ?? /^<\?xml [^>]{0,80}encoding=["']([A-Za-z0-9_.-]{1,30})["']/.exec(start)?.[1];
  try {
    return new TextDecoder(said ?? 'utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    if (said !== undefined)
      throw new Error(say('{name} is not in {encoding}, as it says', { name: file.name, encoding: said }));
    return new TextDecoder('latin1').decode(bytes);
  }
}
