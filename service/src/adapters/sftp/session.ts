// One SFTP session: handles requests in order on the account's drop. Every path goes through the virtual tree; a
// forbidden request gets an error status and has no effect.
import type { FileHandle } from 'node:fs/promises';
import type { FileEntry, SFTPWrapper } from 'ssh2';
import { type Drop, DropFault, type DropFolder, type Upload } from '../../modules/telecom/index.ts';
import { hasNoRoom } from '../../platform/database-away.ts';
import { errorFields, type Log } from '../../platform/log.ts';
import { denied, entry, fileAttributes, folderAttributes, mode, noFile, refusalOf, status } from './answers.ts';
import type { Flow } from './flow.ts';
import type { SftpLimits } from './limits.ts';
import { canonicalPath, placeOf, subfolders } from './virtual-path.ts';

type Held =
  | { readonly kind: 'upload'; readonly upload: Upload; readonly append: boolean; readonly changedMs: number }
  | { readonly kind: 'file'; readonly file: FileHandle; readonly size: number; readonly changedMs: number }
  | { readonly kind: 'list'; entries: readonly FileEntry[] };

/** Receives what happens at the drop. */
export interface DropObserver {
  signIn(outcome: 'signed_in' | 'failed' | 'error'): void;
  /** A connection was rejected: too many, or too many failed sign-ins. */
  refused(): void;
  received(bytes: number): void;
  uploaded(outcome: 'finished' | 'abandoned'): void;
}

export interface SessionOptions {
  readonly drop: Drop;
  readonly flow: Flow;
  readonly limits: SftpLimits;
  readonly log: Log;
  readonly clock: () => number;
  /** Open handles of the connection, shared by its sessions. */
  readonly open: { count: number };
  readonly observe: DropObserver;
  /** Whether the login is known to have ended. */
  ended(): boolean;
  /** Checks whether the login is still valid. */
  stillAllowed(): Promise<boolean>;
}

const namesAtOnce = 100;
const bytesOf = (asked: readonly unknown[]): number =>
  asked.reduce<number>((sum, a) => sum + (typeof a === 'string' || Buffer.isBuffer(a) ? a.length : 0), 0);
const revoked = () => denied('the login was revoked');
const noHandle = () => denied('no such handle');

/** Sends the result when the work is done, unless the client is gone. */
type Reply = (sftp: SFTPWrapper, id: number) => void;
const ok: Reply = (sftp, id) => sftp.status(id, status.OK);
const end: Reply = (sftp, id) => sftp.status(id, status.EOF);

/**
 * Sends the subsystem's exit status. scp treats a channel that closes without one as a failed copy; the library has a
 * method for it on other channels only.
 */
function exitWith(sftp: SFTPWrapper, code: 0 | 1): void {
  const channel = sftp as unknown as {
    _protocol: { exitStatus(channel: number, code: number): void };
    outgoing: { id: number; state: string };
  };
  if (channel.outgoing.state === 'open') channel._protocol.exitStatus(channel.outgoing.id, code);
}

