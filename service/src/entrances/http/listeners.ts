// Where HTTP is listened for. Node takes one connection from a listening socket in each turn of its loop, so in a rush,
// when turns are long, new callers would wait for seconds; several sockets on one port let in several a turn.
import cluster from 'node:cluster';
import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { monotonicClock } from '../../platform/clock.ts';

/** Connections taken in one turn at most. */
const sockets = 64;
/** Callers that may wait to be let in. */
const backlog = 4096;
/** Whether a port may have several sockets, of several processes; elsewhere it has one, of the supervisor's. */
export const eachListens = process.platform === 'linux';

/** A turn of the loop that took longer says little about who came to the door meanwhile. */
const shortTurnMs = 1;
/** So long the doors are closed one by one, each in a quiet moment; what is open then closes as it is. */
const closingMs = 1_000;
/** A service's sockets beside its server's own. */
const furtherOf = new WeakMap<FastifyInstance, readonly Server[]>();

export interface Place {
  readonly port: number;
  readonly host: string;
}

/**
 * Listens, to be ended by the framework's close.
 * @returns the address
 * @throws an Error that names the settings, where it cannot listen there
 */
export async function listen(app: FastifyInstance, place: Place): Promise<string> {
  // Workers share theirs; their supervisor has asked.
  if (eachListens && cluster.isPrimary) await refuseTaken(place);
  try {
    return await listenAt(app, place);
  } catch (e) {
    throw cannotListen(place, e);
  }
}

/** Says which settings an address comes from, and keeps what is said already. */
const cannotListen = ({ port, host }: Place, cause: unknown): Error => {
  const taken = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const why = taken ? 'another program uses that port' : 'the system does not allow it';
  return new Error(`the HTTP entrance cannot listen on ${host}:${port}, since ${why}; set PORT or HOST`, { cause });
};

async function listenAt(app: FastifyInstance, { port, host }: Place): Promise<string> {
  if (!eachListens) return app.listen({ port, host, backlog });
  const further: Server[] = [];
  furtherOf.set(app, further);
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

/**
 * Accepts no connection any more; those there are stay as they are. Whoever waits to be let in when a socket closes is
 * reset by the system, so each closes right after a look at it that found nobody.
 */
export async function closeListeners(app: FastifyInstance): Promise<void> {
  const until = monotonicClock() + closingMs;
  for (const server of [...(furtherOf.get(app) ?? []), app.server].filter((s) => s.listening)) {
    let someone = false;
    const seen = () => {
      someone = true;
    };
    server.prependListener('connection', seen);
    for (let at = monotonicClock(); ; ) {
      someone = false;
      await turn();
      const now = monotonicClock();
      if ((!someone && now - at < shortTurnMs) || now > until) break;
      at = now;
    }
    server.close();
    server.off('connection', seen);
  }
}

/** A port that may be shared can be taken by a second process of the same user: asks for it alone first. */
export async function refuseTaken({ port, host }: Place): Promise<void> {
  if (port === 0) return;
  const s = createServer();
  await new Promise<void>((free, reject) => {
    s.once('error', (e) => reject(cannotListen({ port, host }, e)));
    s.listen({ port, host, exclusive: true }, () => s.close(() => free()));
  });
}
