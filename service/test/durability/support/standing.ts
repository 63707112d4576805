// Changes the standing of accounts as staff does, and finds approvals that contradict it in the journal's order.
import { toWire } from '../../../src/core/ids.ts';
import type { Ground } from './ground.ts';
import type { Client } from './history.ts';
import type { ServiceProcess } from './service-process.ts';

export class Staff {
  readonly #client: Client;
  readonly #ground: Ground;

  constructor(client: Client, ground: Ground) {
    this.#client = client;
    this.#ground = ground;
  }

  suspend = (p: ServiceProcess, account: string) =>
    this.#change(p, account, 'standing', { operationalStanding: 'SUSPENDED' });
  reinstate = (p: ServiceProcess, account: string) =>
    this.#change(p, account, 'standing', { operationalStanding: 'ACTIVE' });
  /** @returns a function that undoes the change */
  async block(p: ServiceProcess, account: string, how: 'suspension' | 'hold') {
    if (how === 'suspension') {
      await this.suspend(p, account);
      return (q: ServiceProcess) => this.reinstate(q, account);
    }
    await this.#change(p, account, 'hold', { code: 'SANCTIONS_REVIEW', blocking: true });
    const [row] = await this.#ground.db.query('SELECT holds FROM accounts WHERE id = $1', [account]);
    const { id } = JSON.parse(row?.holds as string).at(-1);
    return (q: ServiceProcess) => this.#change(q, account, `hold/${toWire('hold', id)}/release`, {});
  }

  /** Calls an operation as staff; returns once it is acknowledged. */
  async #change(p: ServiceProcess, account: string, what: string, body: Record<string, unknown>) {
    const id = toWire(account === this.#ground.psp.account ? 'psp' : 'client', account);
    const r = await this.#client.call(
      p.address,
      'POST',
      `/v1/admin/account/${id}/${what}`,
      { 'x-api-key': this.#ground.operatorKey },
      JSON.stringify({ reason: 'durability', ...body }),
    );
    if (r.status !== 200) throw new Error(`the change was answered ${r.status}: ${r.text}`);
    return JSON.parse(r.text).content;
  }
}

/** Returns approvals between a suspension and the next change in the journal's order; there should be none. */
export async function approvedWhileSuspended(ground: Ground, accounts: readonly string[]): Promise<unknown[]> {
  const rows = await ground.db.query(
    'SELECT xmin::text AS commit, seq, kind, account_id, body FROM journal WHERE psp_id = $1 ORDER BY seq',
    [ground.psp.psp],
  );
  const blocked = new Map<string, boolean>();
  const wrong: unknown[] = [];
  for (const r of rows) {
    const { data } = JSON.parse(r.body as string);
    if (r.kind === 'client.updated')
      blocked.set(r.account_id as string, data.operationalStanding !== 'ACTIVE' || data.flags.length > 0);
    if (r.kind === 'transaction.created' && data.status === 'APPROVED' && accounts.includes(r.account_id as string)) {
      if (blocked.get(r.account_id as string) || blocked.get(ground.psp.account))
        wrong.push({ seq: r.seq, ref: data.ref, commit: r.commit });
    }
  }
  return wrong;
}
