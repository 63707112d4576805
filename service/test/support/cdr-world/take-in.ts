// Takes a generated world in, some days at a time, as its operators would have sent it; each is a client of one PSP.

import type { Account, TestApp } from '../app.ts';
import type { CdrRow } from '../cdr-files.ts';
import { dataDirOf, drop } from '../cdr-files.ts';
import { operators } from './people.ts';
import type { World, WorldDay, WorldFile } from './world.ts';

export interface TakenIn {
  /** By the operator's token. */
  readonly accounts: ReadonlyMap<string, Account>;
  readonly files: readonly WorldFile[];
  /** All rows of an operator's files, bad ones and repetitions too. */
  rowsOf(token: string): CdrRow[];
}

/** Days between two pick-ups: fewer than make a record late. */
const together = 5;

/** The clock must stand before the world's month; it is moved along. */
export async function takeIn(t: TestApp, psp: Account, world: World): Promise<TakenIn> {
  const accounts = new Map<string, Account>();
  for (const o of operators) accounts.set(o.token, await t.makeClient(psp, { registeredName: o.network }));
  const files: WorldFile[] = [];
  const pickUp = async (day: WorldDay) => {
    t.advance(day.sentMs + 3_600_000 - t.now());
    await t.app.services.cdrIntake.pickUp();
  };
  let last: WorldDay | undefined;
  let waiting = 0;
  for (const day of world.days()) {
    for (const f of day.files) drop(dataDirOf(t), accounts.get(f.operator.token) as Account, f.name, f.text);
    files.push(...day.files);
    last = day;
    waiting = (waiting + 1) % together;
    if (waiting === 0) await pickUp(day);
  }
  if (last && waiting > 0) await pickUp(last);
  return {
    accounts,
    files,
    rowsOf: (token) => files.filter((f) => f.operator.token === token).flatMap((f) => f.rows),
  };
}
