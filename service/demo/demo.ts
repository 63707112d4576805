// assay demo: fills a service with a seeded world. Without --url it starts one on a folder of its own, whose clock it
// moves through the weeks, and keeps it running.
import type { Command } from 'commander';
import { add, option, wholeNumber } from '../src/adapters/cli/command.ts';
import { UsageError } from '../src/adapters/cli/exit-codes.ts';
import type { Output } from '../src/adapters/cli/output.ts';
import { systemClock } from '../src/platform/clock.ts';
import { makeWorld } from './make-world.ts';
import { progressBar } from './progress.ts';
import { runDemo } from './run-demo.ts';

interface Options {
  readonly seed: number;
  readonly days: number;
  readonly scale: number;
  readonly data: string;
  readonly url?: string;
  readonly key?: string;
  readonly fillOnly?: boolean;
}

const scaleOf = (text: string): number => {
  const n = Number(text);
  if (!(n >= 0.01 && n <= 100)) throw new UsageError('--scale must be from 0.01 to 100');
  return n;
};

export function demoCommand(program: Command): void {
  add<Options>(
    program,
    'demo',
    'a seeded world to try things on: PSPs, clients, weeks of transactions, call records, webhooks, reports',
    [
      option('--seed <n>', 'the same seed makes the same world')
        .argParser(wholeNumber(0, 2 ** 31 - 1))
        .default(1),
      option('--days <n>', 'days up to this one').argParser(wholeNumber(1, 366)).default(30),
      option('--scale <n>', 'how busy it is; 1 is some 165 transactions a day').argParser(scaleOf).default(1),
      option('--data <folder>', 'where its own service keeps its data').default('./demo-data'),
      option('--fill-only', 'stop the service when the world is made'),
      option('--url <address>', 'fill this service in place of one of its own; all is recorded at the time it is'),
      option('--key <key>', "with --url: an operator's key"),
    ],
    async (out, options) => {
      const { url, key } = options;
      if ((url === undefined) !== (key === undefined)) throw new UsageError('--url and --key go together');
      if (url !== undefined && key !== undefined) await fill(out, options, url, key);
      else await runDemo(out, options);
    },
  );
}

async function fill(out: Output, { seed, days, scale }: Options, url: string, apiKey: string): Promise<void> {
  const startMs = systemClock() - days * 86_400_000;
  const place = { url, apiKey, startMs, receiver: undefined, drop: undefined };
  const made = await makeWorld({ seed, days, scale }, place, progressBar(out.around.stderr));
  const psps = made.settled.map((s) => ({ pspId: s.pspId, name: s.house.name }));
  out.result({ events: made.events, psps }, () => {
    for (const p of psps) out.line(`${p.pspId}  ${p.name}`);
    out.line(`${made.events} events played`);
  });
}
