// The service with a built-in fault, chosen by MUTANT: the checks must find each of them.
//   early   answers when it has decided, before the commit
//   behind  answers at once and writes later, in the background
//   outbox  writes the journal in a commit of its own, after the record's
import { setTimeout as pause } from 'node:timers/promises';
import { makeApp } from '../../../src/app.ts';
import { firstStart } from '../../../src/modules/accounts/first-start.ts';
import type { Command, Decided } from '../../../src/platform/committer.ts';
import { readSettings } from '../../../src/settings.ts';

const app = await makeApp({ settings: readSettings(process.env) });
const services = app.services as { -readonly [K in keyof typeof app.services]: (typeof app.services)[K] };
const demo = app.embedded ? await firstStart(app.services) : undefined;
const { committer } = services;

const mutants: Record<string, <R>(command: Command<R>) => Promise<R>> = {
  early: (command) =>
    new Promise((resolve, reject) => {
      committer
        .submit({
          ...command,
          decide(facts) {
            const decided = command.decide(facts);
            if (!(decided instanceof Error)) resolve(decided.reply);
            return decided;
          },
        })
        .then(resolve, reject);
    }),
  async behind<R>(command: Command<R>) {
    let made: Decided<R> | undefined;
    const reply = await committer.submit<R>({
      ...command,
      decide(facts) {
        const decided = command.decide(facts);
        if (decided instanceof Error) return decided;
        made = decided;
        return { reply: decided.reply };
      },
    });
    const decided = made as Decided<R>;
    pause(25)
      .then(() => committer.submit({ ...command, decide: () => decided }))
      .catch(() => undefined);
    return reply;
  },
  async outbox(command) {
    let entries: Decided<undefined>['writes'];
    const reply = await committer.submit({
      ...command,
      decide(facts) {
        const decided = command.decide(facts);
        entries = undefined;
        if (decided instanceof Error || !decided.writes) return decided;
        const { rows } = decided.writes;
        entries = { accounts: [], rows: rows.filter(([table]) => table === 'journal') };
        return { ...decided, writes: { ...decided.writes, rows: rows.filter(([table]) => table !== 'journal') } };
      },
    });
    if (entries) {
      const writes = entries;
      await committer.submit({
        account: command.account,
        keys: [],
        needs: [],
        decide: () => ({ reply: undefined, writes }),
      });
    }
    return reply;
  },
};

const submit = mutants[process.env.MUTANT ?? ''];
if (!submit) throw new Error(`no mutant '${process.env.MUTANT}'`);
services.committer = {
  // Only transactions have the fault; accounts are created correctly.
  submit: (command) => (command.keys[0]?.startsWith('t|') ? submit(command) : committer.submit(command)),
  get depth() {
    return committer.depth;
  },
} as typeof committer;

process.stdout.write(`  API      ${await app.listen()}\n${demo ? `  ${demo.apiKey}\n` : ''}`);
