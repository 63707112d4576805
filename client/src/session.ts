// The session of a person who signed in: its cookie, which browsers keep themselves and Node does not, and the token
// that a call that changes something must bring along.

const path = '/v1/session';

export class Session {
  #cookie: string | undefined;
  #token: string | undefined;

  /** Headers of a call; a token that is not known yet is asked for. */
  async headers(method: string, to: string, ask: () => Promise<unknown>): Promise<Record<string, string>> {
    const opening = to === path && method === 'POST';
    if (method !== 'GET' && !opening && this.#token === undefined) await ask();
    return {
      // Browsers do not let scripts set it, and send their own.
      ...(this.#cookie === undefined ? {} : { cookie: this.#cookie }),
      ...(method === 'GET' || this.#token === undefined ? {} : { 'x-csrf-token': this.#token }),
    };
  }

  /** Takes from a reply what the next call needs. */
  learn(method: string, from: string, response: Response, content: unknown): void {
    // Where a browser runs this the list is empty: the cookie is out of scripts' reach.
    for (const line of response.headers.getSetCookie?.() ?? []) {
      const [pair = ''] = line.split(';');
      this.#cookie = pair.endsWith('=') ? undefined : pair;
    }
    if (from === path && method === 'DELETE') {
      this.#cookie = undefined;
      this.#token = undefined;
      return;
    }
    // Signing in, looking at the session and changing the password all tell the token that holds from then on.
    if (from !== path && !from.startsWith(`${path}/`)) return;
    const token = (content as { csrfToken?: unknown } | null | undefined)?.csrfToken;
    if (typeof token === 'string') this.#token = token;
  }

  /** The token was refused; the next call asks for the one that holds. */
  forgetToken(): void {
    this.#token = undefined;
  }
}

/** How the session itself is asked for. */
export const sessionPath = path;
