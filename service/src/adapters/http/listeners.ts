// HTTP listeners. Node accepts one connection per listening socket and event loop turn, so that under load, when turns
// are long, new callers would wait for seconds; several sockets on one port accept several per turn.
import cluster from 'node:cluster';
import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { monotonicClock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Settings } from '../../settings.ts';
import { openDoor } from './door.ts';

/** Maximum connections accepted in one turn. */
const sockets = 64;
/** Maximum callers waiting to be accepted. */
const backlog = 4096;
/** Whether several processes' sockets may share a port; elsewhere there is one, the supervisor's. */
export const eachListens = process.platform === 'linux';

/** If a turn of the event loop took longer, connections may be waiting that were not accepted yet. */
const shortTurnMs = 1;
/** For this long, sockets are closed one by one, each in a quiet moment; what is open then is closed at once. */
const closingMs = 1_000;
/** A service's sockets in addition to its server's own. */
const furtherOf = new WeakMap<FastifyInstance, readonly Server[]>();

export interface Place {
  readonly port: number;
  readonly host: string;
}

/**
 * Listens until the framework's close, on the command line's door too.
 * @returns the address
 * @throws an Error that names the settings if it cannot listen there
 */
export async function listen(app: FastifyInstance, settings: Settings, log: Log): Promise<string> {
  // Workers share theirs; their supervisor has already checked the port.
  if (eachListens && cluster.isPrimary) await refuseTaken(settings);
  const further: Server[] = [];
  furtherOf.set(app, further);
  app.addHook('preClose', async () => {
    for (const s of further) s.close();
  });
  try {
    const address = await listenAt(app, settings, further);
    // Commands want a process that has the operations.
    const door = settings.role === 'follow' ? undefined : await openDoor(app, settings, log);
    if (door) further.push(door);
    return address;
  } catch (e) {
    throw cannotListen(settings, e);
  }
}

/** Adds the settings an address comes from to an error, unless it names them already. */
const cannotListen = ({ port, host }: Place, cause: unknown): Error => {
  const taken = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const why = taken ? 'another program uses that port' : 'the system does not allow it';
  return new Error(`the HTTP server cannot listen on ${host}:${port}, since ${why}; set PORT or HOST`, { cause });
};

async function listenAt(app: FastifyInstance, { port, host }: Place, further: Server[]): Promise<string> {
  if (!eachListens) return app.listen({ port, host, backlog });
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
 * Stops accepting connections; existing ones stay. When a socket closes, the system resets callers still waiting to be
 * accepted, so each closes right after a check that found none.
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

/** A second process of the same user can take a shareable port, so this first tries to listen on it exclusively. */
export async function refuseTaken({ port, host }: Place): Promise<void> {
  if (port === 0) return;
  const s = createServer();
  await new Promise<void>((free, reject) => {
    s.once('error', (e) => reject(cannotListen({ port, host }, e)));
    s.listen({ port, host, exclusive: true }, () => s.close(() => free()));
  });
}
