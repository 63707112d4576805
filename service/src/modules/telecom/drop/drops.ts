// All drops under one folder: returns the drop of an account, and removes incomplete files that killed processes left.
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Drop } from './drop.ts';
import { type DropLimits, dropLimits, Quota } from './quota.ts';

/** Age at which a hidden file is removed; an active upload is written to far more often. */
const leftBehindMs = 24 * 3_600_000;

export class Drops {
  readonly #root: string;
  readonly #newName: () => string;
  readonly #limits: DropLimits;
  readonly #quotas = new Map<string, Quota>();

  /** @param root the folder `cdr` of the service's data */
  constructor(root: string, newName: () => string, limits: Partial<DropLimits> = {}) {
    this.#root = root;
    this.#newName = newName;
    this.#limits = { ...dropLimits, ...limits };
  }

  /** @param account uuid */
  async of(account: string): Promise<Drop> {
    let quota = this.#quotas.get(account);
    if (!quota) this.#quotas.set(account, (quota = new Quota(this.#limits)));
    const drop = new Drop(this.#root, account, quota, this.#newName);
    await drop.prepare();
    return drop;
  }

  /** Removes hidden files that nobody has written to for a day. @returns how many */
  async sweep(now: number): Promise<number> {
    const staging = join(this.#root, 'staging');
    let removed = 0;
    for (const account of await readdir(staging).catch(() => [])) {
      const hidden = join(staging, account, 'hidden');
      for (const name of await readdir(hidden).catch(() => [])) {
        const file = join(hidden, name);
        const found = await lstat(file).catch(() => undefined);
        if (!found || now - found.mtimeMs < leftBehindMs) continue;
        await rm(file, { force: true });
        removed++;
      }
    }
    return removed;
  }
}
