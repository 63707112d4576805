// The shape of one wire operation. HTTP and the command line read and validate what it declares, then call `handle`.
import type { TObject, TSchema } from 'typebox';
import type { AccountId } from '../../core/ids.ts';
import type { Role } from '../../core/roles.ts';
import { Named, Type } from '../../entries/schema.ts';
import type { Condition, State } from './condition.ts';
import type { Principal } from './principal.ts';
import type { Placed, Tag } from './sections.ts';

export type Audience = 'psp' | 'client' | 'operator' | 'authority';

/** For what everybody does who signs in. */
export const everybody: readonly Audience[] = ['operator', 'psp', 'client', 'authority'];

export interface Call<B = unknown, Q = unknown> {
  readonly principal: Principal;
  /** The account named by the header `x-client-id` (UUID), with a PSP's key. */
  readonly onBehalfOf: AccountId | undefined;
  readonly body: B;
  readonly query: Q;
  /** Path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch, taken once per call. */
  readonly now: number;
  /** What the caller expects of what is replaced; only of an operation that is `conditional`. */
  readonly condition?: Condition | undefined;
  /** The caller's network; for sign-in and passwords only. */
  readonly network?: string | undefined;
  /** The browser's name for itself; for sign-in only. */
  readonly agent?: string | undefined;
  /** Whether an answer that takes long is still of use: its caller waits, and the service does not stop. */
  readonly isAwaited?: () => boolean;
}

export interface Reply {
  readonly message: string;
  readonly content: unknown;
  /** Replaces the envelope as the body, for an operation that `produces` text or another document. */
  readonly text?: string | Buffer;
  /** True for the stored reply to an earlier identical call. */
  readonly replayed?: boolean;
  /** Of an operation that is `conditional`: what its tag, the header ETag, is of. */
  readonly state?: State;
  /** Further response headers, for what the specification's reply has no field for. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** @typeParam N what it needs of the service; `Operation<never>` if only its contract is read. */
export interface Operation<N = never> {
  /** The wire operation's name, also its operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Clause of the specification; absent for additions to it. */
  readonly spec?: string;
  /** Its section of the API. */
  readonly tag: Tag;
  /** The scope that a key needs for it, where that is not the one of its section. */
  readonly area?: Placed['area'];
  readonly summary: string;
  readonly description?: string;
  readonly audience: readonly Audience[];
  /** What it changes holds for all of the PSP: a call that names a client is refused, so that nobody takes it for the client's alone. */
  readonly ofPsp?: true;
  /** Roles that may call it; without it everybody may GET, and administrators the rest. */
  readonly roles?: readonly Role[];
  /** `open`: without sign-in. `session`: only with the console's cookie, even while the password must be changed. */
  readonly access?: 'open' | 'session';
  /**
   * The caller's required standing. Default: not CLOSED, unless it is a GET. `active`: ACTIVE. `decides`: any, since
   * the verdict depends on it. `any`: any, since nothing is recorded.
   */
  readonly standing?: 'active' | 'decides' | 'any';
  readonly body?: TObject;
  readonly query?: TObject;
  readonly content: TSchema;
  /** Content type of a successful body without envelope: text/csv. */
  readonly produces?: string;
  /** The field that holds the rows of each item, where a detail is a CSV file too. */
  readonly fileOf?: string;
  /** Repeating it has no further effect; implied for a GET, or if its ref shows whether it was done. */
  readonly idempotent?: true;
  /** True for a GET whose reply has an ETag; for a change that may be made on condition of it (`condition.ts`), the name of that GET. */
  readonly conditional?: true | `get${string}`;
  /** Allows a larger body than usual: as large as a basket's, or of so many bytes. */
  readonly largeBody?: boolean | number;
  /** Refusal codes in addition to those of every operation; for the reference. */
  readonly refusals?: readonly string[];
  readonly example?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: each operation narrows body and query by its own schema
  readonly handle: (call: Call<any, any>, services: N) => Promise<Reply>;
}

/** What several operations need together. */
export type NeedsOf<O extends readonly Operation[]> = O[number] extends Operation<infer N> ? N : never;

/** Builds an operation whose handler has the types of its schemas, and the services its second parameter names. */
export function operation<B extends TObject | undefined, Q extends TObject | undefined, N>(
  o: Omit<Operation, 'handle' | 'body' | 'query' | 'tag' | 'area'> &
    Placed & {
      body?: B;
      query?: Q;
      handle(
        call: Call<B extends TObject ? Type.Static<B> : undefined, Q extends TObject ? Type.Static<Q> : undefined>,
        services: N,
      ): Promise<Reply>;
    },
): Operation<N> {
  return o as Operation<N>;
}

// What declarations of operations are written with.
export {
  Amount,
  AmountOrZero,
  Exact,
  Extended,
  Money,
  Named,
  Nullable,
  resourceOf,
  Type,
} from '../../entries/schema.ts';
export type { Needs, Principal } from './needs.ts';

export const Ref = (description = 'External reference supplied by the caller.') =>
  Type.String({ description, minLength: 1, maxLength: 200 });

/** The ref of an existing record, including one recorded before some characters were refused. */
export const KnownRef = (description = 'External reference of the record.') =>
  Type.String({ description, minLength: 1, maxLength: 200, 'x-characters': 'any' });

/** Text on one line; characters that steer what displays it are refused. */
export const Text = (description: string, maxLength = 400) => Type.String({ description, minLength: 1, maxLength });

/** A day of the calendar, `YYYY-MM-DD`. */
export const Day = (description: string) => Type.String({ description, format: 'date', maxLength: 10 });

/** A moment, ISO 8601 with its zone. */
export const Time = (description: string) => Type.String({ format: 'date-time', description });

/** The id of a record that exists. */
export const Id = (description: string) => Type.String({ description, maxLength: 64 });

/** Text for people; may have several lines. */
export const Prose = (description: string, maxLength = 400) =>
  Type.String({ description, minLength: 1, maxLength, 'x-characters': 'prose' });

/** Why a change is made. */
export const Reason = Prose('Reason; recorded in the journal.', 500);

export const ReasonBody = Named('ReasonGiven', 'The reason for a change.', { reason: Reason });

export const OptionalReasonBody = Named('OptionalReason', 'The reason for a change, if one is given.', {
  reason: Type.Optional(Reason),
});

/** A password or another secret, with any characters: it is never shown. */
export const Secret = (options: { description?: string; minLength: number; maxLength: number }) =>
  Type.String({ ...options, 'x-characters': 'any' });
