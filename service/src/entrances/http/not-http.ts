// The answer to what is not HTTP, or not in time, written to the socket itself; and how long a caller may take.
import type { Socket } from 'node:net';

/** Milliseconds, as Node's server takes them. */
export const patience = {
  /** For a request to be there whole. */
  requestTimeout: 30_000,
  /** Until a connection without a request is closed; longer than balancers keep theirs. */
  keepAliveTimeout: 72_000,
  /** Between two looks for requests that take too long. */
  connectionsCheckingInterval: 2_000,
} as const;

/** How long a caller may take to read the answer and go. */
const partingMs = 1_000;

interface Said {
  readonly status: string;
  readonly code: string;
  readonly message: string;
}

const malformed = (status: string, message: string): Said => ({ status, code: 'BODY_MALFORMED', message });

const said: Readonly<Record<string, Said>> = {
  HPE_HEADER_OVERFLOW: malformed('431 Request Header Fields Too Large', 'the headers are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'REQUEST_TIMEOUT',
    message: 'the request did not come in time; nothing was recorded',
  },
};
const notHttp = malformed('400 Bad Request', 'the request is not valid HTTP');

/** Requests that are not HTTP, or late: the same envelope, then the connection closes. */
export function clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, message } = said[error.code ?? ''] ?? notHttp;
  const body = JSON.stringify({ success: false, message });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nx-error-code: ${code}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // One who neither reads nor closes his side would keep the connection for as long as he likes.
  setTimeout(() => socket.destroy(), partingMs).unref();
}
