// The folders of call detail files: incoming, processing, archive, and status. A file is moved by renaming and never
// written to; the process whose rename succeeds owns the file. Archived files are sealed.
import type { Dirent } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A finished upload. */
export interface Waiting {
  /** Uuid. */
  readonly account: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** When it was finished, milliseconds since the epoch. */
  readonly receivedMs: number;
}

/** A file that was taken; its id is the name of its folder. */
export interface Taken extends Waiting {
  readonly id: string;
  readonly path: string;
}

/** Name of every archived file. Its folder is its id; its original name is in the database. */
const sealedName = 'file.csv.sealed';

/** Writes a sealed copy of a file atomically. */
export type SealFile = (from: string, to: string, fileId: string) => Promise<void>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class CdrFolders {
  readonly #root: string;

  /** @param dataDir absolute */
  constructor(dataDir: string) {
    this.#root = join(dataDir, 'cdr');
  }

  /** Finished uploads, of one account or of all. */
  async waiting(account?: string): Promise<Waiting[]> {
    const found: Waiting[] = [];
    const accounts = account === undefined ? await folders(join(this.#root, 'incoming')) : [account];
    for (const a of accounts.filter((name) => uuid.test(name)))
      for (const entry of await entries(join(this.#root, 'incoming', a))) {
        if (!entry.isFile() || !entry.name.toLowerCase().endsWith('.csv')) continue;
        const waiting = await seen(join(this.#root, 'incoming', a, entry.name), a, entry.name);
        if (waiting) found.push(waiting);
      }
    return found.sort((a, b) => a.receivedMs - b.receivedMs || (a.name < b.name ? -1 : 1));
  }

  /** Takes a finished upload; undefined if another process took it first. */
  async take(file: Waiting, id: string): Promise<Taken | undefined> {
    const folder = join(this.#root, 'processing', file.account, id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, file.name);
    try {
      await rename(join(this.#root, 'incoming', file.account, file.name), path);
      return { ...file, id, path };
    } catch (e) {
      await rmdir(folder);
      if (isMissing(e)) return undefined;
      throw e;
    }
  }

  /** Files taken and not archived, oldest first. */
  async taken(): Promise<Taken[]> {
    const found: Taken[] = [];
    for (const account of await folders(join(this.#root, 'processing')))
      for (const id of await folders(join(this.#root, 'processing', account)))
        for (const entry of await entries(join(this.#root, 'processing', account, id))) {
          const path = join(this.#root, 'processing', account, id, entry.name);
          const waiting = entry.isFile() ? await seen(path, account, entry.name) : undefined;
          if (waiting) found.push({ ...waiting, id, path });
        }
    return found.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Whether a taken file is still at its path. */
  stands = async (file: Taken): Promise<boolean> => (await lstat(file.path).catch(() => undefined)) !== undefined;

  /** Writes a sealed copy of a taken file to the archive of its pick-up day, and removes the file. */
  async archive(file: Taken, pickedUpAt: string, seal: SealFile): Promise<void> {
    const folder = this.#archived({ id: file.id, pickedUpAt });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await seal(file.path, join(folder, sealedName), file.id);
    await rm(join(this.#root, 'processing', file.account, file.id), { recursive: true });
  }

  /** Seals files that an earlier version archived unsealed. @returns how many */
  async sealArchived(seal: SealFile): Promise<number> {
    let sealed = 0;
    for (const { path: day } of await this.#archivedDays())
      for (const id of (await folders(day)).filter((name) => uuid.test(name)))
        for (const { name } of await entries(join(day, id))) {
          if (name.startsWith(sealedName)) continue;
          await seal(join(day, id, name), join(day, id, sealedName), id);
          await rm(join(day, id, name));
          sealed++;
        }
    return sealed;
  }

  /** The path of the sealed copy of an archived file, if it exists. */
  async findArchived(file: { readonly id: string; readonly pickedUpAt: string }): Promise<string | undefined> {
    const path = join(this.#archived(file), sealedName);
    return (await lstat(path).catch(() => undefined)) && path;
  }

  #archived = ({ id, pickedUpAt }: { id: string; pickedUpAt: string }) =>
    join(this.#root, 'archive', ...pickedUpAt.slice(0, 10).split('-'), id);

  /** Removes what was archived under days before this one. @param day ISO date @returns how many files */
  async removeArchived(day: string): Promise<number> {
    let removed = 0;
    for (const { date, path } of await this.#archivedDays()) {
      if (date >= day) continue;
      removed += (await folders(path)).length;
      await rm(path, { recursive: true, force: true });
    }
    return removed;
  }

  async #archivedDays(): Promise<{ date: string; path: string }[]> {
    const root = join(this.#root, 'archive');
    const days = [];
    for (const y of (await folders(root)).filter((name) => /^\d{4}$/.test(name)))
      for (const m of (await folders(join(root, y))).filter((name) => /^\d\d$/.test(name)))
        for (const d of (await folders(join(root, y, m))).filter((name) => /^\d\d$/.test(name)))
          days.push({ date: `${y}-${m}-${d}`, path: join(root, y, m, d) });
    return days;
  }

  /**
   * Writes a file's status file atomically.
   * @param which 1 for the account's first file of that name, 2 for the second: each has a status file of its own
   */
  async writeStatus(account: string, name: string, which: number, text: string): Promise<void> {
    const folder = join(this.#root, 'status', account);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const half = join(folder, `.${name.slice(0, 60)}.half`);
    const handle = await open(half, 'w', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    try {
      await rename(half, join(folder, which === 1 ? `${name}.json` : `${name}.${which}.json`));
    } catch (e) {
      await rm(half, { force: true });
      throw e;
    }
  }
}

const isMissing = (e: unknown) => (e as NodeJS.ErrnoException).code === 'ENOENT';

async function entries(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (e) {
    if (isMissing(e)) return [];
    throw e;
  }
}

/** Excludes symbolic links, so that nothing outside is read. */
const folders = async (folder: string) => (await entries(folder)).filter((e) => e.isDirectory()).map((e) => e.name);

async function seen(path: string, account: string, name: string): Promise<Waiting | undefined> {
  const stat = await lstat(path).catch(() => undefined);
  return stat?.isFile() ? { account, name, sizeBytes: stat.size, receivedMs: Math.floor(stat.mtimeMs) } : undefined;
}
