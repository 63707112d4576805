// The answer to input that is not HTTP or is too late, written directly to the socket; and the time limits for callers.
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** In milliseconds, as Node's server takes them. */
export const patience = {
  /** To receive a whole request. */
  requestTimeout: 30_000,
  /** Until a connection without a request is closed; longer than load balancers keep theirs. */
  keepAliveTimeout: 72_000,
  /** Interval of the check for requests that take too long. */
  connectionsCheckingInterval: 2_000,
} as const;

/** Time for a caller to read the answer and leave. */
const partingMs = 1_000;
/** Time for a caller to end a body that is not read. */
const unreadMs = 2_000;

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

/** Answers requests that are not HTTP, or too late, with the usual envelope, then closes the connection. */
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
  // A caller that neither reads nor closes would otherwise keep the connection open indefinitely.
  setTimeout(() => socket.destroy(), partingMs).unref();
}

const answers =
  ({ status, code, message }: Said): RequestListener =>
  (_request, response) => {
    const [number = '400', ...reason] = status.split(' ');
    response
      .writeHead(Number(number), reason.join(' '), {
        'content-type': 'application/json',
        'x-error-code': code,
        connection: 'close',
      })
      .end(JSON.stringify({ success: false, message }));
  };

/** The answer to an `Expect` other than `100-continue`; Node's own has no body. */
export const unexpected = answers(
  malformed('417 Expectation Failed', "the header 'expect' may be '100-continue' only, or be left out"),
);

const hostless = answers(malformed('400 Bad Request', "a request of HTTP/1.1 needs the header 'host'"));

/** Answers requests of HTTP/1.1 that name no host, in place of Node, whose own answer has no body. */
export const hosted =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    const named = request.headers.host !== undefined || request.httpVersion !== '1.1';
    (named ? handler : hostless)(request, response);
  };

/** Unread bodies up to this length are read and discarded after the answer. */
const discardedBytes = 65_536;

const hasLongBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > discardedBytes;

function endOnly(this: Socket): void {
  this.end();
}

/**
 * Whether the answer must say that it closes the connection: a long body is not read to its end. Node would close it at
 * once, and a caller that is still sending would lose the answer; instead only this side is ended.
 */
export function leavesUnread(request: IncomingMessage): boolean {
  if (request.complete || !hasLongBody(request)) return false;
  const { socket } = request;
  socket.destroySoon = endOnly;
  return true;
}

/**
 * Closes the connection of an answered request whose body does not end soon. Node reads and discards the rest of a short
 * one meanwhile, and a caller that ends it keeps the connection; a long one is not read, since discarding takes memory.
 */
export function endUnread(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || socket.destroyed) return;
  if (hasLongBody(request)) socket.pause();
  setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, unreadMs).unref();
}