export class SftpSession {
  readonly #sftp: SFTPWrapper;
  readonly #o: SessionOptions;
  readonly #held = new Map<string, Held>();
  #handles = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(sftp: SFTPWrapper, options: SessionOptions) {
    this.#sftp = sftp;
    this.#o = options;
    const { drop } = options;
    /** Every request counts with all that it carries: a path may have 256 KiB. */
    const on = <A extends readonly unknown[]>(request: string, work: (...asked: A) => Promise<Reply>) =>
      (sftp as NodeJS.EventEmitter).on(request, (id: number, ...asked: unknown[]) =>
        this.#answer(id, () => work(...(asked as unknown as A)), bytesOf(asked)),
      );
    on('OPEN', (path: string, flags: number) => this.#open(path, flags));
    on('READ', (handle: Buffer, offset: number, length: number) => this.#read(handle, offset, length));
    on('WRITE', (handle: Buffer, offset: number, data: Buffer) => this.#write(handle, offset, data));
    on('CLOSE', (handle: Buffer) => this.#close(handle));
    on('OPENDIR', (path: string) => this.#list(path));
    on('READDIR', (handle: Buffer) => this.#nextNames(handle));
    on('STAT', (path: string) => this.#stat(path));
    on('LSTAT', (path: string) => this.#stat(path));
    on('FSTAT', async (handle: Buffer) => this.#handleStat(handle));
    on('REALPATH', async (path: string) => {
      await options.flow.room(sftp);
      return (s, i) => s.name(i, [entry(canonicalPath(path))]);
    });
    // Clients set times and permissions after an upload and treat a refusal as a failure; both are ignored here.
    on('FSETSTAT', async () => ok);
    on('SETSTAT', async (path: string) => {
      if (!placeOf(path)) throw noFile(path);
      return ok;
    });
    on('REMOVE', async (path: string) => {
      const { folder, name } = await this.#file(path);
      await drop.remove(folder, name);
      return ok;
    });
    on('RENAME', async (from: string, to: string) => {
      const [before, after] = [await this.#file(from), await this.#file(to)];
      if (before.folder !== 'incoming' || after.folder !== 'incoming')
        throw denied('files are renamed within /cdr/incoming only');
      await drop.rename(before.name, after.name);
      return ok;
    });
    for (const request of ['MKDIR', 'RMDIR', 'READLINK', 'SYMLINK'])
      on(request, async () => {
        throw denied('folders and links are neither made, read nor removed here');
      });
    // Answered here, so that these count too: the library's own answer to them would be kept without bound.
    on('EXTENDED', async () => (s, i) => s.status(i, status.OP_UNSUPPORTED));
    sftp.on('error', (e: Error) => options.log.info({ error: e.message }, 'an SFTP session broke its protocol'));
  }

  /**
   * Ends the session after the received requests: uploads not closed are not finished.
   * @param byClient the client ended it: the exit status says to its program whether all was finished
   */
  end(byClient = false): Promise<void> {
    this.#last = this.#last.then(async () => {
      const unfinished = [...this.#held.values()].some((h) => h.kind === 'upload');
      for (const [key, h] of this.#held) {
        this.#held.delete(key);
        this.#o.open.count--;
        try {
          if (h.kind === 'upload') {
            await h.upload.abandon();
            this.#o.observe.uploaded('abandoned');
          }
          if (h.kind === 'file') await h.file.close();
        } catch (e) {
          this.#o.log.warn(errorFields(e), 'a file of an ended SFTP session was not put away');
        }
      }
      if (byClient) this.#say(() => exitWith(this.#sftp, unfinished ? 1 : 0));
      this.#say(() => this.#sftp.end());
    });
    return this.#last;
  }

  /** Answers one request, after those before it. */
  #answer(id: number, work: () => Promise<Reply>, bytes: number): void {
    const { flow, log } = this.#o;
    flow.begin(bytes);
    this.#last = this.#last.then(async () => {
      const reply = await this.#unlessEnded(work).catch((e: unknown): Reply => {
        const refusal = refusalOf(e);
        if (!refusal) log.warn(errorFields(e), 'an SFTP request failed');
        const why = hasNoRoom(e)
          ? 'the disk of this service is full; send the file again later'
          : 'the request failed here';
        return (sftp) => sftp.status(id, refusal?.code ?? status.FAILURE, refusal?.message ?? why);
      });
      this.#say(() => reply(this.#sftp, id));
      flow.end(bytes, this.#sftp);
    });
  }

  /** @throws DropFault for any request once the login is known to have ended */
  async #unlessEnded(work: () => Promise<Reply>): Promise<Reply> {
    if (this.#o.ended()) throw revoked();
    return work();
  }

  /** Ignores what the library throws if the client has disconnected: nobody is left to answer. */
  #say(words: () => void): void {
    try {
      words();
    } catch (e) {
      this.#o.log.debug(errorFields(e), 'an SFTP answer came too late');
    }
  }

  async #open(path: string, flags: number): Promise<Reply> {
    const { folder, name } = await this.#file(path);
    this.#roomForHandle();
    if (!(flags & mode.WRITE)) {
      const { size, changedMs } = await this.#o.drop.stat(folder, name);
      const file = await this.#o.drop.read(folder, name);
      return this.#hold({ kind: 'file', file, size, changedMs });
    }
    if (folder !== 'incoming') throw denied('files are written in /cdr/incoming only');
    const upload = await this.#o.drop.upload(name, {
      create: (flags & mode.CREAT) !== 0,
      exclusive: (flags & mode.EXCL) !== 0,
      truncate: (flags & mode.TRUNC) !== 0,
    });
    return this.#hold({ kind: 'upload', upload, append: (flags & mode.APPEND) !== 0, changedMs: this.#o.clock() });
  }

