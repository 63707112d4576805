// What a report was asked with, and its manifest: what it was made from, and hashes by which every byte of it can be
// checked.
import type { ReportFact } from './document.ts';

export type Parameters = Readonly<Record<string, string | number | boolean>>;

export interface ManifestFile {
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
  /** SHA-256 over the figures, without head and facts: two revisions with the same one say the same. */
  readonly contentSha256: string;
  readonly sections: readonly {
    readonly name: string;
    readonly title: string;
    readonly rows: number;
    readonly sha256: string;
  }[];
  readonly files: readonly ManifestFile[];
}
