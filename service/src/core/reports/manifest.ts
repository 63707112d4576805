// A report's request, and its manifest: what it was made from, and hashes to check every byte of it.
import type { ReportFact } from './document.ts';

export type Parameters = Readonly<Record<string, string | number | boolean>>;

interface ManifestFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly title: string;
  /** Version of the tax rules in force. */
  readonly dataset: string;
  readonly inputs: readonly ReportFact[];
  /** SHA-256 of the figures, without header and facts: equal for revisions with the same figures. */
  readonly contentSha256: string;
  readonly sections: readonly {
    readonly name: string;
    readonly title: string;
    readonly rows: number;
    readonly sha256: string;
  }[];
  readonly files: readonly ManifestFile[];
  /** Texts of the report in French, by their English; a report of an earlier version has none. */
  readonly french?: Readonly<Record<string, string>>;
}
