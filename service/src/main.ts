// Starts the service: settings, compose, run until a signal. Prints what a newcomer needs, and no more.
import { makeApp } from './app.ts';
import { firstStart, system } from './modules/accounts/first-start.ts';
import { firstAdministrator } from './modules/users/index.ts';
import { readSettings } from './settings.ts';

function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}

async function run(): Promise<void> {
  const settings = readSettings(process.env);
  const app = await makeApp({ settings });
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    app.services.log.info({ signal }, 'stopping');
    // A stop that hangs is ended; what was acknowledged is in the database by then.
    setTimeout(() => process.exit(1), 10_000).unref();
    await app.stop();
    process.exit(0);
  };
  // SIGHUP: the terminal it was started in is closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(signal));

  const demo = app.embedded ? await firstStart(app.services) : undefined;
  const administrator = app.embedded ? await firstAdministrator(app.services, system) : undefined;
  const address = (await app.listen()).replace('0.0.0.0', '127.0.0.1');
  say(`Assay is ready.`);
  say(`  API      ${address}`);
  say(`  Docs     ${address}/docs`);
  say(`  Console  ${address}/console`);
  const sftp = app.sftpAddress()?.replace('0.0.0.0', '127.0.0.1');
  if (sftp) say(`  SFTP     sftp://${sftp}`);
  say(`  Database ${app.embedded ? `embedded PostgreSQL in ${settings.dataDir}` : 'DATABASE_URL'}`);
  if (settings.webhookAllowHttp)
    say(`  Webhooks may go to http:// and to this machine; WEBHOOK_ALLOW_HTTP=false forbids it`);
  if (administrator) {
    say();
    say(`Sign in to the console; the password is shown this once and must be changed then:`);
    say(`  E-mail   ${administrator.email}`);
    say(`  Password ${administrator.password}`);
  }
  if (demo) {
    say();
    say(`A PSP named "Demo PSP" was made for you. Its key, shown this once:`);
    say(`  ${demo.apiKey}`);
    say();
    say(`Verify a transaction:`);
    say(
      `  curl -s ${address}/v1/transaction/verifyTransaction -H 'x-api-key: ${demo.apiKey}' -H 'content-type: application/json' -d '{"ref":"order-1","totalAmount":107.50,"currency":"NGN","countryCode":"NG","paymentMethods":{"card":107.50},"transactionFee":1.50}'`,
    );
  }
}

run().catch((e: unknown) => {
  const causes: string[] = [];
  for (let c: unknown = e; c instanceof Error && causes.length < 4; c = c.cause) causes.push(c.message);
  process.stderr.write(`Assay could not start: ${causes.join('; because ') || String(e)}\n`);
  process.exit(1);
});
