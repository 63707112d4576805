// Limits what one connection has in flight. The SSH library accepts whatever is sent and buffers what is not read: both
// are bounded here, by not reading the socket, by waiting, or by closing the connection.
import type { Socket } from 'node:net';
import type { SFTPWrapper } from 'ssh2';
import type { SftpLimits } from './limits.ts';

export class Flow {
  readonly #socket: Socket;
  readonly #limits: SftpLimits;
  #bytes = 0;
  #requests = 0;
  #moved: (() => void)[] = [];
  #idle: NodeJS.Timeout | undefined;

  constructor(socket: Socket, limits: SftpLimits) {
    this.#socket = socket;
    this.#limits = limits;
    const moved = () => {
      const waiting = this.#moved;
      this.#moved = [];
      for (const go of waiting) go();
    };
    socket.on('drain', moved).on('data', moved);
    socket.once('close', () => {
      clearTimeout(this.#idle);
      moved();
    });
  }

  get closed(): boolean {
    return this.#socket.destroyed;
  }

  /** Called after sign-in; from then on the idle limit applies. */
  start(): void {
    this.#idle = setTimeout(() => this.#socket.destroy(), this.#limits.idleMs);
  }

  /** A request came in. */
  begin(bytes: number): void {
    this.#idle?.refresh();
    this.#bytes += bytes;
    if (++this.#requests > this.#limits.unanswered) this.#socket.destroy();
    if (this.#bytes >= this.#limits.unansweredBytes) this.#socket.pause();
  }

  /** It was answered. */
  end(bytes: number, sftp: SFTPWrapper): void {
    this.#requests--;
    this.#bytes -= bytes;
    if (unsent(sftp) > this.#limits.unanswered) this.#socket.destroy();
    if (this.#bytes < this.#limits.unansweredBytes / 2 && this.#socket.isPaused()) this.#socket.resume();
  }

  /** Waits until the client has read enough of what was sent, or is gone. */
  async room(sftp: SFTPWrapper): Promise<void> {
    while (!this.closed && (unsent(sftp) > 0 || this.#socket.writableLength > this.#limits.unsentBytes))
      await new Promise<void>((go) => this.#moved.push(go));
  }
}

/** Answers the library buffers because the client's window is full; it has no public name for them. */
const unsent = (sftp: SFTPWrapper): number => (sftp as unknown as { readonly _buffer: unknown[] })._buffer.length;
