// Processes call detail files: one process takes each finished upload from the incoming folders, processes it under an
// advisory lock that ends with the database connection, writes a status file and archives the upload. PSPs take turns,
// so that no file waits for the end of another PSP's long one.

import type { PspId } from '../../../core/ids.ts';
import { trades } from '../../../core/standing.ts';
import { rowTypeOf } from '../../../platform/catalogue.ts';
import { type Pool, transactionOn } from '../../../platform/database.ts';
import { errorFields } from '../../../platform/log.ts';
import { openFile } from '../../../platform/sealed-files.ts';
import { findAnyAccount } from '../../accounts/index.ts';
import type { Needs, Principal } from '../../kernel/needs.ts';
import { type CdrFile, countOfName, getFile, insertFile } from './file-store.ts';
import { CdrFolders, type SealFile, type Taken } from './folders.ts';
import type { Opened } from './inspect.ts';
import { processFile } from './process-file.ts';
import { archivePlace } from './ready.ts';
import { statusText } from './status.ts';
import { Validation } from './validation.ts';

/** Most rejected lines stored per file; a sender with more errors corrects the file itself. */
const suspenseLines = 100_000;

/** Portions processed for one PSP in a turn while files of another PSP wait. */
const turnPortions = 4;

export interface IntakeOptions {
  readonly services: Needs<
    'settings' | 'clock' | 'ids' | 'log' | 'db' | 'committer' | 'backgroundPauses' | 'vault' | 'subjects'
  >;
  /**
   * Of at least two connections, which find rows by index: a portion brings hundreds of keys, and a whole table is read
   * for them where PostgreSQL may.
   */
  readonly pool: Pool;
  /** Absolute. */
  readonly dataDir: string;
  /** Called after each portion of a file with its number of lines. */
  readonly observe?: (lines: number) => void;
  /** Most rejected lines of a file that wait in suspense. */
  readonly suspenseLines?: number;
  /** Bytes of a file read at a time before anything of it is recorded. */
  readonly readingBytes?: number;
}

export interface HasCdrIntake {
  readonly cdrIntake: Pick<CdrIntake, 'take' | 'work' | 'keepPublished'>;
}

export class CdrIntake {
  readonly #o: IntakeOptions;
  readonly #folders: CdrFolders;
  #validation: Validation | undefined;
  #working: Promise<void> | undefined;
  #again = false;
  #stopping = false;
  /** Files to be processed by PSP, oldest first; the PSP whose turn is next comes first. */
  readonly #waiting = new Map<string, Taken[]>();
  /** First readings of files in progress, kept from one turn to the next. */
  readonly #inspected = new Map<string, Opened>();

  constructor(options: IntakeOptions) {
    this.#o = options;
    this.#folders = new CdrFolders(options.dataDir);
  }

  /** Takes every finished upload and works until nothing is left. */
  async pickUp(): Promise<void> {
    await this.take({});
    await this.work();
  }

  /**
   * Takes every finished upload and starts to process them without waiting for the end: scheduled jobs run one after
   * another, and the next pick-up must not wait for a long file.
   */
  async beginPickUp(): Promise<void> {
    await this.take({});
    void this.work();
  }

