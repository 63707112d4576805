// Names of files in the drop: which are allowed, and which mean a finished file.

/** What a client sees of its drop. */
export type DropFolder = 'incoming' | 'status';

/** Bytes; the status file and the archive append their own suffixes. */
const longestName = 200;

/** One path segment, printable, not hidden: usable as a file name on any machine. */
export const isDropName = (name: string): boolean =>
  Buffer.byteLength(name) <= longestName &&
  /^[^.\s].*\S$/u.test(name) &&
  // Rejects U+FFFD (bytes that are not UTF-8) and Unicode category C, except the joiners used in spelling words.
  !/[/\\\ufffd]|(?![\u200c\u200d])\p{C}/u.test(name);

export const isFinished = (name: string): boolean => /.\.csv$/i.test(name);

/** Uploads in progress, as named by clients that rename at the end. */
export const isPartial = (name: string): boolean => /.\.(part|tmp|filepart)$/i.test(name);

export const isStatus = (name: string): boolean => /.\.json$/i.test(name);
