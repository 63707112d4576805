// Ports for programs that have to be told one. They are taken at random from below those that a system gives by itself
// (Linux from 32,768 on, others from 49,152), so that no other process is given one before the program listens.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** All are held until the last is found, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = randomInt(10_000, 32_768);
    const server = createServer().listen(port, '127.0.0.1');
    if (await once(server, 'listening').catch(() => undefined)) held.set(port, server);
  }
  await Promise.all([...held.values()].map((s) => once(s.close(), 'close')));
  return [...held.keys()];
}

export const freePort = async (): Promise<number> => (await freePorts(1))[0] as number;
