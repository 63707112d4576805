// The shape of a kind of report. The reports' frame asks for its parameters, runs it in the background over one
// snapshot of the database, and renders, hashes and keeps what it gives.

import type { TObject, Type } from 'typebox';
import type { AccountId, PspId } from '../../core/ids.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { ReportContent } from '../../core/reports/document.ts';
import type { Database } from '../../platform/database.ts';
import type { Audience } from './operation.ts';

/** What a report says of the account it is about. */
export interface Concerned {
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

export interface ReportAsked<P = unknown> {
  readonly psp: PspId;
  /** The account concerned. */
  readonly account: AccountId;
  readonly concerned: Concerned;
  /** What rows are narrowed to: the client concerned; of a PSP undefined, for it is about the PSP and all its clients. */
  readonly only: string | undefined;
  readonly parameters: P;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface ReportRun<P = unknown> extends ReportAsked<P> {
  /** Reads one moment of the database, and writes nothing. @throws when a statement answers with too many rows */
  readonly db: Database;
  /** Says how far it has come; also where it ends when the service stops. @throws then */
  progress(done: number, of: number): void;
}

/** @typeParam N what it needs of the service beside the snapshot; `never` where only what it says of itself is read */
export interface ReportKind<N = never> {
  /** As asked for: camelCase. */
  readonly name: string;
  readonly title: string;
  /** A sentence for the list of kinds. */
  readonly summary: string;
  /** Whose keys may ask for it and see it. */
  readonly audience: readonly Audience[];
  /** Texts, whole numbers and booleans only; kinds that name the same parameter share its schema. */
  readonly parameters: TObject;
  /** What cannot be asked for, before it is queued. */
  // biome-ignore lint/suspicious/noExplicitAny: each kind narrows its parameters by its own schema
  readonly check?: (asked: ReportAsked<any>, services: N) => Refusal | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: each kind narrows its parameters by its own schema
  readonly run: (run: ReportRun<any>, services: N) => Promise<ReportContent>;
}

/** Builds a kind whose functions see the types of its parameters, and of the service what their second one names. */
export function reportKind<P extends TObject, C, R>(
  k: Omit<ReportKind, 'parameters' | 'check' | 'run'> & {
    parameters: P;
    check?(asked: ReportAsked<Type.Static<P>>, services: C): Refusal | undefined;
    run(run: ReportRun<Type.Static<P>>, services: R): Promise<ReportContent>;
  },
): ReportKind<C & R> {
  return k as ReportKind<C & R>;
}
