// The durable record of stand-in answers: lines of JSON in a file that the caller opened. A line counts once it is on the
// disk; a last line that was cut off by a crash is left out.

/** As node:fs/promises opens a file with 'a+'. */
export interface StandinFile {
  readFile(options: { encoding: 'utf8' }): Promise<string>;
  appendFile(text: string): Promise<void>;
  datasync(): Promise<void>;
  truncate(length: number): Promise<void>;
}

/** Writes lines one after the other; those that wait together share one write to the disk. */
export class LineFile {
  readonly #file: StandinFile;
  #waiting: { line: string; done: () => void; failed: (e: unknown) => void }[] = [];
  #writing = false;

  constructor(file: StandinFile) {
    this.#file = file;
  }

  /** Reads all whole lines, and cuts off what is left of one. */
  async read(): Promise<unknown[]> {
    const text = await this.#file.readFile({ encoding: 'utf8' });
    const end = text.lastIndexOf('\n') + 1;
    if (end < text.length) await this.#file.truncate(new TextEncoder().encode(text.slice(0, end)).length);
    return text
      .slice(0, end)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  }

  /** Resolves once the line is on the disk. */
  append(line: unknown): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ line: `${JSON.stringify(line)}\n`, done, failed });
      if (!this.#writing) void this.#write();
    });
  }

  /** Empties the file. Nothing may be waiting to be written. */
  async clear(): Promise<void> {
    await this.#file.truncate(0);
    await this.#file.datasync();
  }

  get idle(): boolean {
    return !this.#writing && this.#waiting.length === 0;
  }

  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#file.appendFile(batch.map((w) => w.line).join(''));
        await this.#file.datasync();
        for (const w of batch) w.done();
      } catch (e) {
        for (const w of batch) w.failed(e);
      }
    }
    this.#writing = false;
  }
}
