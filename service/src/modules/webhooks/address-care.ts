// Reactions to an address's health: warnings to its owner while it keeps failing, their end when it answers again, and
// its disabling. Each is a change of the account, journalled with its reason.
import { nobody, type PspId } from '../../core/ids.ts';
import { stored } from '../../core/said.ts';
import { measure } from '../../core/webhooks/health.ts';
import { errorFields } from '../../platform/log.ts';
import type { HasAccounts } from '../accounts/index.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { changeWebhook, disabling, type WebhookChange } from './administer.ts';
import { type AddressHealth, forgetFailures, noteWarning } from './attempt-store.ts';
import { holdDeliveries } from './delivery-store.ts';

type Uses = Needs<'settings' | 'clock' | 'ids' | 'log' | 'db' | 'committer'> & HasAccounts;

/** The actor in the journal. */
const sender: Principal = {
  kind: 'operator',
  psp: nobody,
  account: nobody,
  actor: 'webhook delivery',
};

export class AddressCare {
  readonly #s: Uses;
  /** One change per address at a time; duplicates are dropped. */
  readonly #asked = new Set<string>();
  #running: Promise<void> = Promise.resolve();

  constructor(services: Uses) {
    this.#s = services;
  }

  /** Checks addresses after attempts. */
  look(all: readonly AddressHealth[]): void {
    for (const h of all) {
      if (h.failures === 0 && h.warnedHours > 0) this.#do(h, 'recovered', () => this.#recovered(h));
      const m = h.failures === 0 ? undefined : measure(times(h));
      if (m?.do === 'warn') this.#do(h, 'warn', () => this.#warn(h, m.hours));
      if (m?.do === 'disable')
        this.disable(
          h.psp,
          h.webhook,
          stored`disabled: no answer of 200 since ${h.failingSince} (${h.failures} attempts)`,
        );
    }
  }

  /** Stops deliveries to an address until its owner resumes it; waiting ones are kept. */
  disable(psp: PspId, webhook: string, reason: string): void {
    this.#do({ psp, webhook }, 'disable', async () => {
      await this.#change(psp, webhook, disabling(reason), reason);
      await holdDeliveries(this.#s.db, psp, webhook);
      await forgetFailures(this.#s.db, psp, webhook);
    });
  }

  /** Resolves when all pending changes are done. */
  idle(): Promise<void> {
    return this.#running;
  }

  async #warn(h: AddressHealth, hours: number): Promise<void> {
    const reason = stored`failing for ${hours} hours: no answer of 200 since ${h.failingSince}; disabled after 120 hours`;
    await this.#change(
      h.psp,
      h.webhook,
      (w) => (w.state === 'ACTIVE' && w.stateReason !== reason ? { ...w, stateReason: reason } : w),
      reason,
    );
    await noteWarning(this.#s.db, h, hours);
  }

  async #recovered(h: AddressHealth): Promise<void> {
    await this.#change(
      h.psp,
      h.webhook,
      (w) => (w.state === 'ACTIVE' && w.stateReason !== null ? { ...w, stateReason: null } : w),
      stored`answers again`,
    );
    await noteWarning(this.#s.db, h, 0);
  }

  async #change(psp: PspId, webhook: string, change: WebhookChange, reason: string): Promise<void> {
    const asked = { principal: sender, reach: { psp }, id: webhook, now: this.#s.clock() };
    await changeWebhook(this.#s, asked, change, reason);
    this.#s.log.warn({ psp, webhook, reason }, 'the standing of a webhook address');
  }

  #do(h: { psp: PspId; webhook: string }, what: string, work: () => Promise<void>): void {
    const key = `${what}|${h.webhook}`;
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    this.#running = this.#running
      .then(work)
      // Its next failure retries this.
      .catch((e) =>
        this.#s.log.warn({ webhook: h.webhook, what, ...errorFields(e) }, 'a webhook address was not seen to'),
      )
      .finally(() => this.#asked.delete(key));
  }
}

const times = (h: AddressHealth) => ({
  failingSinceMs: h.failingSince === null ? null : Date.parse(h.failingSince),
  lastFailureMs: h.lastFailureAt === null ? null : Date.parse(h.lastFailureAt),
  failures: h.failures,
  warnedHours: h.warnedHours,
});
