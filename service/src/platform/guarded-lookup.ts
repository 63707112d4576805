// Resolves the names of webhook addresses and lets none pass that leads anywhere but where it may. A connection is
// made to the very addresses that were checked here, so a name cannot lead elsewhere between check and connection.
import { promises as dns, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isAllowedAddress, isLocalhost, type WebhookRules } from '../core/webhook-url.ts';

/** Why no connection was tried. */
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

  /** @param servers to ask instead of the machine's own, as address and port */
  constructor(rules: WebhookRules, servers?: readonly string[]) {
    this.#rules = rules;
    this.#servers = servers;
  }

  /**
   * All addresses of a name, each checked.
   * @throws LookupFault where there is none, or a single one that must not be called
   */
  async addresses(hostname: string): Promise<LookupAddress[]> {
    const found = isLocalhost(hostname) ? localhost : await this.#resolve(hostname);
    const refused = found.find((a) => !isAllowedAddress(a.address, this.#rules));
    if (refused)
      throw new LookupFault('ADDRESS_NOT_PUBLIC', `${hostname} leads to ${refused.address}, which is not public`);
    return found;
  }

  /** For net.connect, which calls it for every name, but not for an address. */
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
   * Asks DNS itself: the system's own look-up has four threads for the whole process, which a few names without an
   * answer would hold for seconds each. IPv4 goes first, since every network has it. A resolver is made for each
   * name, since one that lives on never notices that the machine has other DNS servers.
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

// Never asked of a server: RFC 6761, 6.3.
const localhost: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
