// Wire forms of call detail files.
import { accountWire } from '../../../core/ids.ts';
import { fileFields } from '../../../entries/cdrs.ts';
import { fileStates } from '../../../records/cdr-files.ts';
import { Named, Nullable, Type } from '../../kernel/operation.ts';
import type { CdrFile } from './file-store.ts';
import { fileSummary } from './status.ts';

const count = () => Type.Integer();

export const FileStateName = Type.Enum(fileStates);

export const FileResource = Named(
  'CallDetailFile',
  'A file of call detail records: its state, its counts and how far it has been read.',
  {
    fileId: Type.String(),
    clientId: Type.String(),
    ...fileFields,
    progress: Named('FileProgress', 'Progress through the file.', {
      lines: Nullable(count()),
      done: count(),
      percent: Type.Integer(),
      etaSeconds: Nullable(Type.Integer({ description: 'Estimated seconds left; null if unknown or done.' })),
    }),
  },
);

export const SuspenseCounts = Type.Object(
  { open: count(), corrected: count(), writtenOff: count(), notKept: count() },
  {
    $id: 'RejectedLineCounts',
    description:
      'Rejected lines by state: open, corrected by a later record, or written off. Lines past the first 100,000 of a file, or of a file that was rejected as a whole, are only counted.',
  },
);

export const FindingResource = Named('CallDetailFinding', 'A fault or a warning about a line of a file.', {
  line: Type.Integer({ description: 'Line number from 1; 0 for the file as a whole.' }),
  byteOffset: Nullable(Type.Integer()),
  cdr_id: Nullable(Type.String()),
  column: Nullable(Type.String()),
  code: Type.String(),
  severity: Type.Enum(['error', 'warning']),
  message: Type.String(),
  value: Nullable(Type.String()),
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
