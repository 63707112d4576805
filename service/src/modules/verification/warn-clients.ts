// One pass over the clients that have a warning due, a page at a time.
import { Refusal } from '../../core/refusal.ts';
import { errorFields } from '../../platform/log.ts';
import { allPages } from '../kernel/all-pages.ts';
import type { Needs } from '../kernel/needs.ts';
import type { ClientKey } from './verification-store.ts';

const page = 200;

export interface Warning<C extends ClientKey> {
  /** What ends, for the log. */
  readonly of: 'licence' | 'document';
  /** Clients with one due, by account, after this one. */
  list(after: string | null, limit: number): Promise<C[]>;
  /** @returns the number of warnings given */
  warn(client: C): Promise<number>;
}

/** What fails is tried again at the next pass. */
export async function warnClients<C extends ClientKey>(s: Needs<'log'>, { of, list, warn }: Warning<C>): Promise<void> {
  let warnings = 0;
  for await (const clients of allPages(page, (c) => c.account, list))
    for (const client of clients)
      try {
        warnings += await warn(client);
      } catch (e) {
        if (!(e instanceof Refusal)) s.log.warn({ ...errorFields(e), account: client.account }, `${of} not warned of`);
      }
  if (warnings > 0) s.log.info({ warnings }, `warned of ${of}s that end`);
}
