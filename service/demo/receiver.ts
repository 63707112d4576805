// The receiver of the demo's webhooks, on this machine: one that is sound, one that fails now and then, one that is
// gone, and one that is broken.
import { createServer } from 'node:http';

export interface Receiver {
  readonly port: number;
  urlFor(behaviour: string): string;
  close(): Promise<void>;
}

/** @param port 0 takes a free one */
export async function startReceiver(port = 0): Promise<Receiver> {
  let asked = 0;
  const answers: Readonly<Record<string, () => number>> = {
    sound: () => 200,
    flaky: () => (++asked % 4 === 0 ? 503 : 200),
    gone: () => 410,
    broken: () => 500,
  };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const status = answers[(request.url ?? '').split('/')[2] ?? '']?.() ?? 404;
      response.writeHead(status, { 'content-type': 'text/plain' }).end(status === 200 ? 'ok' : 'not today');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const at = typeof address === 'object' && address ? address.port : port;
  return {
    port: at,
    urlFor: (behaviour) => `http://127.0.0.1:${at}/hooks/${behaviour}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
