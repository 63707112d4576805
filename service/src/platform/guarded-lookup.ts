// Resolves the names of webhook addresses and rejects those that lead to a forbidden address. Connections use the very
// addresses checked here, so that a name cannot change between check and connection.
import { promises as dns, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isAllowedAddress, isLocalhost, type WebhookRules } from '../core/webhook-url.ts';

/** Why no connection was attempted. */
export class LookupFault extends Error {
  readonly reason: 'DNS_FAILED' | 'ADDRESS_NOT_PUBLIC';

  constructor(reason: LookupFault['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export class GuardedLookup {
  readonly #rules: WebhookRules;
  readonly #servers: readonly string[] | undefined;

  /** @param servers DNS servers to ask instead of the machine's own, as address and port */
  constructor(rules: WebhookRules, servers?: readonly string[]) {
    this.#rules = rules;
    this.#servers = servers;
  }

  /**
   * All addresses of a name, each checked.
   * @throws LookupFault if there is none, or any of them must not be called
   */
  async addresses(hostname: string): Promise<LookupAddress[]> {
    const found = isLocalhost(hostname) ? localhost : await this.#resolve(hostname);
    const refused = found.find((a) => !isAllowedAddress(a.address, this.#rules));
    if (refused)
      throw new LookupFault('ADDRESS_NOT_PUBLIC', `${hostname} leads to ${refused.address}, which is not public`);
    return found;
  }

  /** For net.connect, which calls it for names, but not for IP addresses. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.addresses(hostname).then(
      (found) => {
        const first = found[0] as LookupAddress;
        options.all ? callback(null, found) : callback(null, first.address, first.family);
      },
      (e) => callback(e, []),
    );
  };

  /**
   * Queries DNS directly: the system's lookup has four threads for the whole process, which a few unanswered names
   * would block for seconds each. IPv4 goes first, since every network has it. Each name gets a new resolver, since a
   * long-lived one does not notice that the machine's DNS servers have changed.
   */
  async #resolve(hostname: string): Promise<LookupAddress[]> {
    const resolver = new dns.Resolver({ timeout: 1_500, tries: 2 });
    if (this.#servers) resolver.setServers(this.#servers);
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = answers.flatMap((a, i) =>
      a.status === 'fulfilled' ? a.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })) : [],
    );
    if (found.length === 0) throw new LookupFault('DNS_FAILED', `${hostname} has no address`);
    return found;
  }
}

// Never sent to a DNS server: RFC 6761, 6.3.
const localhost: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
