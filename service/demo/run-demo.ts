// A service of the demo's own: an embedded database in its folder, a clock moved through the weeks, a receiver of
// webhooks. What it has to remember stands in demo.json there: until its world is complete, it is gone on with.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Assay } from '@assay/client';
import { UsageError } from '../src/adapters/cli/exit-codes.ts';
import { interruptibleApp, person } from '../src/adapters/cli/local.ts';
import type { Output } from '../src/adapters/cli/output.ts';
import { endable, endedBy, settingsIn, untilEnded } from '../src/adapters/cli/surroundings.ts';
import { createAccount } from '../src/modules/accounts/index.ts';
import { systemClock } from '../src/platform/clock.ts';
import { makeLog } from '../src/platform/log.ts';
import { randomSecret } from '../src/platform/random.ts';
import { type Made, makeWorld } from './make-world.ts';
import { MovedClock } from './moved-clock.ts';
import type { World } from './plan.ts';
import { progressBar } from './progress.ts';
import { startReceiver } from './receiver.ts';
import { type SignIn, signIns } from './sign-ins.ts';

interface Memory extends World {
  readonly startMs: number;
  /** Of the demo's operator; absent until there is one. */
  readonly apiKey?: string;
  readonly password: string;
  /** Of the webhooks' receiver. */
  readonly receiverPort: number;
  readonly signIns?: readonly SignIn[];
}

const hourMs = 3_600_000;

export async function runDemo(out: Output, asked: World & { data: string; fillOnly?: boolean }): Promise<void> {
  const dir = resolve(out.around.cwd, asked.data);
  const file = join(dir, 'demo.json');
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Memory) : undefined;
  if (!known && existsSync(join(dir, 'secrets')))
    throw new UsageError(`${dir} holds the data of another service; name another folder with --data`);
  mkdirSync(dir, { recursive: true });
  let memory: Memory = known ?? {
    seed: asked.seed,
    days: asked.days,
    scale: asked.scale,
    startMs: Math.floor(systemClock() / hourMs) * hourMs - asked.days * 24 * hourMs,
    password: randomSecret(9).toString('base64url'),
    receiverPort: 0,
  };
  const remember = (more: Partial<Memory>) => {
    memory = { ...memory, ...more };
    writeFileSync(`${file}.new`, JSON.stringify(memory, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  remember({});

  const complete = memory.signIns !== undefined;
  const clock = new MovedClock(memory.startMs);
  if (complete) clock.arrive();
  const settings = settingsIn(out.around, {
    ASSAY_URL: '',
    DATA_DIR: dir,
    DATABASE_URL: '',
    CDR_PICKUP_CRON: '*/15 * * * *',
  });
  if (!settings.webhookAllowHttp)
    throw new UsageError(
      "the demo's receiver of webhooks is on this machine, which a service that others reach does not call by itself; set WEBHOOK_ALLOW_HTTP=true to allow it",
    );
  const level = settings.logLevel === 'info' ? 'error' : settings.logLevel;
  const receiver = await startReceiver(memory.receiverPort);
  remember({ receiverPort: receiver.port });
  const log = makeLog(level, out.around.stderr);
  const app = await interruptibleApp(out.around, { settings, clock: clock.read, log });
  const fill = async () => {
    const url = (await app.listen()).replace('0.0.0.0', '127.0.0.1');
    if (memory.apiKey === undefined) {
      const id = app.services.ids.next();
      const staff = { psp: id, id, kind: 'operator' as const, name: 'Demo staff' };
      remember({ apiKey: (await createAccount(app.services, person(), staff, clock.read())).apiKey });
    }
    const apiKey = memory.apiKey as string;
    if (!complete) {
      const [host, port] = (app.sftpAddress()?.replace('0.0.0.0', '127.0.0.1') ?? '').split(':');
      const made: Made = await makeWorld(
        memory,
        {
          url,
          apiKey,
          startMs: memory.startMs,
          receiver,
          drop: host ? { host, port: Number(port) } : undefined,
          moveTo: (ms) => clock.moveTo(ms),
          arrive: () => clock.arrive(),
        },
        progressBar(out.around.stderr),
      );
      remember({ signIns: await signIns(url, new Assay({ baseUrl: url, apiKey }), made.settled, memory.password) });
    }
    tell(out, memory, url, dir);
  };
  try {
    await endable(out.around, (ended) => Promise.race([fill(), endedBy(ended)]));
    if (!asked.fillOnly) await untilEnded(out.around);
  } finally {
    await app.stop();
    await receiver.close();
  }
}

function tell(out: Output, memory: Memory, url: string, dir: string): void {
  const people = memory.signIns ?? [];
  out.result({ url, console: `${url}/console`, password: memory.password, signIns: people, data: dir }, () => {
    out.line('The demo is ready.');
    out.facts([
      ['  Console', `${url}/console`],
      ['  API', url],
      ['  Docs', `${url}/docs`],
      ['  Data', dir],
    ]);
    out.line();
    out.line(`Sign in with the password ${memory.password} as`);
    out.facts(people.map((p) => [`  ${p.email}`, `${p.role} of ${p.of}`]));
    out.line();
    out.line(`Operator's key: ${memory.apiKey}`);
  });
}
