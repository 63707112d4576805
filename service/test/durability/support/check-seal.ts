// Check C6: recomputes the Merkle tree of every journal and compares it with every checkpoint outside the database;
// checkpoints never change. Runs after the sealer has read the whole journal.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { audit, CheckpointFolder } from '../../../src/modules/audit/index.ts';
import type { Database } from '../../../src/platform/database.ts';
import type { Violation } from './finding.ts';

/** Checks the seal of one database, and remembers checkpoints to compare them at the next check. */
export class SealCheck {
  readonly #db: Database;
  readonly #folders: readonly string[];
  readonly #outside = new Map<string, string>();

  /** @param dataDirs DATA_DIR of every process that seals */
  constructor(db: Database, dataDirs: readonly string[]) {
    this.#db = db;
    this.#folders = dataDirs.map((d) => join(d, 'checkpoints'));
  }

  async look(): Promise<Violation[]> {
    const out: Violation[] = [];
    const say = (what: string) => out.push({ check: 'C6', what });
    const folders = this.#folders.map((f) => new CheckpointFolder(f));
    let outside = 0;
    for await (const one of audit({ db: this.#db, folders })) {
      outside += one.outside;
      for (const f of one.findings) say(`${f.code}: ${f.message}`);
      if (one.sealed < one.entries) say(`${one.entries} entries, ${one.sealed} of them sealed`);
    }
    if (outside === 0) say('no checkpoint outside the database was found to compare');
    for (const [file, text] of this.#files()) {
      const before = this.#outside.get(file);
      if (before !== undefined && !text.startsWith(before)) say(`${file} was added to elsewhere than at its end`);
      this.#outside.set(file, text);
    }
    return out;
  }

  *#files(): Generator<[string, string]> {
    for (const folder of this.#folders)
      for (const e of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        const file = join(e.parentPath, e.name);
        if (e.isFile()) yield [file, readFileSync(file, 'latin1')];
      }
  }
}
