// Wire forms of call detail files.
import { accountWire } from '../../../core/ids.ts';
import { fileFields } from '../../../entries/cdrs.ts';
import { fileStates } from '../../../records/cdr-files.ts';
import { Named, Nullable, Type } from '../../kernel/operation.ts';
import type { CdrFile } from './file-store.ts';
import { fileSummary } from './status.ts';

const count = (description: string) => Type.Integer({ description });

export const FileStateName = Type.Enum(fileStates);

export const FileResource = Named(
  'CallDetailFile',
  'A file of call detail records: its state, its counts and how far it has been read.',
  {
    fileId: Type.String(),
    clientId: Type.String(),
    ...fileFields,
    progress: Named('FileProgress', 'Progress through the file.', {
      lines: Nullable(Type.Integer(), 'Number of lines of the file; null until it has been read to its end.'),
      done: count('Number of lines that were read.'),
      percent: Type.Integer(),
      etaSeconds: Nullable(Type.Integer({ description: 'Estimated seconds left; null if unknown or done.' })),
    }),
  },
);

export const SuspenseCounts = Type.Object(
  {
    open: count('Lines that wait to be corrected.'),
    corrected: count('Lines that a later record corrected.'),
    writtenOff: count('Lines that were written off, with a reason.'),
    notKept: count('Lines that are only counted.'),
  },
  {
    $id: 'RejectedLineCounts',
    description:
      'Rejected lines by state: open, corrected by a later record, or written off. Lines past the first 100,000 of a file, or of a file that was rejected as a whole, are only counted.',
  },
);

export const FindingResource = Named('CallDetailFinding', 'A fault or a warning about a line of a file.', {
  line: Type.Integer({ description: 'Line number from 1; 0 for the file as a whole.' }),
  byteOffset: Nullable(Type.Integer(), 'Offset of the line in the file, in bytes; null for the file as a whole.'),
  cdr_id: Nullable(Type.String()),
  column: Nullable(Type.String()),
  code: Type.String(),
  severity: Type.Enum(['error', 'warning'], {
    description: 'A line with an error is rejected; one with a warning is accepted.',
  }),
  message: Type.String(),
  value: Nullable(Type.String(), 'The value that was found; null if there is none to show.'),
});

/** @param now milliseconds since the epoch */
export function fileResource(file: CdrFile, now: number) {
  const { fileId, ...summary } = fileSummary(file);
  return { fileId, clientId: accountWire(file.psp, file.account), ...summary, progress: progressOf(file, now) };
}

/** Estimated from the work done and the time since pick-up; files that waited for others look slower than they are. */
function progressOf(file: CdrFile, now: number) {
  const { total } = fileSummary(file).counts;
  if (file.completedAt !== null) return { lines: file.lines, done: total, percent: 100, etaSeconds: null };
  const share = file.sizeBytes === 0 ? 0 : file.next.byteOffset / file.sizeBytes;
  const elapsedS = Math.max(0, now - Date.parse(file.pickedUpAt)) / 1000;
  return {
    lines: file.lines,
    done: total,
    percent: Math.floor(share * 100),
    etaSeconds: share > 0 ? Math.ceil((elapsedS * (1 - share)) / share) : null,
  };
}
