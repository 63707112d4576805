// Starts the service: reads settings, composes, runs until a signal. Prints only what a newcomer needs.
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from './app.ts';
import type { firstStart } from './modules/accounts/first-start.ts';
import type { firstAdministrator } from './modules/users/index.ts';
import { isAway, isShut } from './platform/database-away.ts';
import { makeLog } from './platform/log.ts';
import { awayExit, hearWakes, isWorker, tellReady, wakeBeside, whenAbandoned } from './platform/worker.ts';
import { misspeltSettings, readSettings, type Settings } from './settings.ts';
import { supervise } from './supervisor.ts';

const say = (text: string) => void process.stdout.write(text);

async function run(): Promise<void> {
  if (!isWorker) for (const hint of misspeltSettings(process.env)) process.stderr.write(`${hint}\n`);
  const settings = readSettings(process.env);
  // A worker has some twenty database connections, whose number is limited.
  const workers = settings.workers === 'auto' ? Math.min(8, availableParallelism()) : settings.workers;
  const { role } = settings;
  if (!isWorker && (workers > 1 || role === undefined)) {
    const counts = { serve: workers, follow: role === undefined ? 1 : 0 };
    process.exit(await supervise(settings, counts, makeLog(settings.logLevel), say));
  }

  // Loaded here because a supervisor, or a start with wrong settings, does not need it.
  const [{ makeApp }, accounts, users] = await Promise.all([
    import('./app.ts'),
    import('./modules/accounts/first-start.ts'),
    import('./modules/users/index.ts'),
  ]);
  let app: App | undefined;
  let stopping = false;
  const starting = new AbortController();
  const hurry = new AbortController();
  const log = makeLog(settings.logLevel);
  const stop = async (signal: string) => {
    // SIGTERM may come twice: from a supervisor and from whatever ends its process group.
    if (stopping && signal !== 'SIGTERM') hurry.abort();
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    app?.leave();
    // Gives load balancers time to notice and callers to go elsewhere; a person at the keyboard does not wait.
    if (app && signal === 'SIGTERM' && role !== 'follow')
      await pause(settings.stopDelayMs, undefined, hurry).catch(() => undefined);
    // Ends a stop that hangs; everything acknowledged is in the database by then.
    setTimeout(() => process.exit(1), settings.stopLimitMs).unref();
    starting.abort(new Error('stopped by a signal'));
    if (!app) return;
    await app.stop();
    process.exit(0);
  };
  // SIGHUP: the terminal it was started in was closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
  whenAbandoned(() => stop('the supervisor is gone'));
  try {
    // What was begun is ended before this process, the embedded server above all, which would outlive it.
    app = await makeApp({ settings, wakeBeside, log, ended: starting.signal });
    starting.signal.throwIfAborted();
  } catch (e) {
    if (!starting.signal.aborted)
      throw settings.databaseUrl !== undefined && isShut(e)
        ? new Error('the database that DATABASE_URL names cannot be used', { cause: e })
        : e;
    await app?.stop();
    process.exit(0);
  }
  hearWakes((wake) => app.wake(wake));

  // It has no port of its own: the workers beside it answer for it.
  if (isWorker && role === 'follow') {
    await app.start();
    return tellReady({ port: '', greeting: '' });
  }
  let started: { address: string; demo: Demo; administrator: Administrator };
  try {
    // Secrets are generated and printed only once, so only after nothing else can prevent the start.
    const address = (await app.listen()).replace('0.0.0.0', '127.0.0.1');
    const own = app.embedded && role !== 'follow';
    const demo = own ? await accounts.firstStart(app.services) : undefined;
    const administrator = own ? await users.firstAdministrator(app.services) : undefined;
    started = { address, demo, administrator };
  } catch (e) {
    await app.stop();
    throw e;
  }
  const { address, demo, administrator } = started;
  const greeting = `${[...describe(app, settings, address, workers), ...secrets(address, demo, administrator)].join('\n')}\n`;
  if (!isWorker) say(greeting);
  tellReady({ port: new URL(address).port, greeting });
}

function describe(app: App, settings: Settings, address: string, workers: number): string[] {
  const sftp = app.sftpAddress()?.replace('0.0.0.0', '127.0.0.1');
  return [
    'Assay is ready.',
    ...(settings.role === 'follow'
      ? [`  Health   ${address}/health/ready`]
      : [`  API      ${address}`, `  Docs     ${address}/docs`, `  Console  ${address}/console`]),
    ...(sftp ? [`  SFTP     sftp://${sftp}`] : []),
    `  Database ${app.embedded ? `embedded PostgreSQL in ${settings.dataDir}` : 'DATABASE_URL'}`,
    ...(workers > 1 ? [`  Workers  ${workers}`] : []),
    ...(settings.webhookAllowHttp
      ? ['  Webhooks may go to http:// and to this machine; WEBHOOK_ALLOW_HTTP=false forbids it']
      : []),
    ...(settings.webhookHttpUnset
      ? [
          '  Webhooks go to public https:// addresses only, for others reach this service; WEBHOOK_ALLOW_HTTP=true allows more',
        ]
      : []),
  ];
}

type Demo = Awaited<ReturnType<typeof firstStart>>;
type Administrator = Awaited<ReturnType<typeof firstAdministrator>>;

/** Secrets that are shown only once. */
function secrets(address: string, demo: Demo, administrator: Administrator): string[] {
  return [
    ...(administrator
      ? [
          '',
          'Sign in to the console; the password is shown this once and must be changed then:',
          `  E-mail   ${administrator.email}`,
          `  Password ${administrator.password}`,
        ]
      : []),
    ...(demo
      ? [
          '',
          'A PSP named "Demo PSP" was made for you. Its key, shown this once:',
          `  ${demo.apiKey}`,
          '',
          'Verify a transaction:',
          `  curl -s ${address}/v1/transaction/verifyTransaction -H 'x-api-key: ${demo.apiKey}' -H 'content-type: application/json' -d '{"ref":"order-1","totalAmount":107.50,"currency":"NGN","countryCode":"NG","paymentMethods":{"card":107.50},"transactionFee":1.50}'`,
        ]
      : []),
  ];
}

run().catch((e: unknown) => {
  const causes: string[] = [];
  for (let c: unknown = e; c instanceof Error && causes.length < 4; c = c.cause) causes.push(c.message);
  process.stderr.write(`Assay could not start: ${causes.join('; because ') || String(e)}\n`);
  process.exit(isWorker && isAway(e) ? awayExit : 1);
});
