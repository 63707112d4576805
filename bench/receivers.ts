// Receivers of webhooks in a separate process: `count` ports that answer 200, except the first `dead`, which never
// answer. Prints the ports, and for each line of its input what has arrived since the previous one.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

const { count, dead } = JSON.parse(process.argv[2] as string) as { count: number; dead: number };
let arrived = 0;
let lastAt = 0;
/** When each announced resource first arrived, by the ref in its body; epoch milliseconds. */
const seen = new Map<string, number>();

const ports = await Promise.all(
  Array.from({ length: count }, async (_, i) => {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        if (i < dead) return;
        const now = performance.timeOrigin + performance.now();
        arrived++;
        lastAt = now;
        const ref = /"ref":"([^"]+)"/.exec(body)?.[1];
        if (ref !== undefined && !seen.has(ref)) seen.set(ref, now);
        response.end();
      });
    });
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return (server.address() as AddressInfo).port;
  }),
);
console.log(JSON.stringify({ ports }));

createInterface({ input: process.stdin })
  .on('line', (line) => {
    console.log(JSON.stringify(line === 'seen' ? { seen: [...seen] } : { arrived, lastAt }));
  })
  .on('close', () => process.exit(0));
