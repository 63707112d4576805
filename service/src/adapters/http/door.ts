// The door of this machine: a socket for the command line, in a folder of DATA_DIR that only the service's own user may
// enter. A request through it may name its operator in a header; over TCP the header has no effect.
import { chmod, lstat, mkdir, readdir, stat, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Duplex, duplexPair } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { nobody } from '../../core/ids.ts';
import type { Principal } from '../../modules/kernel/principal.ts';
import { systemClock } from '../../platform/clock.ts';
import { errorFields, type Log } from '../../platform/log.ts';
import { randomSecret } from '../../platform/random.ts';
import type { Settings } from '../../settings.ts';
import { decoded } from './addresses.ts';
import { doorFolder, doorPrefix, fits, operatorHeader } from './door-place.ts';

/** A socket that nobody answers at is one of a killed process, unless it is being made at this moment. */
const newMs = 10_000;

/** Connections that came through the door, or from within this process. */
const fromHere = new WeakSet<Duplex>();

export const isFromHere = (stream: Duplex): boolean => fromHere.has(stream);

/** The person at the keyboard, where the request came through the door and names them; undefined for everybody else. */
export function operatorHere({ socket, headers }: IncomingMessage): Principal | undefined {
  const name = headers[operatorHeader];
  if (!fromHere.has(socket) || typeof name !== 'string' || !/^[\w.~%!'()*-]{1,300}$/.test(name)) return undefined;
  const login = decoded(name);
  if (login === undefined || /\p{C}/u.test(login)) return undefined;
  return { kind: 'operator', psp: nobody, account: nobody, actor: `cli:${login}` };
}

function letIn(app: FastifyInstance, stream: Duplex): void {
  fromHere.add(stream);
  app.server.emit('connection', stream);
}

/** A connection from within this process, to a service that listens nowhere. */
export async function connectWithin(app: FastifyInstance): Promise<Duplex> {
  await app.ready();
  const [ours, theirs] = duplexPair();
  letIn(app, theirs);
  return ours;
}

/**
 * Opens the door, beside the doors of other processes on the same folder.
 * @returns undefined where there can be none: the command line does without
 */
export async function openDoor(app: FastifyInstance, settings: Settings, log: Log): Promise<Server | undefined> {
  // Windows has no sockets with a place among the files.
  if (process.getuid === undefined) return undefined;
  const folder = doorFolder(settings.dataDir);
  const path = join(folder, `${doorPrefix(settings)}${randomSecret(4).toString('hex')}`);
  try {
    if (!fits(path)) throw new Error(`the path is too long for a socket: ${path}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await lstat(folder);
    if (!found.isDirectory() || found.uid !== process.getuid() || (found.mode & 0o077) !== 0)
      throw new Error(`others may enter ${folder}, or it belongs to another user`);
    await sweep(folder);
    const server = createServer({ allowHalfOpen: true }, (socket: Socket & { server?: unknown }) => {
      socket.server = app.server;
      letIn(app, socket);
    });
    await new Promise<void>((listening, reject) => {
      server.once('error', reject);
      // Each worker has a socket of its own.
      server.listen({ path, exclusive: true }, listening);
    });
    await chmod(path, 0o600);
    return server;
  } catch (e) {
    log.warn(
      errorFields(e),
      'commands on this machine do not find this process: they start parts of the service of their own',
    );
    return undefined;
  }
}

/** Removes the sockets of processes that were killed. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isSocket() && systemClock() - found.mtimeMs > newMs && !(await answers(path)))
      await unlink(path).catch(() => undefined);
  }
}

/** Whether a process listens at a socket. */
const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    const tell = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => tell(true));
    socket.once('error', () => tell(false));
  });
