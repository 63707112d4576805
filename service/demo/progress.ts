// A progress bar for a person at a terminal: on stderr, and nothing at all where that is no terminal.
import type { TextStream } from '../src/adapters/cli/surroundings.ts';

export interface Progress {
  /** @param done of `total` */
  show(done: number, total: number, doing: string): void;
  end(): void;
}

const cells = 28;

export function progressBar(stream: TextStream): Progress {
  if (stream.isTTY !== true) return { show: () => undefined, end: () => undefined };
  let shown = '';
  return {
    show(done, total, doing) {
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const full = Math.round(share * cells);
      const text = `${'█'.repeat(full)}${'░'.repeat(cells - full)} ${String(Math.floor(share * 100)).padStart(3)} %  ${doing}`;
      if (text === shown) return;
      shown = text;
      stream.write(`\r\u001b[2K${text}`);
    },
    end() {
      if (shown !== '') stream.write('\r\u001b[2K');
      shown = '';
    },
  };
}
