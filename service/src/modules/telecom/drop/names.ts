// Names of files in the drop: which may be, and which of them are finished.

/** What a client sees of its drop. */
export type DropFolder = 'incoming' | 'status';

/** Bytes; the status file and the archive add endings of their own. */
const longestName = 200;

/** One segment, printable, not hidden: it may stand in any folder of any machine. */
export const isDropName = (name: string): boolean =>
  Buffer.byteLength(name) <= longestName &&
  /^[^.\s].*\S$/u.test(name) &&
  // Also what stands for bytes that are not UTF-8. Of what has no picture, the joiners that words are spelt with may stay.
  !/[/\\\ufffd]|(?![\u200c\u200d])\p{C}/u.test(name);

export const isFinished = (name: string): boolean => /.\.csv$/i.test(name);

/** Uploads under way, as clients that rename at the end call them. */
export const isPartial = (name: string): boolean => /.\.(part|tmp|filepart)$/i.test(name);

export const isStatus = (name: string): boolean => /.\.json$/i.test(name);
