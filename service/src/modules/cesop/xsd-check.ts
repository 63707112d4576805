// The main thread's side of XML validation: finds the schema in a folder, sends pieces, collects problems.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { messageNamespace } from '../../core/cesop/message.ts';

export interface XsdThreadData {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** The schema file of the message itself, which imports the others. */
  readonly main: string;
}

export interface XsdOrder {
  readonly id: number;
  readonly text: string;
}

export interface XsdVerdict {
  readonly id: number;
  readonly problems: readonly string[];
}

/** @returns the schema, or a sentence that says why there is none */
export function schemaIn(dir: string): XsdThreadData | string {
  let files: XsdThreadData['files'];
  try {
    files = readdirSync(dir)
      .filter((name) => name.toLowerCase().endsWith('.xsd'))
      .sort()
      .map((name) => ({ name, text: readFileSync(join(dir, name), 'utf8') }));
  } catch (e) {
    return `the folder of CESOP_XSD_DIR cannot be read (${(e as { code?: string }).code ?? 'unknown'})`;
  }
  const main = files.find((f) => f.text.includes(`targetNamespace="${messageNamespace}"`))?.name;
  return main === undefined
    ? `the folder of CESOP_XSD_DIR has no .xsd file with the targetNamespace ${messageNamespace}`
    : { files, main };
}

const entry = fileURLToPath(new URL('./xsd-thread.ts', import.meta.url));
/** Maximum distinct problems kept. */
const mostKept = 100;

export class XsdCheck {
  readonly #worker: Worker;
  readonly #ended: Promise<never>;
  /** Problems, and how often each occurred. */
  readonly problems = new Map<string, number>();
  #orders = 0;

  constructor(schema: XsdThreadData) {
    this.#worker = new Worker(entry, { workerData: schema, resourceLimits: { maxOldGenerationSizeMb: 64 } });
    this.#ended = new Promise<never>((_, reject) => {
      this.#worker.once('error', reject);
      this.#worker.once('exit', () => reject(new Error('the thread that validates XML has ended')));
    });
    // Only code that waits for the end gets the error.
    this.#ended.catch(() => undefined);
  }

  /** @param text a whole document */
  async check(text: string): Promise<void> {
    const id = ++this.#orders;
    const verdict = new Promise<XsdVerdict>((resolve) => {
      const heard = (v: XsdVerdict) => {
        if (v.id !== id) return;
        this.#worker.off('message', heard);
        resolve(v);
      };
      this.#worker.on('message', heard);
    });
    this.#worker.postMessage({ id, text } satisfies XsdOrder);
    for (const p of (await Promise.race([verdict, this.#ended])).problems)
      if (this.problems.has(p) || this.problems.size < mostKept) this.problems.set(p, (this.problems.get(p) ?? 0) + 1);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
