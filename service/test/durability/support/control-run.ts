// Runs all negative controls of a soak run, and reports whether the intended check caught each.
import type { Wanted } from '../scenarios/scenario.ts';
import { mutants } from './controls.ts';
import { Stage } from './service-process.ts';
import { allChecks, forgedCheckpoint, forgeries, historyChecks, tampered, tamperings, tell } from './tampering.ts';

export interface Controlled {
  readonly what: string;
  readonly by: string;
  readonly caught: boolean;
}

export async function runControls(wanted: Wanted, say: (line: string) => void): Promise<Controlled[]> {
  const out: Controlled[] = [];
  const add = (what: string, by: string, caught: boolean) => {
    out.push({ what, by, caught });
    if (!caught) say(`control not caught by ${by}: ${what}`);
  };
  const stage = new Stage();
  try {
    for (const m of mutants) {
      const found = await m.run(stage, wanted).catch((e) => void say(`control ${m.name} broken off: ${e}`));
      add(`a service that ${m.what}`, m.by, found !== undefined);
    }
    const t = await tell(stage, await wanted.database());
    const sound = await allChecks(t);
    add('nothing: a sound story', 'none of them', sound.violations.length === 0);
    for (const f of forgeries)
      add(
        f.what,
        f.by,
        (await historyChecks(t, f.history(t))).some((v) => v.check === f.by),
      );
    for (const x of tamperings) add(x.what, x.by, (await tampered(t, x, sound)).includes(x.by));
    add('a checkpoint outside the database that was written over', 'C6', (await forgedCheckpoint(t)).includes('C6'));
  } finally {
    await stage.end();
  }
  say(`${out.filter((c) => c.caught).length} of ${out.length} controls as they should be`);
  return out;
}
