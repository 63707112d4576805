// The session of a signed-in person: its cookie, which browsers keep and Node does not, and the token that calls which
// change something must send.

const path = '/v1/session';
/** Calls that nobody has to be signed in for. */
const opening = /^\/v1\/session(\/second-factor|\/passkey\/sign-in(\/start)?|\/provider\/[^/]+(\/start)?)?$/;

export class Session {
  #cookie: string | undefined;
  #token: string | undefined;

  /** Headers of a call; fetches the token if it is not known yet. */
  async headers(method: string, to: string, ask: () => Promise<unknown>): Promise<Record<string, string>> {
    const opens = method === 'POST' && opening.test(to);
    if (method !== 'GET' && !opens && this.#token === undefined) await ask();
    return {
      // Browsers do not let scripts set this header and send their own.
      ...(this.#cookie === undefined ? {} : { cookie: this.#cookie }),
      ...(method === 'GET' || this.#token === undefined ? {} : { 'x-csrf-token': this.#token }),
    };
  }

  /** Takes from a reply what the next call needs. */
  learn(method: string, from: string, response: Response, content: unknown): void {
    // Empty in a browser: scripts cannot read the cookie.
    for (const line of response.headers.getSetCookie?.() ?? []) {
      const [pair = ''] = line.split(';');
      this.#cookie = pair.endsWith('=') ? undefined : pair;
    }
    if (from === path && method === 'DELETE') {
      this.#cookie = undefined;
      this.#token = undefined;
      return;
    }
    // Signing in, reading the session and changing the password all return the current token.
    if (from !== path && !from.startsWith(`${path}/`)) return;
    const token = (content as { csrfToken?: unknown } | null | undefined)?.csrfToken;
    if (typeof token === 'string') this.#token = token;
  }

  /** Called when the token was refused; the next call fetches the current one. */
  forgetToken(): void {
    this.#token = undefined;
  }
}

/** Path of the session resource. */
export const sessionPath = path;
