// The client's errors: a refusal by the service, and a call without a reply.
import { type Code, codes } from './generated/codes.ts';

export type { Code };

/** The service refused the call or failed to handle it. */
export class AssayError extends Error {
  override readonly name: string = 'AssayError';
  /** Error code for programs; docs/reference/refusals.md lists all. A newer service may return others. */
  readonly code: Code | (string & {});
  readonly status: number;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds after which a retry makes sense. */
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

  /** Kind of refusal: 'invalid', 'conflict', 'limited' and so on. */
  get kind(): string {
    return Object.hasOwn(codes, this.code) ? codes[this.code as Code][0] : 'unknown';
  }
}

/** No reply came in time. Whether the service did anything is unknown. */
export class NoReplyError extends Error {
  override readonly name: string = 'NoReplyError';
  readonly timedOut: boolean;

  constructor(message: string, cause: unknown, timedOut = false) {
    super(message, { cause });
    this.timedOut = timedOut;
  }
}

/** Whether an error is a refusal by the service with this code. */
export const isRefusal = (error: unknown, code: Code): error is AssayError =>
  error instanceof AssayError && error.code === code;

/** The error that an unsuccessful reply describes. */
export function errorOf(response: Response, text: string): AssayError {
  return new AssayError({
    code: response.headers.get('x-error-code') ?? (response.status >= 500 ? 'INTERNAL' : 'UNKNOWN'),
    message:
      messageIn(text) ??
      `${response.url || 'the service'} answered ${response.status} with something else than Assay's JSON`,
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterS: secondsUntil(response.headers.get('retry-after')),
  });
}

/** Of Retry-After: seconds, or a date. */
function secondsUntil(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const s = Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return Number.isNaN(s) ? undefined : Math.max(0, s);
}

function messageIn(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
