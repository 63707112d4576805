// Sends one request and reads its whole reply, as text if it is one, with a timeout.
import { AssayError, NoReplyError } from './errors.ts';

export interface Exchange {
  readonly fetch: typeof globalThis.fetch;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly credentials: 'same-origin' | 'omit';
  readonly timeoutMs: number;
  /** Signal of the caller. */
  readonly signal: AbortSignal | undefined;
  readonly what: string;
  /** Whether a successful reply is no text. */
  readonly binary: boolean;
}

export interface Exchanged {
  readonly response: Response;
  readonly text: string;
  /** In place of the text. */
  readonly bytes: Uint8Array | undefined;
}

export async function exchange(e: Exchange): Promise<Exchanged> {
  const timeout = AbortSignal.timeout(e.timeoutMs);
  const { fetch } = e;
  let response: Response | undefined;
  try {
    response = await fetch(e.url, {
      method: e.method,
      headers: { ...e.headers },
      signal: e.signal ? AbortSignal.any([e.signal, timeout]) : timeout,
      credentials: e.credentials,
      // Following a redirect would send the key to wherever it leads.
      redirect: 'manual',
      ...(e.body === undefined ? {} : { body: e.body }),
    });
    if (isRedirect(response)) throw redirected(e.what, response);
    if (e.binary && response.ok) return { response, text: '', bytes: new Uint8Array(await response.arrayBuffer()) };
    return { response, text: await response.text(), bytes: undefined };
  } catch (cause) {
    if (cause instanceof AssayError) throw cause;
    e.signal?.throwIfAborted();
    if (timeout.aborted) throw new NoReplyError(`${e.what}: no reply within ${e.timeoutMs} ms`, cause, true);
    const came =
      response === undefined
        ? 'no reply; the service could not be reached, or the connection was cut'
        : 'the reply broke off';
    throw new NoReplyError(`${e.what}: ${came}`, cause);
  }
}

/** Browsers hide the status and location of a redirect that is not followed. */
const isRedirect = (r: Response) => r.type === 'opaqueredirect' || (r.status >= 300 && r.status < 400);

function redirected(what: string, response: Response): AssayError {
  const to = response.headers.get('location');
  void response.body?.cancel().catch(() => undefined);
  return new AssayError({
    code: 'UNKNOWN',
    message: `${what}: redirected${to === null ? '' : ` to ${to}`}; the client follows no redirect, check its baseUrl`,
    status: response.status,
  });
}
