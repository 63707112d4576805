// Failures in words for those who see them.
export interface Told {
  readonly code: string;
  readonly sentence: string;
  readonly requestId: string | undefined;
}

/** What to show of any failure: the service's own code and sentence, or what kept it from being asked. */
export function told(error: unknown): Told {
  const e = (error ?? {}) as { code?: unknown; message?: unknown; requestId?: unknown };
  const text = (v: unknown) => (typeof v === 'string' && v !== '' ? v : undefined);
  const message = text(e.message) ?? 'something went wrong';
  return {
    code: text(e.code) ?? 'CONSOLE',
    sentence: `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`,
    requestId: text(e.requestId),
  };
}
