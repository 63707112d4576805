// The answer to what is not HTTP at all, written to the socket itself.
import type { Socket } from 'node:net';

/** Requests that are not HTTP: the same envelope, then the connection closes. */
export function clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const large = error.code === 'HPE_HEADER_OVERFLOW';
  const body = JSON.stringify({
    success: false,
    message: large ? 'the headers are too large' : 'the request is not valid HTTP',
  });
  socket.end(
    `HTTP/1.1 ${large ? '431 Request Header Fields Too Large' : '400 Bad Request'}\r\nContent-Type: application/json\r\nx-error-code: BODY_MALFORMED\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
