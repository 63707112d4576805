// Requests of tests to their service. Node's `fetch` takes four times the processor time of `node:http`, which sends the
// same wherever no stream, signal or encoding is needed.
import http from 'node:http';

/** Of an answer what tests look at; `Response` has it too. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Headers;
  arrayBuffer(): Promise<ArrayBuffer | Uint8Array>;
}

const plain = new Set(['method', 'headers', 'body']);

/** What `fetch` says of itself. */
const usual = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' };

/** Sends requests over connections of its own, which `close` ends. */
export class PlainRequests {
  readonly #agent = new http.Agent({ keepAlive: true });

  send(address: string, init: RequestInit): Promise<PlainAnswer> {
    const { method = 'GET', headers = {}, body } = init;
    const isPlain =
      Object.keys(init).every((k) => plain.has(k)) &&
      (body === undefined || typeof body === 'string' || body instanceof Uint8Array) &&
      Object.getPrototypeOf(headers) === Object.prototype &&
      !('accept-encoding' in headers);
    if (!isPlain) return fetch(address, init);
    return this.#send(new URL(address), method, headers as Record<string, string>, body as string | Uint8Array);
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(
    { hostname, port, pathname, search }: URL,
    method: string,
    headers: Record<string, string>,
    body: string | Uint8Array | undefined,
  ): Promise<PlainAnswer> {
    return new Promise((resolve, reject) => {
      // In the form of fetch, which tests of connections expect.
      const failed = (cause: Error) => reject(new TypeError('fetch failed', { cause }));
      const typed = typeof body === 'string' ? { 'content-type': 'text/plain;charset=UTF-8' } : {};
      const to = { agent: this.#agent, hostname, port, path: pathname + search, method };
      const request = http.request({ ...to, headers: { ...usual, ...typed, ...headers } }, (response) => {
        const parts: Buffer[] = [];
        response.on('error', failed);
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const received = new Headers();
          const { rawHeaders, statusCode = 0 } = response;
          for (let i = 0; i < rawHeaders.length; i += 2)
            received.append(rawHeaders[i] as string, rawHeaders[i + 1] as string);
          const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
          resolve({ status: statusCode, headers: received, arrayBuffer: async () => bytes });
        });
      });
      request.on('error', failed);
      request.end(body);
    });
  }
}
