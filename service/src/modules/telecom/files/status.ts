// The status document of a file for its sender (Spec 4.15). It is made from the database alone, so that it can be made
// again at any time.

import type { Finding } from '../../../core/cdr/file-findings.ts';
import { toWire } from '../../../core/ids.ts';
import { formatUnits } from '../../../core/money.ts';
import type { Database } from '../../../platform/database.ts';
import type { CdrFile } from './file-store.ts';
import { listFindings } from './suspense-store.ts';

/** Most findings in a status file; the API returns all of them. */
const statusFindings = 10_000;

export function fileSummary(file: CdrFile) {
  const { counts, codes } = file.tally;
  const summary = new Map(Object.entries(codes));
  for (const f of file.findings) summary.set(f.code, (summary.get(f.code) ?? 0) + 1);
  return {
    fileId: toWire('cdrFile', file.id),
    fileName: file.name,
    sha256: file.sha256,
    sizeBytes: file.sizeBytes,
    receivedAt: file.receivedAt,
    pickedUpAt: file.pickedUpAt,
    completedAt: file.completedAt,
    state: file.state,
    ...(file.duplicateOf === null ? {} : { duplicateOf: toWire('cdrFile', file.duplicateOf) }),
    counts: {
      total: counts.accepted + counts.rejected + counts.duplicate,
      ...counts,
      ...(file.tally.withdrawn !== undefined && { withdrawn: file.tally.withdrawn }),
    },
    control: {
      declared: file.tally.declared ?? null,
      computed: {
        records: counts.accepted + counts.rejected + counts.duplicate,
        sumDuration: file.tally.durationS,
        sumCost: formatUnits(BigInt(file.tally.cost.units), file.tally.cost.scale),
      },
    },
    errorSummary: [...summary]
      .map(([code, count]) => ({ code, count }))
      .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1)),
  };
}

/** A finding in its wire form: all members, null if there is no value. */
export const shownFinding = (f: Finding) => ({
  line: f.line,
  byteOffset: f.byteOffset ?? null,
  cdr_id: f.cdr_id ?? null,
  column: f.column ?? null,
  code: f.code,
  severity: f.severity,
  message: f.message,
  value: f.value ?? null,
});

export async function statusText(db: Database, file: CdrFile): Promise<string> {
  const found = [...file.findings, ...(await listFindings(db, file, 0, statusFindings + 1)).flat()];
  const document = {
    schemaVersion: 1,
    ...fileSummary(file),
    errors: found.slice(0, statusFindings).map(shownFinding),
    errorsTruncated: found.length > statusFindings,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
