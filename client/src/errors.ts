// The errors of the client: a reply that is a no, and a call that got no reply.
import { type Code, codes } from './generated/codes.ts';

export type { Code };

/** The service answered that it will not, or could not. */
export class AssayError extends Error {
  override readonly name: string = 'AssayError';
  /** What machines tell refusals by; docs/reference/refusals.md has them all. A newer service may know others. */
  readonly code: Code | (string & {});
  readonly status: number;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds after which asking again makes sense. */
  readonly retryAfterS: number | undefined;

  constructor(told: {
    readonly code: string;
    readonly message: string;
    readonly status: number;
    readonly requestId?: string | undefined;
    readonly retryAfterS?: number | undefined;
  }) {
    super(told.message);
    this.code = told.code;
    this.status = told.status;
    this.requestId = told.requestId;
    this.retryAfterS = told.retryAfterS;
  }

  /** What sort of no it is: 'invalid', 'conflict', 'limited' and so on. */
  get kind(): string {
    return Object.hasOwn(codes, this.code) ? codes[this.code as Code][0] : 'unknown';
  }
}

/** No reply came, or not in time. Whether the service did anything is unknown. */
export class NoReplyError extends Error {
  override readonly name: string = 'NoReplyError';
  readonly timedOut: boolean;

  constructor(message: string, cause: unknown, timedOut = false) {
    super(message, { cause });
    this.timedOut = timedOut;
  }
}

/** Whether an error is the service's no with this code. */
export const isRefusal = (error: unknown, code: Code): error is AssayError =>
  error instanceof AssayError && error.code === code;

/** The error that a reply which is no success tells of. */
export function errorOf(response: Response, text: string): AssayError {
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new AssayError({
    code: response.headers.get('x-error-code') ?? (response.status >= 500 ? 'INTERNAL' : 'UNKNOWN'),
    message:
      messageIn(text) ??
      `${response.url || 'the service'} answered ${response.status} with something else than Assay's JSON`,
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterS: Number.isFinite(after) ? after : undefined,
  });
}

function messageIn(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
