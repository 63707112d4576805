// The shape of a kind of report. The reports module reads its parameters, runs it in the background on one snapshot of
// the database, and renders, hashes and stores the result.

import type { TObject, Type } from 'typebox';
import type { AccountId, PspId } from '../../core/ids.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { SaidContent } from '../../core/reports/document.ts';
import type { Parameters } from '../../core/reports/manifest.ts';
import type { Database } from '../../platform/database.ts';
import type { Audience } from './operation.ts';

/** The account a report is about. */
interface Concerned {
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

export interface ReportAsked<P = unknown> {
  readonly psp: PspId;
  /** The account the report is about. */
  readonly account: AccountId;
  readonly concerned: Concerned;
  /** Limits rows to this client; undefined for a PSP's report, which covers the PSP and all its clients. */
  readonly only: string | undefined;
  readonly parameters: P;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface ReportRun<P = unknown> extends ReportAsked<P> {
  /** Reads one moment of the database, and writes nothing. @throws if a statement returns too many rows */
  readonly db: Database;
  /** Reports progress; throws if the service is stopping, which ends the run. */
  progress(done: number, of: number): void;
}

/** @typeParam N what it needs of the service besides the snapshot; `never` if only its description is read */
export interface ReportKind<N = never> {
  /** Name in requests, camelCase. */
  readonly name: string;
  readonly title: string;
  /** A sentence for the list of kinds. */
  readonly summary: string;
  /** The kinds of keys that may request and see it. */
  readonly audience: readonly Audience[];
  /** Only texts, whole numbers and booleans; kinds with the same parameter share its schema. */
  readonly parameters: TObject;
  /** Fills in parameters that depend on the moment of the request, so that a further revision has the same ones. */
  // biome-ignore lint/suspicious/noExplicitAny: each kind narrows its parameters by its own schema
  readonly settle?: (asked: ReportAsked<any>, services: N) => Parameters | Refusal;
  /** Reads what the parameters mean, such as a period, or refuses them: before the request is queued, and for the run. */
  // biome-ignore lint/suspicious/noExplicitAny: each kind narrows its parameters by its own schema
  readonly read: (asked: ReportAsked<any>, services: N) => unknown;
  /** @param read what `read` returned */
  // biome-ignore lint/suspicious/noExplicitAny: each kind narrows its parameters by its own schema
  readonly run: (run: ReportRun<any>, services: N, read: any) => Promise<SaidContent>;
}

/**
 * Builds a kind whose functions have the types of its parameters, and the services that the type parameters name.
 * @typeParam A what its parameters mean
 */
export function reportKind<P extends TObject, C, R, A>(
  k: Omit<ReportKind, 'parameters' | 'settle' | 'read' | 'run'> & {
    parameters: P;
    settle?(asked: ReportAsked<Type.Static<P>>, services: C): Parameters | Refusal;
    read(asked: ReportAsked<Type.Static<P>>, services: C): A | Refusal;
    run(run: ReportRun<Type.Static<P>>, services: R, read: A): Promise<SaidContent>;
  },
): ReportKind<C & R> {
  return k as ReportKind<C & R>;
}
