// The shape of one wire operation. An entrance reads and checks what it declares, then calls `handle`.
import type { TObject, TSchema } from 'typebox';
import { Type } from 'typebox';
import type { AccountId } from '../../core/ids.ts';
import type { Role } from '../../core/roles.ts';
import type { Principal } from './principal.ts';

export type Audience = 'psp' | 'client' | 'operator';

export interface Call<B = unknown, Q = unknown> {
  readonly principal: Principal;
  /** The concerned account named by the header `x-client-id` (uuid), of a PSP's key. */
  readonly onBehalfOf: AccountId | undefined;
  readonly body: B;
  readonly query: Q;
  /** Path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch, taken once per call. */
  readonly now: number;
}

export interface Reply {
  readonly message: string;
  readonly content: unknown;
  /** The body instead of the envelope, of an operation that `produces` text. */
  readonly text?: string;
  /** The stored answer of an earlier equal call. */
  readonly replayed?: boolean;
  /** Further response headers; what the specification's reply has no field for. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** @typeParam N what it needs of the service; one that is read for its contract only is an `Operation<never>`. */
export interface Operation<N = never> {
  /** The wire operation's name, also its operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Clause of the specification; absent for what is added to it. */
  readonly spec?: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly audience: readonly Audience[];
  /** Roles of people who may call it; without it everybody may GET, and administrators the rest. */
  readonly roles?: readonly Role[];
  /** `open`: without any sign-in. `session`: with the console's cookie only, also while the password must be changed. */
  readonly access?: 'open' | 'session';
  /**
   * What it asks of the standing of who calls. Without it: one that is not CLOSED, unless it is a GET. `active`: an
   * ACTIVE one. `decides`: none, for its verdict is made on the standing. `any`: none, for it records nothing.
   */
  readonly standing?: 'active' | 'decides' | 'any';
  readonly body?: TObject;
  readonly query?: TObject;
  readonly content: TSchema;
  /** Type of a successful body that is no envelope: text/csv. */
  readonly produces?: string;
  /** Repeating it does no more than once; told of itself where it is a GET or its ref says whether it was done. */
  readonly idempotent?: true;
  /** Larger body limit than usual. */
  readonly largeBody?: boolean;
  /** Refusal codes beyond those every operation can give; for the reference. */
  readonly refusals?: readonly string[];
  readonly example?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: each operation narrows body and query by its own schema
  readonly handle: (call: Call<any, any>, services: N) => Promise<Reply>;
}

/** What operations need together. */
export type NeedsOf<O extends readonly Operation[]> = O[number] extends Operation<infer N> ? N : never;

/** Builds an operation whose handler sees the types of its schemas, and of the service what its second parameter names. */
export function operation<B extends TObject | undefined, Q extends TObject | undefined, N>(
  o: Omit<Operation, 'handle' | 'body' | 'query'> & {
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

export { Amount, AmountOrZero, Exact, Extended, Money, Named, Nullable } from '../../entries/schema.ts';

export const Ref = (description = 'External reference supplied by the caller.') =>
  Type.String({ description, minLength: 1, maxLength: 200 });

/** The ref of a record that exists: one recorded before some characters were refused is found by it too. */
export const KnownRef = (description = 'External reference of the record.') =>
  Type.String({ description, minLength: 1, maxLength: 200, 'x-characters': 'any' });

/** Of one line; characters that steer what shows it are refused. */
export const Text = (description: string, maxLength = 400) => Type.String({ description, minLength: 1, maxLength });

/** Text for people, of several lines if they like. */
export const Prose = (description: string, maxLength = 400) =>
  Type.String({ description, minLength: 1, maxLength, 'x-characters': 'prose' });

/** A password or another secret: whatever characters it has, they are never shown. */
export const Secret = (options: { description?: string; minLength: number; maxLength: number }) =>
  Type.String({ ...options, 'x-characters': 'any' });
