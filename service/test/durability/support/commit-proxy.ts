// A proxy between the service and PostgreSQL that resets the connection around a commit, or another statement: before
// its bytes are passed on, in the middle of them, or right after the last of them, when its outcome is unknown to the
// service.
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

export type CommitFate = 'pass' | 'before' | 'within' | 'after';

/** The last message of a call in the extended protocol. */
const sync = Buffer.from([0x53, 0, 0, 0, 4]);

export class CommitProxy {
  readonly #target: NetConnectOpts;
  readonly #statements: readonly Buffer[];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #fate: () => CommitFate = () => 'pass';
  readonly counts: Partial<Record<CommitFate, number>> = {};
  /** URL of the database by way of this proxy. */
  readonly url: string;

  private constructor(url: string, port: number, server: Server, statements: readonly string[]) {
    this.#statements = statements.map((name) => Buffer.from(`${name}\0`));
    const u = new URL(url.replace('@/', '@localhost/'));
    const folder = u.searchParams.get('host');
    this.#target = folder
      ? { path: `${folder}/.s.PGSQL.${u.searchParams.get('port')}` }
      : { host: u.hostname, port: Number(u.port || 5432) };
    this.url = `postgres://${u.username}:${u.password}@127.0.0.1:${port}${u.pathname}`;
    this.#server = server;
    server.on('connection', (socket: Socket) => this.#serve(socket));
  }

  /**
   * @param url of the database, over TCP or a socket's folder
   * @param statements names of the statements that it cuts; by default both forms of the commit
   */
  static async start(url: string, ...statements: string[]): Promise<CommitProxy> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const names = statements.length > 0 ? statements : ['commit_batch', 'commit_batch_psp'];
    return new CommitProxy(url, (server.address() as AddressInfo).port, server, names);
  }

  /** Decides the fate of each further commit by `fate`. */
  decide(fate: () => CommitFate): void {
    this.#fate = fate;
  }

  async stop(): Promise<void> {
    for (const s of this.#sockets) s.destroy();
    await new Promise((closed) => this.#server.close(closed));
  }

  #serve(service: Socket): void {
    const database = connect(this.#target as { path: string });
    for (const s of [service, database]) {
      this.#sockets.add(s);
      s.on('error', () => undefined).on('close', () => this.#sockets.delete(s));
    }
    database.on('data', (b) => service.write(b)).on('close', () => service.destroy());
    service.on('close', () => database.end());
    let held: Buffer[] | undefined;
    service.on('data', (chunk) => {
      // The call is held back until it is complete; its name is near its beginning.
      if (!held && this.#statements.some((name) => chunk.includes(name))) held = [];
      if (!held) {
        database.write(chunk);
        return;
      }
      held.push(chunk);
      if (!chunk.subarray(-sync.length).equals(sync)) return;
      const whole = Buffer.concat(held);
      held = undefined;
      const fate = this.#fate();
      this.counts[fate] = (this.counts[fate] ?? 0) + 1;
      const cut = () => service.resetAndDestroy();
      if (fate === 'before') cut();
      else if (fate === 'within') database.write(whole.subarray(0, whole.length >> 1), cut);
      else database.write(whole, fate === 'after' ? cut : undefined);
    });
  }
}