  /** Takes finished uploads, of one PSP or one account only, without working on them. @returns how many */
  async take(only: { psp?: PspId; account?: string | undefined }): Promise<number> {
    const { services: s } = this.#o;
    let taken = 0;
    for (const file of await this.#folders.waiting(only.account)) {
      if (this.#stopping) break;
      const psp = await this.#pspOf(file.account);
      if (psp === undefined || (only.psp !== undefined && psp !== only.psp)) continue;
      const mine = await this.#folders.take(file, s.ids.next());
      if (!mine) continue;
      await insertFile(s.db, psp, mine, new Date(s.clock()).toISOString());
      taken++;
    }
    return taken;
  }

  /** Processes all unfinished files that were taken, PSPs by turns. A call during a run makes it look again. */
  work(): Promise<void> {
    this.#again = true;
    this.#working ??= this.#run();
    return this.#working;
  }

  /** Removes archived files past their retention; their rows in the database stay. Seals those still unencrypted. */
  async clearArchive(): Promise<void> {
    const { services: s } = this.#o;
    const sealed = await this.#folders.sealArchived(this.#seal);
    if (sealed > 0 && !this.#working) this.#validation?.rest();
    if (sealed > 0) s.log.info({ files: sealed }, 'call detail files that were archived in clear were sealed');
    const days = s.settings.cdrArchiveDays;
    if (days === 0) return;
    const before = new Date(s.clock() - days * 86_400_000).toISOString().slice(0, 10);
    const files = await this.#folders.removeArchived(before);
    if (files > 0) s.log.info({ files, before }, 'archived call detail files were removed');
  }

  /** The original bytes of a file; undefined if it is not archived. */
  async readArchived(file: CdrFile): Promise<AsyncGenerator<Buffer> | undefined> {
    const path = await this.#folders.findArchived(file);
    return path === undefined ? undefined : openFile(this.#o.services.vault, path, archivePlace(file.id));
  }

  /** Stops after the current portion; another process, or the next start, continues from there. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#working?.catch(() => undefined);
    await this.#validation?.stop();
  }

  /** Writes a file's status again. */
  async tell(file: CdrFile): Promise<void> {
    const { db } = this.#o.services;
    const which = await countOfName(db, file);
    await this.#folders.writeStatus(file.account, file.name, which, await statusText(db, file));
  }

  /** Writes a file's status as the file is now. A failure is logged: what the status tells of stands, and it can be written later. */
  async keepPublished({ psp, id }: Pick<CdrFile, 'psp' | 'id'>): Promise<void> {
    const { db, log } = this.#o.services;
    try {
      await this.tell(await getFile(db, psp, id));
    } catch (e) {
      log.error({ file: id, ...errorFields(e) }, 'a status file was not written');
    }
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      if (this.#again) {
        this.#again = false;
        await this.#look();
      }
      const [next] = this.#waiting;
      if (next) await this.#turn(...next);
      else if (!this.#again) this.#validation?.rest();
      if (!next && !this.#again) break;
    }
    this.#waiting.clear();
    this.#inspected.clear();
    // No `await` between the last check of `#again` and this line, so that no call is missed.
    this.#working = undefined;
  }

  /** Finds the files to process. New PSPs are queued behind the others. */
  async #look(): Promise<void> {
    const found = new Map<string, Taken[]>();
    const psps = new Map<string, string | undefined>();
    try {
      for (const taken of await this.#folders.taken()) {
        const { account } = taken;
        const psp = psps.has(account) ? psps.get(account) : await this.#pspOf(account);
        psps.set(account, psp);
        if (psp === undefined) continue;
        const files = found.get(psp);
        if (files) files.push(taken);
        else found.set(psp, [taken]);
      }
    } catch (e) {
      this.#o.services.log.error(
        errorFields(e),
        'call detail files that were taken could not be looked through; the next pick-up does it',
      );
      return;
    }
    for (const psp of this.#waiting.keys()) if (!found.has(psp)) this.#waiting.delete(psp);
    for (const [psp, files] of found) this.#waiting.set(psp, files);
  }

  /** Processes files of one PSP until it is the turn of another PSP. */
  async #turn(psp: PspId, files: Taken[]): Promise<void> {
    const othersWait = () => this.#again || this.#waiting.size > 1;
    let before = 0;
    for (let file = files[0]; file; file = files[0]) {
      let portions = 0;
      const turnOver = (begun: number) => this.#stopping || (before + begun >= turnPortions && othersWait());
      let ended = true;
      try {
        ended = await this.#one(psp, file, (begun) => {
          portions = begun;
          return turnOver(begun);
        });
      } catch (e) {
        this.#o.services.log.error(
          { file: file.id, account: file.account, ...errorFields(e) },
          'a call detail file could not be worked on to its end; the next pick-up goes on with it',
        );
      }
      if (ended) {
        files.shift();
        this.#inspected.delete(file.id);
      }
      before += Math.max(1, portions);
      if (turnOver(0)) break;
    }
    this.#waiting.delete(psp);
    if (files.length > 0) this.#waiting.set(psp, files);
  }

  /** @returns whether this process is done with the file; false if the turn ended before the file did */
  async #one(psp: PspId, taken: Taken, turnOver: (portions: number) => boolean): Promise<boolean> {
    const { pool, services: s } = this.#o;
    const validation = await this.#thread();
    return pool.withClient(async (client) => {
      // The transactions run on the connection that holds the lock, so they cannot outlive it.
      const key = `cdr-work|${taken.id}`;
      const { rows } = await client.query('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS mine', [key]);
      if (!rows[0].mine) return true;
      try {
        // It may have been finished between being seen and being locked.
        if (!(await this.#folders.stands(taken))) return true;
        await insertFile(s.db, psp, taken, new Date(s.clock()).toISOString());
        const file = await processFile(
          {
            services: s,
            byIndex: pool,
            validation,
            inspected: this.#inspected,
            readingBytes: this.#o.readingBytes,
            suspenseLines: this.#o.suspenseLines ?? suspenseLines,
            principal: intakeOf(psp, taken.account),
            transaction: (work) => transactionOn(client, work),
            maxBytes: s.settings.cdrFileLimit,
            turnOver,
            progressed: (_, lines) => this.#o.observe?.(lines),
          },
          taken,
          psp,
        );
        if (file) await this.#putAway(taken, file);
        return file !== undefined;
      } finally {
        await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [key]).catch(() => undefined);
      }
    });
  }

  #seal: SealFile = async (from, to, fileId) => (await this.#thread()).order('seal', { from, to, fileId });

  async #thread(): Promise<Validation> {
    const { services: s } = this.#o;
    if (!this.#validation || this.#validation.ended)
      this.#validation = new Validation(s.vault, await rowTypeOf(s.db, 'cdrs'));
    return this.#validation;
  }

  async #putAway(taken: Taken, file: CdrFile): Promise<void> {
    const { services: s } = this.#o;
    await this.keepPublished(file);
    await this.#folders.archive(taken, file.pickedUpAt, this.#seal);
    s.log.info({ file: file.id, state: file.state, ...file.tally.counts }, 'call detail file completed');
  }

  async #pspOf(account: string): Promise<string | undefined> {
    const { services: s } = this.#o;
    const found = await findAnyAccount(s.db, account);
    if (!found || !trades(found))
      s.log.warn({ account }, 'call detail files wait in the folder of an account that does not exist');
    return found && trades(found) ? found.psp : undefined;
  }
}

/** The principal in journal entries of the intake: the account, by its file. */
const intakeOf = (psp: PspId, account: string): Principal => ({
  kind: account === psp ? 'psp' : 'client',
  psp,
  account,
  actor: 'cdr-file',
});
