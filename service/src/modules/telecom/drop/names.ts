// Names of files in the drop: which are allowed, and which mean a finished file.

/** What a client sees of its drop. */
export type DropFolder = 'incoming' | 'status';

/** Bytes. The name of a status file is that of its file with a suffix, such as `.2.json`. */
const longestName: Readonly<Record<DropFolder, number>> = { incoming: 200, status: 220 };

/** One path segment, printable, not hidden: usable as a file name on any machine. */
export const isDropName = (name: string, folder: DropFolder = 'incoming'): boolean =>
  Buffer.byteLength(name) <= longestName[folder] &&
  /^[^.\s].*\S$/u.test(name) &&
  // Rejects U+FFFD (bytes that are not UTF-8) and Unicode category C, except the joiners used in spelling words.
  !/[/\\\ufffd]|(?![\u200c\u200d])\p{C}/u.test(name);

export const isFinished = (name: string): boolean => /.\.csv$/i.test(name);

/** Uploads in progress, as named by clients that rename at the end. */
export const isPartial = (name: string): boolean => /.\.(part|tmp|filepart)$/i.test(name);

export const isStatus = (name: string): boolean => /.\.json$/i.test(name);
