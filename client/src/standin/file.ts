// The durable record of stand-in answers: lines of JSON in a file that the caller opened. A line counts once it is on the
// disk; a last line that was cut off by a crash is left out.

/** As node:fs/promises opens a file with 'a+'. */
export interface StandinFile {
  readFile(options: { encoding: 'utf8' }): Promise<string>;
  appendFile(text: string): Promise<void>;
  datasync(): Promise<void>;
  truncate(length: number): Promise<void>;
}

interface Work {
  /** A line to append; undefined for starting over. */
  readonly line?: string | undefined;
  readonly startOver?: { readonly may: () => boolean; readonly lines: () => readonly unknown[] } | undefined;
  readonly done: () => void;
  readonly failed: (e: unknown) => void;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
const written = (lines: readonly unknown[]): string => lines.map((l) => `${JSON.stringify(l)}\n`).join('');

/** Writes lines one after the other; those that wait together share one write to the disk. */
export class LineFile {
  readonly #file: StandinFile;
  #waiting: Work[] = [];
  #writing = false;
  /** Bytes of the lines that are on the disk. */
  #end = 0;
  /** Whether something stands behind them: a write failed, and what it left was not cut off yet. */
  #torn = false;

  constructor(file: StandinFile) {
    this.#file = file;
  }

  /** Reads all whole lines, and cuts off what is left of one. */
  async read(): Promise<unknown[]> {
    const text = await this.#file.readFile({ encoding: 'utf8' });
    const end = text.lastIndexOf('\n') + 1;
    this.#end = bytesOf(text.slice(0, end));
    if (end < text.length) await this.#file.truncate(this.#end);
    return text
      .slice(0, end)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  }

  /** Resolves once the line is on the disk. */
  append(line: unknown): Promise<void> {
    return this.#do({ line: written([line]) });
  }

  /**
   * Replaces all lines by these, in its turn: what is appended later comes after them.
   * @param may asked in its turn, whether nothing in the file is needed
   */
  startOver(may: () => boolean, lines: () => readonly unknown[]): Promise<void> {
    return this.#do({ startOver: { may, lines } });
  }

  #do(work: Pick<Work, 'line' | 'startOver'>): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ ...work, done, failed });
      if (!this.#writing) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const next = this.#waiting.findIndex((w) => w.startOver !== undefined);
      const batch = this.#waiting.splice(0, next === 0 ? 1 : next < 0 ? this.#waiting.length : next);
      try {
        const startOver = batch[0]?.startOver;
        if (startOver === undefined) await this.#append(batch.map((w) => w.line).join(''));
        else if (startOver.may()) {
          // Where it cannot be cut now, it is before the next line.
          [this.#end, this.#torn] = [0, true];
          await this.#cut();
          await this.#append(written(startOver.lines()));
        }
        for (const w of batch) w.done();
      } catch (e) {
        for (const w of batch) w.failed(e);
      }
    }
    this.#writing = false;
  }

  /** What was not written whole is taken out again: the next line must not be joined to half of one. */
  async #append(text: string): Promise<void> {
    if (this.#torn) await this.#cut();
    this.#torn = true;
    try {
      await this.#file.appendFile(text);
      await this.#file.datasync();
    } catch (e) {
      await this.#cut().catch(() => undefined);
      throw e;
    }
    this.#torn = false;
    this.#end += bytesOf(text);
  }

  async #cut(): Promise<void> {
    await this.#file.truncate(this.#end);
    this.#torn = false;
  }
}
