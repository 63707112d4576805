// The HTTP status of each kind of refusal.
import type { RefusalKind } from '../../core/refusal.ts';

export const statusOf: Record<RefusalKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  gone: 410,
  method: 405,
  conflict: 409,
  precondition: 412,
  'too-large': 413,
  'unsupported-type': 415,
  limited: 429,
  unavailable: 503,
};
