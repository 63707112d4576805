// The SFTP server of the file drop (Spec 4.15): listens, limits connections per address and in total, and stops without
// losing a closed upload.
import { createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import type { Needs } from '../../modules/kernel/needs.ts';
import { type DropLimits, Drops, sftpPasswords } from '../../modules/telecom/index.ts';
import { every } from '../../platform/every.ts';
import { errorFields } from '../../platform/log.ts';
import { networkOf } from '../../platform/network.ts';
import { TokenBuckets } from '../http/limits.ts';
import { type Served, serveConnection } from './connection.ts';
import { hostKeys } from './host-keys.ts';
import { type SftpLimits, sftpLimits } from './limits.ts';
import type { DropObserver } from './session.ts';

export interface SftpServer {
  /** Open connections. */
  readonly connections: number;
  /** @returns its address as host and port */
  listen(): Promise<string>;
  /** Closes all connections; uploads that clients had closed are finished. */
  stop(): Promise<void>;
}

/** Only tests change the limits. */
export type SftpOptions = Partial<SftpLimits> & {
  readonly drop?: Partial<DropLimits>;
  readonly observe?: DropObserver;
};

const unobserved: DropObserver = {
  signIn: () => undefined,
  refused: () => undefined,
  received: () => undefined,
  uploaded: () => undefined,
};

export function makeSftp(
  services: Needs<'settings' | 'clock' | 'monotonic' | 'ids' | 'log' | 'db'>,
  { drop, observe = unobserved, ...over }: SftpOptions = {},
): SftpServer {
  const { settings, log, clock, monotonic, ids } = services;
  const limits: SftpLimits = { ...sftpLimits, ...over };
  const dataDir = resolve(settings.dataDir);
  const drops = new Drops(join(dataDir, 'cdr'), () => ids.next(), drop);
  const failures = new TokenBuckets(1000 / limits.failureEveryMs, limits.failures);
  /** Addresses with too many failures, and until when their connections are rejected. */
  const barred = new Map<string, number>();
  const exchanges = new TokenBuckets(1000 / limits.exchangeEveryMs, limits.exchanges);
  const mayExchange = (network: string) => exchanges.take(network, monotonic()) >= 0;
  /** The oldest first. */
  const connections = new Map<Socket, { readonly network: string; readonly served: Served }>();
  let keys: Awaited<ReturnType<typeof hostKeys>> = [];

  const server = createServer({ noDelay: true }, (socket) => {
    // Later socket errors are handled by its close event.
    socket.on('error', () => undefined);
    const network = networkOf(socket.remoteAddress);
    const theirs = [...connections.values()].filter((c) => c.network === network).length;
    const refused = theirs >= limits.perAddress || isBarred(network) || !mayExchange(network);
    if (refused || (connections.size >= limits.connections && !makeRoom())) {
      turnedAway(network);
      socket.destroy();
      return;
    }
    const served = serveConnection(socket, {
      services,
      drops,
      passwords: sftpPasswords,
      keys,
      limits,
      observe,
      failed: () => failed(network),
      mayExchange: () => mayExchange(network),
    });
    connections.set(socket, { network, served });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('error', (e) => log.error(errorFields(e), 'the SFTP entrance failed'));

  /** Ends the oldest connection that has not signed in, of the address that has most of them; returns whether there was one. */
  function makeRoom(): boolean {
    const strangers = [...connections].filter(([, c]) => !c.served.signedIn);
    const byNetwork = Map.groupBy(strangers, ([, c]) => c.network);
    const [most] = [...byNetwork.values()].sort((a, b) => b.length - a.length);
    const [socket] = most?.[0] ?? [];
    if (!socket) return false;
    turnedAway(connections.get(socket)?.network);
    connections.delete(socket);
    socket.destroy();
    return true;
  }

  function turnedAway(network: string | undefined): void {
    log.info(
      { network, open: connections.size },
      'an SFTP connection was refused: too many, or too many failed sign-ins',
    );
    observe.refused();
  }

  function isBarred(network: string): boolean {
    const until = barred.get(network);
    if (until !== undefined && until <= monotonic()) barred.delete(network);
    return barred.has(network);
  }

  function failed(network: string): boolean {
    log.info({ network }, 'an SFTP sign-in failed');
    const left = failures.take(network, monotonic());
    if (left >= 0) return true;
    if (barred.size >= 10_000) barred.clear();
    barred.set(network, monotonic() - left);
    return false;
  }

  const sweep = () =>
    drops.sweep(clock()).then(
      (removed) => removed > 0 && log.info({ removed }, 'uploads that nobody finished were removed'),
      (e) => log.warn(errorFields(e), 'unfinished uploads not removed'),
    );
  const sweeping = every(3_600_000, sweep);

  return {
    get connections() {
      return connections.size;
    },
    async listen() {
      keys = await hostKeys(join(dataDir, 'secrets'));
      await sweep();
      const port = settings.sftpPort;
      await new Promise<void>((listening, reject) => {
        server.once('error', (cause) =>
          reject(
            new Error(
              `the SFTP entrance cannot listen on ${settings.sftpHost}:${port}; set SFTP_PORT or SFTP_HOST, or CDR_SFTP=off`,
              { cause },
            ),
          ),
        );
        server.listen(port, settings.sftpHost, listening);
      });
      const at = server.address() as { address: string; port: number };
      return `${at.address.includes(':') ? `[${at.address}]` : at.address}:${at.port}`;
    },
    async stop() {
      void sweeping.stop();
      const closed = new Promise<void>((done) => server.close(() => done()));
      await Promise.all([...connections.values()].map((c) => c.served.end()));
      await closed;
    },
  };
}
