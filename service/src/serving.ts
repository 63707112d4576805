// The half of the service that answers: HTTP with its pages, and the file drop. It works on nothing that outlives a
// request. A process that only follows has its health and metrics from here.
import type { Duplex } from 'node:stream';
import { connectWithin } from './adapters/http/door.ts';
import { listen } from './adapters/http/listeners.ts';
import { operations, type Served } from './adapters/http/operations.ts';
import { pages, probes } from './adapters/http/pages.ts';
import { type HttpOptions, type HttpServer, makeServer } from './adapters/http/server.ts';
import { makeSftp } from './adapters/sftp/server.ts';
import type { Ground } from './ground.ts';
import { RequestLog } from './modules/requests/index.ts';
import { every } from './platform/every.ts';
import { ownLimits, tooFewFiles } from './platform/open-files.ts';
import { Readiness } from './platform/readiness.ts';

export interface Serving {
  connect(): Promise<Duplex>;
  /** @returns the HTTP address */
  listen(): Promise<string>;
  sftpAddress(): string | undefined;
  leave(): void;
  /** Finishes accepted requests. */
  stop(): Promise<void>;
}

/** What operations may use. */
export type Offered = HttpOptions<Served>['services'];

const logEveryMs = 1000;
/** Requests wait in memory for as many PSPs as fill their minute. */
const waitingMinutes = 40;

export function composeServing(ground: Ground, services: Offered): Serving {
  const { metrics, admission, tracing, committer, pool, background } = ground;
  const { settings, log } = services;
  const answers = settings.role !== 'follow';
  let server: HttpServer | undefined;
  const requests =
    answers && settings.requestLogDays > 0
      ? new RequestLog({
          ...{ db: background.prepared, clock: services.clock, ids: services.ids, log },
          perMinute: settings.requestLogPerMinute,
          mostWaiting: settings.requestLogPerMinute * waitingMinutes,
          dropped: (n) => metrics.count('assay_request_log_dropped_total', {}, n),
        })
      : undefined;
  const writing = requests && every(logEveryMs, () => requests.flush());
  const readiness = new Readiness(pool, committer);
  const unready = async () => (server?.leaving ? 'it is stopping' : readiness.why());
  const http: HttpOptions<Served> = {
    services,
    operations: answers ? operations : [],
    metrics,
    admission,
    tracing,
    requests,
    extras(app) {
      probes(app, { metrics, unready });
      if (answers) pages(app, { services, operations });
    },
  };
  const sftp = answers && settings.cdrSftp === 'embedded' ? makeSftp(services, { observe: metrics.drop }) : undefined;
  let sftpAddress: string | undefined;
  if (answers) metrics.read({ assay_sftp_connections: () => sftp?.connections ?? 0 });
  return {
    sftpAddress: () => sftpAddress,
    connect: () => connectWithin((server ??= makeServer(http)).app),
    async listen() {
      const few = answers ? tooFewFiles(ownLimits(), settings.maxConnections) : undefined;
      if (few)
        log.warn(
          few,
          'the system lets this process open fewer files than MAX_CONNECTIONS needs: past them connections are closed without an answer. Raise the limit of open files, or lower MAX_CONNECTIONS',
        );
      sftpAddress = await sftp?.listen();
      server = makeServer(http);
      return listen(server.app, settings, log);
    },
    leave: () => server?.leave(),
    async stop() {
      await Promise.all([server?.stop(), sftp?.stop()]);
      await writing?.stop();
      await requests?.flush(true);
    },
  };
}