  async #write(handle: Buffer, offset: number, data: Buffer): Promise<Reply> {
    const h = this.#get(handle);
    if (h.kind !== 'upload') throw denied('the file was not opened for writing');
    const at = h.append ? h.upload.size : offset;
    if (!Number.isSafeInteger(at)) throw denied('no such place in a file');
    await h.upload.write(at, data);
    this.#o.observe.received(data.length);
    return ok;
  }

  async #read(handle: Buffer, offset: number, length: number): Promise<Reply> {
    const h = this.#get(handle);
    if (h.kind !== 'file' || !Number.isSafeInteger(offset)) throw denied('the file was not opened for reading');
    await this.#o.flow.room(this.#sftp);
    const bytes = Buffer.allocUnsafe(Math.min(length, this.#o.limits.readBytes));
    const { bytesRead } = await h.file.read(bytes, 0, bytes.length, offset);
    return bytesRead === 0 ? end : (sftp, id) => sftp.data(id, bytes.subarray(0, bytesRead));
  }

  async #close(handle: Buffer): Promise<Reply> {
    const h = this.#get(handle);
    this.#held.delete(handle.toString('hex'));
    this.#o.open.count--;
    if (h.kind === 'upload') {
      let outcome: 'finished' | 'abandoned' = 'abandoned';
      try {
        // Asks the database itself: a file is accepted only for a login that is valid at this moment.
        if (await this.#o.stillAllowed()) {
          await h.upload.finish();
          outcome = 'finished';
        } else {
          await h.upload.abandon();
          throw revoked();
        }
      } finally {
        this.#o.observe.uploaded(outcome);
      }
    }
    if (h.kind === 'file') await h.file.close();
    return ok;
  }

  async #list(path: string): Promise<Reply> {
    await this.#mayGoOn();
    this.#roomForHandle();
    const place = placeOf(path);
    if (!place || place.at === 'file') throw noFile();
    const files = place.at === 'incoming' || place.at === 'status' ? await this.#o.drop.list(place.at) : [];
    const folders = ['.', '..', ...subfolders[place.at]].map((name) => entry(name));
    return this.#hold({ kind: 'list', entries: [...folders, ...files.map((f) => entry(f.name, f))] });
  }

  async #nextNames(handle: Buffer): Promise<Reply> {
    const h = this.#get(handle);
    if (h.kind !== 'list') throw noHandle();
    await this.#o.flow.room(this.#sftp);
    const next = h.entries.slice(0, namesAtOnce);
    h.entries = h.entries.slice(namesAtOnce);
    return next.length === 0 ? end : (sftp, id) => sftp.name(id, next);
  }

  async #stat(path: string): Promise<Reply> {
    const place = placeOf(path);
    if (!place) throw noFile();
    const found =
      place.at === 'file' ? fileAttributes(await this.#o.drop.stat(place.folder, place.name)) : folderAttributes();
    return (sftp, id) => sftp.attrs(id, found);
  }

  #handleStat(handle: Buffer): Reply {
    const h = this.#get(handle);
    if (h.kind === 'list') return (sftp, id) => sftp.attrs(id, folderAttributes());
    const size = h.kind === 'upload' ? h.upload.size : h.size;
    return (sftp, id) => sftp.attrs(id, fileAttributes({ size, changedMs: h.changedMs }));
  }

  /** The file a path names. @throws DropFault */
  async #file(path: string): Promise<{ folder: DropFolder; name: string }> {
    await this.#mayGoOn();
    const place = placeOf(path);
    if (!place) throw noFile(path);
    if (place.at !== 'file') throw denied('a folder is no file');
    return place;
  }

  async #mayGoOn(): Promise<void> {
    if (!(await this.#o.stillAllowed())) throw revoked();
  }

  #roomForHandle(): void {
    if (this.#o.open.count >= this.#o.limits.handles)
      throw new DropFault('full', `${this.#o.limits.handles} files are open; close some first`);
  }

  #hold(held: Held): Reply {
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(this.#handles++ >>> 0);
    this.#held.set(handle.toString('hex'), held);
    this.#o.open.count++;
    return (sftp, id) => sftp.handle(id, handle);
  }

  #get(handle: Buffer): Held {
    const held = this.#held.get(handle.toString('hex'));
    if (!held) throw noHandle();
    return held;
  }
}
