// Bounds the memory of request bodies: what is being read or waits to be parsed, in all and for each key. Small bodies
// are not counted; the number of connections bounds them.
import type { IncomingMessage } from 'node:http';
import { refuse } from '../../core/refusal.ts';
import { busyMessage } from './limits.ts';

const smallest = 4096;

interface Held {
  readonly actor: string;
  readonly bytes: number;
}

export class BodyBudget {
  readonly #most: number;
  readonly #held = new Map<IncomingMessage, Held>();
  readonly #byActor = new Map<string, number>();
  #bytes = 0;

  /** @param most bytes in all; a key may hold a quarter of them, and one body always */
  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes taken and not returned. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes a body's place until `give`. @throws OVERLOADED, RATE_LIMITED */
  take(request: IncomingMessage, actor: string, bytes: number): void {
    if (bytes <= smallest) return;
    if (request.destroyed) throw refuse('BODY_MALFORMED', 'the connection ended before the end of the body');
    const own = this.#byActor.get(actor) ?? 0;
    if (own > 0 && own + bytes > this.#most / 4)
      throw refuse('RATE_LIMITED', 'too many large bodies at once with this key; send fewer at a time', 1);
    if (this.#bytes > 0 && this.#bytes + bytes > this.#most) throw refuse('OVERLOADED', busyMessage, 1);
    this.#held.set(request, { actor, bytes });
    this.#byActor.set(actor, own + bytes);
    this.#bytes += bytes;
  }

  /** Returns what a request took; nothing if it was small or returned already. */
  give(request: IncomingMessage): void {
    const held = this.#held.get(request);
    if (!held) return;
    this.#held.delete(request);
    this.#bytes -= held.bytes;
    const own = (this.#byActor.get(held.actor) as number) - held.bytes;
    if (own > 0) this.#byActor.set(held.actor, own);
    else this.#byActor.delete(held.actor);
  }
}
