// Checkpoints from several folders, merged by size while the journal is walked, with a few of each in memory.
import { Flaw } from '../../../core/audit/flaw.ts';
import type { Checkpoint } from '../../../core/audit/note.ts';
import type { KeptCheckpoint } from '../checkpoint-folder.ts';

export interface ReadCheckpoint {
  readonly at: string;
  readonly note: string;
  readonly checkpoint: Checkpoint;
}

/** Processes that share a folder may add checkpoints out of order, but never further apart than this. */
const held = 64;

interface Line {
  readonly source: AsyncIterator<KeptCheckpoint>;
  ahead: ReadCheckpoint[];
  ended: boolean;
}

export class NotesAhead {
  readonly #lines: Line[];
  /** Positions whose text is not a checkpoint. */
  readonly unreadable: string[] = [];

  constructor(sources: readonly AsyncGenerator<KeptCheckpoint>[]) {
    this.#lines = sources.map((source) => ({ source, ahead: [], ended: false }));
  }

  /** Checkpoints of sizes up to `size` that were not returned before, smallest first. */
  async upTo(size: number): Promise<ReadCheckpoint[]> {
    const given: ReadCheckpoint[] = [];
    for (const line of this.#lines)
      for (
        await this.#fill(line);
        (line.ahead[0]?.checkpoint.size ?? Number.POSITIVE_INFINITY) <= size;
        await this.#fill(line)
      )
        given.push(line.ahead.shift() as ReadCheckpoint);
    return given.sort((a, b) => a.checkpoint.size - b.checkpoint.size);
  }

  async #fill(line: Line): Promise<void> {
    while (!line.ended && line.ahead.length < held) {
      const next = await line.source.next();
      line.ended = next.done === true;
      if (next.done) continue;
      const { at, note, checkpoint } = next.value;
      if (checkpoint instanceof Flaw) this.unreadable.push(at);
      else line.ahead.push({ at, note, checkpoint });
    }
    line.ahead.sort((a, b) => a.checkpoint.size - b.checkpoint.size);
  }
}
