// Where HTTP is listened for. Node takes one connection from a listening socket in each turn of its loop, so in a rush,
// when turns are long, new callers would wait for seconds; several sockets on one port let in several a turn.
import cluster from 'node:cluster';
import { createServer, type Server, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Connections taken in one turn at most. */
const sockets = 64;
/** Callers that may wait to be let in. */
const backlog = 4096;
/** Whether a port may have several sockets, of several processes; elsewhere it has one, of the supervisor's. */
export const eachListens = process.platform === 'linux';

export interface Place {
  readonly port: number;
  readonly host: string;
}

/**
 * Listens, to be ended by the framework's close.
 * @returns the address
 * @throws where another has it
 */
export async function listen(app: FastifyInstance, { port, host }: Place): Promise<string> {
  if (!eachListens) return app.listen({ port, host, backlog });
  // Workers share theirs; their supervisor has asked.
  if (cluster.isPrimary) await refuseTaken({ port, host });
  const further: Server[] = [];
  app.addHook('preClose', async () => {
    for (const s of further) s.close();
  });
  const main = { port, host, backlog, reusePort: true };
  const address = await app.listen(main);
  const at = app.server.address();
  if (at === null || typeof at === 'string') return address;
  const opened = Array.from({ length: sockets - 1 }, async () => {
    const s = createServer({ noDelay: true, allowHalfOpen: true }, (socket: Socket & { server?: unknown }) => {
      socket.server = app.server;
      app.server.emit('connection', socket);
    });
    await new Promise<void>((listening, reject) => {
      s.once('error', reject);
      s.listen({ port: at.port, host: at.address, backlog, reusePort: true }, listening);
    });
    further.push(s);
  });
  await Promise.all(opened);
  return address;
}

/** A port that may be shared can be taken by a second process of the same user: asks for it alone first. */
export async function refuseTaken({ port, host }: Place): Promise<void> {
  if (port === 0) return;
  const s = createServer();
  await new Promise<void>((free, reject) => {
    s.once('error', reject);
    s.listen({ port, host, exclusive: true }, () => s.close(() => free()));
  });
}
