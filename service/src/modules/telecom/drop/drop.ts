// One account's drop on the disk: uploads in progress, finished files that wait to be picked up, status files. Paths
// are made only here, from the account's id and one validated name.
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { syncPath } from '../../../platform/sync-path.ts';
import { DropFault, missing } from './fault.ts';
import { type DropFolder, isDropName, isFinished, isPartial, isStatus } from './names.ts';
import type { Quota } from './quota.ts';
import { Upload } from './upload.ts';

export interface DropFile {
  readonly name: string;
  readonly size: number;
  readonly changedMs: number;
}

export interface UploadMode {
  readonly create: boolean;
  /** Fails if the file exists. */
  readonly exclusive: boolean;
  /** Starts from an empty file; otherwise the existing one is continued. */
  readonly truncate: boolean;
}

const onceOnly = (name: string) =>
  new DropFault('refused', `${name} is there already and is not written twice; send it under another name`);

export class Drop {
  readonly #places: Readonly<Record<'incoming' | 'status' | 'parts' | 'hidden', string>>;
  readonly #quota: Quota;
  readonly #newName: () => string;

  /** @param root the folder of all drops @param newName for hidden files, never twice the same */
  constructor(root: string, account: string, quota: Quota, newName: () => string) {
    this.#places = {
      incoming: join(root, 'incoming', account),
      status: join(root, 'status', account),
      parts: join(root, 'staging', account, 'parts'),
      hidden: join(root, 'staging', account, 'hidden'),
    };
    this.#quota = quota;
    this.#newName = newName;
  }

  async prepare(): Promise<void> {
    for (const place of Object.values(this.#places)) await mkdir(place, { recursive: true, mode: 0o700 });
  }

  async list(folder: DropFolder): Promise<DropFile[]> {
    if (folder === 'status') return this.#files(this.#places.status, isStatus, folder);
    return [
      ...(await this.#files(this.#places.incoming, isFinished)),
      ...(await this.#files(this.#places.parts, isPartial)),
    ];
  }

  /** @throws DropFault */
  async stat(folder: DropFolder, name: string): Promise<DropFile> {
    const found = await lstat(this.#path(folder, name)).catch(absent);
    if (!found?.isFile()) throw missing();
    return { name, size: found.size, changedMs: found.mtimeMs };
  }

  /** @throws DropFault */
  async read(folder: DropFolder, name: string): Promise<FileHandle> {
    await this.stat(folder, name);
    const file = await open(this.#path(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(absent);
    if (!file) throw missing();
    return file;
  }

  /** @throws DropFault */
  upload(name: string, mode: UploadMode): Promise<Upload> {
    if (!isFinished(name) && !isPartial(name))
      throw new DropFault('refused', `${name} is no .csv file, nor a .part, .tmp or .filepart to be renamed to one`);
    return this.#quota.inTurn(async () => {
      await this.#quota.count(async () => [
        ...(await this.list('incoming')).map((f) => f.size),
        ...(await this.#files(this.#places.hidden, () => true)).map((f) => f.size),
      ]);
      return isFinished(name) ? this.#begin(name, mode) : this.#resume(name, mode);
    });
  }

  /** Removes a status file or an upload in progress; a finished file cannot be removed. @throws DropFault */
  async remove(folder: DropFolder, name: string): Promise<void> {
    const { size } = await this.stat(folder, name);
    if (folder === 'incoming' && !isPartial(name))
      throw new DropFault('refused', `${name} is finished and waits to be picked up; it cannot be removed`);
    if ((await unlink(this.#path(folder, name)).catch(absent)) === null) throw missing();
    if (folder === 'incoming') this.#quota.give(size);
  }

  /** Finishes an upload, or renames one in progress. @throws DropFault */
  async rename(from: string, to: string): Promise<void> {
    await this.stat('incoming', from);
    if (!isPartial(from) || (!isFinished(to) && !isPartial(to)))
      throw new DropFault('refused', 'only .part, .tmp and .filepart files are renamed, to .csv or to one another');
    // Hidden first, so that of two renames at the same time one finds no file.
    const hidden = this.#hidden();
    if ((await rename(this.#path('incoming', from), hidden).catch(absent)) === null) throw missing();
    try {
      const file = await open(hidden, 'r+');
      await file.sync().finally(() => file.close());
      await this.#reveal(hidden, to);
    } catch (e) {
      await rename(hidden, this.#path('incoming', from));
      throw e;
    }
  }

  async #begin(name: string, mode: UploadMode): Promise<Upload> {
    if (await lstat(this.#path('incoming', name)).catch(absent)) throw onceOnly(name);
    if (!mode.create) throw missing();
    const hidden = this.#hidden();
    return new Upload(await open(hidden, 'wx', 0o600), 0, this.#quota, {
      keep: () => this.#reveal(hidden, name),
      leave: () => rm(hidden, { force: true }),
    });
  }

  /** Hides an upload in progress while it is written, so that it cannot be renamed meanwhile. */
  async #resume(name: string, mode: UploadMode): Promise<Upload> {
    const hidden = this.#hidden();
    const place = this.#path('incoming', name);
    if (mode.exclusive && (await lstat(place).catch(absent))) throw onceOnly(name);
    const there = (await rename(place, hidden).catch(absent)) !== null;
    if (!there && !mode.create) throw missing();
    const file = await open(hidden, there && !mode.truncate ? 'r+' : 'w', 0o600);
    return new Upload(file, (await file.stat()).size, this.#quota, {
      keep: () => this.#reveal(hidden, name),
      leave: () => rename(hidden, place),
    });
  }

  /** Moves a hidden, synced file to its name. A finished file never replaces another. */
  async #reveal(hidden: string, name: string): Promise<void> {
    const place = this.#path('incoming', name);
    if (isPartial(name)) return rename(hidden, place);
    try {
      await link(hidden, place);
    } catch (e) {
      throw (e as NodeJS.ErrnoException).code === 'EEXIST' ? onceOnly(name) : e;
    }
    await unlink(hidden);
    await syncPath(this.#places.incoming);
  }

  async #files(place: string, wanted: (name: string) => boolean, folder?: DropFolder): Promise<DropFile[]> {
    const names = (await readdir(place)).filter((n) => wanted(n) && isDropName(n, folder)).sort();
    const found = await Promise.all(names.map((n) => lstat(join(place, n)).catch(absent)));
    return names.flatMap((name, i) => {
      const f = found[i];
      return f?.isFile() ? [{ name, size: f.size, changedMs: f.mtimeMs }] : [];
    });
  }

  #hidden(): string {
    return join(this.#places.hidden, this.#newName());
  }

  #path(folder: DropFolder, name: string): string {
    if (!isDropName(name, folder)) throw missing();
    if (folder === 'status') return join(this.#places.status, name);
    return join(isPartial(name) ? this.#places.parts : this.#places.incoming, name);
  }
}

function absent(e: NodeJS.ErrnoException): null {
  if (e.code === 'ENOENT' || e.code === 'ELOOP' || e.code === 'ENOTDIR') return null;
  throw e;
}
