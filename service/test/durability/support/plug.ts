// A proxy between the service and PostgreSQL that simulates a power failure at one writing statement, by cutting all
// connections: before any of it is forwarded, or after all of it, before the reply.
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

export type Moment = 'before' | 'after';

/** Statements that lock, write or end something. A cut before a statement that only reads makes no difference. */
const writing = /BEGIN|COMMIT|INSERT|UPDATE|DELETE|commit_batch|load_tax|store_subjects|pg_advisory/;

/** The last message of a reply: the server is ready for the next statement. */
const isReady = (chunk: Buffer) =>
  chunk.length >= 6 && chunk.readUInt32BE(chunk.length - 5) === 5 && chunk.at(-6) === 0x5a;

export class Plug {
  readonly #target: NetConnectOpts;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Writing statements left until the cut; 0 after the cut, -1 if none is planned. */
  #left = -1;
  #moment: Moment = 'before';
  /** URL of the database through this proxy. */
  readonly url: string;

  private constructor(url: string, server: Server) {
    const u = new URL(url.replace('@/', '@localhost/'));
    const folder = u.searchParams.get('host');
    this.#target = folder
      ? { path: `${folder}/.s.PGSQL.${u.searchParams.get('port')}` }
      : { host: u.hostname, port: Number(u.port || 5432) };
    this.url = `postgres://${u.username}:${u.password}@127.0.0.1:${(server.address() as AddressInfo).port}${u.pathname}`;
    this.#server = server;
    server.on('connection', (socket: Socket) => this.#serve(socket));
  }

  static async start(url: string): Promise<Plug> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new Plug(url, server);
  }

  /** Plans the cut at the n-th further writing statement, counted from 1. */
  pullAt(n: number, moment: Moment): void {
    this.#left = n;
    this.#moment = moment;
  }

  /** Whether the cut has happened since `pullAt`. */
  get pulled(): boolean {
    return this.#left === 0;
  }

  /** Cancels a planned cut. @returns whether it has happened */
  leave(): boolean {
    const { pulled } = this;
    this.#left = -1;
    return pulled;
  }

  async stop(): Promise<void> {
    for (const s of this.#sockets) s.destroy();
    await new Promise((closed) => this.#server.close(closed));
  }

  #pull(): void {
    for (const s of this.#sockets) s.resetAndDestroy();
  }

  #serve(service: Socket): void {
    const database = connect(this.#target as { path: string });
    this.#sockets.add(service);
    for (const s of [service, database]) s.on('error', () => undefined);
    service.on('close', () => {
      this.#sockets.delete(service);
      // PostgreSQL still executes what was forwarded.
      database.end();
    });
    let idle = false;
    let pulling = false;
    database
      .on('data', (chunk) => {
        // The reply to the statement after which connections are cut.
        if (pulling && !service.destroyed) this.#pull();
        idle = isReady(chunk);
        service.write(chunk);
      })
      .on('close', () => service.destroy());
    service.on('data', (chunk) => {
      if (idle && this.#left > 0 && writing.test(chunk.toString('latin1')) && --this.#left === 0) {
        if (this.#moment === 'before') return this.#pull();
        pulling = true;
      }
      idle = false;
      database.write(chunk);
    });
  }
}
