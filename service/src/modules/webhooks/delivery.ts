// Assembles webhook delivery: the journal reader that decides what to deliver to whom, and the worker that delivers it.
import type { Pool } from '../../platform/database.ts';
import { JournalReader } from '../../platform/journal-reader.ts';
import type { Outgoing } from '../../platform/outgoing.ts';
import type { HasAccounts } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { backlog, type Statements } from './attempt-store.ts';
import { type Attempted, Deliverer } from './deliver.ts';
import { fanOut, fanOutName, withoutSubscribers } from './fan-out.ts';

export interface DeliveryOptions {
  readonly services: Needs<'settings' | 'clock' | 'monotonic' | 'ids' | 'log' | 'db' | 'committer' | 'vault'> &
    HasAccounts;
  readonly pool: Pick<Pool, 'query' | 'transaction'>;
  /** The worker's own connections, so that no request waits for one. */
  readonly delivering: Statements & Pick<Pool, 'withClient'>;
  readonly outgoing: Pick<Outgoing, 'send'>;
  readonly observe: (a: Attempted) => void;
}

export class WebhookDelivery {
  readonly reader: JournalReader;
  readonly #services: Needs<'clock' | 'db'>;
  /** Undefined if this process does not deliver. */
  readonly #deliverer: Deliverer | undefined;

  constructor({ services, pool, delivering, outgoing, observe }: DeliveryOptions) {
    this.#services = services;
    const { settings, ids, clock, log } = services;
    this.#deliverer =
      settings.webhookConcurrency > 0
        ? new Deliverer({ services, pool: delivering, outgoing, concurrency: settings.webhookConcurrency, observe })
        : undefined;
    this.reader = new JournalReader({
      name: fanOutName,
      pool,
      log,
      readAll: (tx, journals) => fanOut(tx, journals, ids, clock),
      passesOver: withoutSubscribers,
      limit: 2000,
      gapMs: 20,
      clock,
      advanced: () => this.#deliverer?.wake(),
    });
  }

  get breakersOpen(): number {
    return this.#deliverer?.breakersOpen ?? 0;
  }

  /** Deliveries due and not claimed, over all processes. */
  backlog(): Promise<number> {
    return backlog(this.#services.db, this.#services.clock());
  }

  /** Starts sending; the reader is started with all others. */
  start(): void {
    this.#deliverer?.start();
  }

  /** Checks at once for due deliveries, as it does every second: for tests that move the clock. */
  look(): void {
    this.#deliverer?.look();
  }

  /** Finishes deliveries in flight. The reader must have stopped before. */
  async stop(): Promise<void> {
    await this.#deliverer?.stop();
  }
}
