// The types of calls and replies, derived from the generated schema.
import type { operations } from './generated/schema.ts';

/** An exact decimal in a call: '0.1' or '1e-18' is sent unchanged, a number as JavaScript writes it. */
export type Decimal = number | string;

/** Amounts in replies: number, or string if exact text is requested. */
export type Amount = number | string;

export type OperationId = keyof operations<Decimal, number>;

type Of<O extends OperationId, A> = operations<Decimal, A>[O];
type InPath<T> = T extends { parameters: { path: infer P extends object } } ? P : unknown;
/** A filter that is undefined is not sent. The schema writes `never` for "no filters". */
type Filters<Q> = [Q] extends [never]
  ? unknown
  : { [K in keyof Q]: Record<never, never> extends Pick<Q, K> ? Q[K] | undefined : Q[K] };
type InQuery<T> = T extends { parameters: { query?: infer Q } } ? Filters<NonNullable<Q>> : unknown;
type BodyOf<T> = T extends { requestBody?: infer B } ? NonNullable<B> : never;
type InBody<T> = T extends { content: { 'application/json': infer B } } ? B : unknown;
type Named<T> = InPath<T> & ([BodyOf<T>] extends [never] ? InQuery<T> : InBody<BodyOf<T>>);
/** An operation without input takes an empty object. */
type Given<T> = unknown extends T ? Record<string, never> : T;

/** Input of an operation by name: its path parameters together with its body or its query. */
export type Input<O extends OperationId> = Given<Named<Of<O, number>>>;

/** Output of an operation: the content of its envelope; without an envelope, the document itself, its text or its bytes. */
export type Output<O extends OperationId, A = number> =
  Of<O, A> extends { responses: { 200: { content: infer C } } }
    ? C extends { 'application/json': infer J }
      ? J extends { content: infer X }
        ? X
        : J
      : C extends { 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': unknown }
        ? Uint8Array
        : string
    : never;

export interface CallOptions {
  /** The client this call is about; overrides the one given to the constructor. */
  readonly clientId?: string | undefined;
  /** The PSP this operator's call acts as; overrides the one given to the constructor. */
  readonly pspId?: string | undefined;
  /** Further parts of the reply: 'tax', 'fees', 'decision'. The reply's type does not include them. */
  readonly expand?: string | readonly string[] | undefined;
  /** The `etag` of the reply that a change is based on: if it was changed since, the call throws `PRECONDITION` and nothing is saved. */
  readonly ifMatch?: string | undefined;
  /** '*': the change is made only if there is none yet. */
  readonly ifNoneMatch?: string | undefined;
  /** Aborts the call, including its retries. */
  readonly signal?: AbortSignal | undefined;
  /** Per attempt; overrides the one given to the constructor. */
  readonly timeoutMs?: number | undefined;
  /** How many times a safely repeatable call is retried; overrides the constructor's. */
  readonly retries?: number | undefined;
}

/** A whole reply, for callers that need more than its content. */
export interface Reply<T> {
  readonly content: T;
  /** The body as it came, byte for byte: what the hashes of documents are of. Empty if it is no text. */
  readonly text: string;
  readonly message: string;
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | undefined;
  /** The entity tag of what was read or saved, for `ifMatch`. */
  readonly etag: string | undefined;
  /** True if this is the stored reply to an earlier identical call. */
  readonly replayed: boolean;
}

/** One method. Its first argument is optional if nothing is required. */
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

/** Lists that the service also writes as one CSV file. */
export type FileId = {
  [O in OperationId]: Of<O, number> extends {
    responses: { 200: { content: { 'application/json': unknown; 'text/csv': string } } };
  }
    ? O
    : never;
}[OperationId];

/** One row of a list. */
export type Item<O extends ListId, A = number> = Output<O, A> extends { items: readonly (infer I)[] } ? I : never;

export type Methods<A> = { readonly [O in keyof operations<Decimal, A>]: Method<O, A> };
