// The types of calls and replies, derived from the generated schema.
import type { operations } from './generated/schema.ts';

/** An exact decimal as a call may write it: '0.1' or '1e-18' is sent as it stands, a number as JavaScript writes it. */
export type Decimal = number | string;

/** How amounts of replies are read: number, or string where they are asked for as exact text. */
export type Amount = number | string;

export type OperationId = keyof operations<Decimal, number>;

type Of<O extends OperationId, A> = operations<Decimal, A>[O];
type InPath<T> = T extends { parameters: { path: infer P extends object } } ? P : unknown;
/** A filter that is undefined is not sent. `never` is how the schema says that there are none. */
type Filters<Q> = [Q] extends [never]
  ? unknown
  : { [K in keyof Q]: Record<never, never> extends Pick<Q, K> ? Q[K] | undefined : Q[K] };
type InQuery<T> = T extends { parameters: { query?: infer Q } } ? Filters<NonNullable<Q>> : unknown;
type BodyOf<T> = T extends { requestBody?: infer B } ? NonNullable<B> : never;
type InBody<T> = T extends { content: { 'application/json': infer B } } ? B : unknown;
type Named<T> = InPath<T> & ([BodyOf<T>] extends [never] ? InQuery<T> : InBody<BodyOf<T>>);
/** An operation that takes nothing is given nothing. */
type Given<T> = unknown extends T ? Record<string, never> : T;

/** What an operation takes, by name: its path parameters together with its body, or with its query. */
export type Input<O extends OperationId> = Given<Named<Of<O, number>>>;

/** What an operation answers: the content of its envelope, its document as it is where it has none, or as text. */
export type Output<O extends OperationId, A = number> =
  Of<O, A> extends { responses: { 200: { content: infer C } } }
    ? C extends { 'application/json': infer J }
      ? J extends { content: infer X }
        ? X
        : J
      : string
    : never;

export interface CallOptions {
  /** The client that a PSP's call concerns, in place of the one the client was made with. */
  readonly clientId?: string | undefined;
  /** The PSP that an operator's call is made as, in place of the one the client was made with. */
  readonly pspId?: string | undefined;
  /** Further parts of the reply: 'tax', 'fees', 'decision'. They are not part of its type. */
  readonly expand?: string | readonly string[] | undefined;
  /** Ends the call, its retries included. */
  readonly signal?: AbortSignal | undefined;
  /** For one attempt, in place of the one the client was made with. */
  readonly timeoutMs?: number | undefined;
  /** How often an attempt that may safely be repeated is repeated, in place of what the client was made with. */
  readonly retries?: number | undefined;
}

/** A whole reply, for who needs more than its content. */
export interface Reply<T> {
  readonly content: T;
  readonly message: string;
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | undefined;
  /** The stored answer of an earlier equal call. */
  readonly replayed: boolean;
}

/** One method. Its first argument may be left out where nothing is required. */
export type Method<O extends OperationId, A> =
  Record<never, never> extends Input<O>
    ? (input?: Input<O>, options?: CallOptions) => Promise<Output<O, A>>
    : (input: Input<O>, options?: CallOptions) => Promise<Output<O, A>>;

/** Operations that answer with one page of a list. */
export type ListId = {
  [O in OperationId]: Output<O> extends { items: readonly unknown[]; nextCursor: string | null }
    ? O
    : Output<O> extends { items: readonly unknown[]; nextAfter: number | null }
      ? O
      : never;
}[OperationId];

/** One row of a list. */
export type Item<O extends ListId, A = number> = Output<O, A> extends { items: readonly (infer I)[] } ? I : never;

export type Methods<A> = { readonly [O in keyof operations<Decimal, A>]: Method<O, A> };
