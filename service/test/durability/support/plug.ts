// A proxy between the service and PostgreSQL whose plug is pulled at one writing statement: before any of it is passed on,
// or when all of it was and the answer is not yet back. All connections are cut at once.
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

export type Moment = 'before' | 'after';

/** Statements that hold, write or end something; before which of those that only read it is cut makes no difference. */
const writing = /BEGIN|COMMIT|INSERT|UPDATE|DELETE|commit_batch|load_tax|store_subjects|pg_advisory/;

/** The last message of an answer: the server is ready for the next statement. */
const isReady = (chunk: Buffer) =>
  chunk.length >= 6 && chunk.readUInt32BE(chunk.length - 5) === 5 && chunk.at(-6) === 0x5a;

export class Plug {
  readonly #target: NetConnectOpts;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Writing statements up to the one; 0 once it was pulled, -1 where it is not to be. */
  #left = -1;
  #moment: Moment = 'before';
  /** URL of the database by way of this proxy. */
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

  /** Is pulled at the n-th writing statement from here on, the first being 1. */
  pullAt(n: number, moment: Moment): void {
    this.#left = n;
    this.#moment = moment;
  }

  /** Whether it was pulled since `pullAt`. */
  get pulled(): boolean {
    return this.#left === 0;
  }

  /** @returns whether it was pulled; from here on it stays in */
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
      // What was passed on is still read and done.
      database.end();
    });
    let idle = false;
    let pulling = false;
    database
      .on('data', (chunk) => {
        // The answer to the statement after which it is pulled.
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
