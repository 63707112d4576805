// One request and its whole answer as text, within a time.
import { NoReplyError } from './errors.ts';

export interface Exchange {
  readonly fetch: typeof globalThis.fetch;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly credentials: 'same-origin' | 'omit';
  readonly timeoutMs: number;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** Names the request in errors. */
  readonly what: string;
}

export async function exchange(e: Exchange): Promise<{ readonly response: Response; readonly text: string }> {
  const timeout = AbortSignal.timeout(e.timeoutMs);
  const { fetch } = e;
  let response: Response | undefined;
  try {
    response = await fetch(e.url, {
      method: e.method,
      headers: { ...e.headers },
      signal: e.signal ? AbortSignal.any([e.signal, timeout]) : timeout,
      credentials: e.credentials,
      ...(e.body === undefined ? {} : { body: e.body }),
    });
    return { response, text: await response.text() };
  } catch (cause) {
    e.signal?.throwIfAborted();
    if (timeout.aborted) throw new NoReplyError(`${e.what}: no reply within ${e.timeoutMs} ms`, cause, true);
    const came = response === undefined ? 'no reply; the service could not be reached' : 'the reply broke off';
    throw new NoReplyError(`${e.what}: ${came}`, cause);
  }
}
