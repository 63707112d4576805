// The operations' addresses: the methods each accepts, and suggestions for an address that is not served.
import type { FastifyRequest } from 'fastify';
import { probablyMeant } from '../../core/misspelt.ts';
import { notFound, type Refusal, refuse, said } from '../../core/refusal.ts';
import type { Operation } from '../../modules/kernel/operation.ts';

type Served = Pick<Operation, 'method' | 'path'>;

/** Longer addresses are neither compared nor quoted in full, and no longer parameter is looked up. */
const longest = 100;

/** Path parameters. No stored text contains NUL, and no id is as long, so an address with one matches nothing. */
export function paramsOf(request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>;
  if (Object.values(params).some((v) => v.includes('\0') || v.length > longest)) throw notFound();
  return params;
}

export const pathOf = (request: FastifyRequest): string => request.url.split('?')[0] as string;

/** Undefined for text that is not UTF-8 in percent-encoding. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** @throws QUERY_INVALID for what does not decode, which would be read as another text and find nothing */
export function queryOf(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?');
  const text = at < 0 ? '' : request.url.slice(at + 1);
  if (decoded(text) === undefined)
    throw refuse('QUERY_INVALID', 'the query of the address is not UTF-8 in percent-encoding; encode each value of it');
  return new URLSearchParams(text);
}

/**
 * An address that cannot be decoded is looked up as written, and not found; otherwise the framework would answer in its
 * own format.
 */
export function decodable(url: string): string {
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  return decoded(path) === undefined ? [path.replaceAll('%', '%25'), ...query].join('?') : url;
}

export class Addresses {
  readonly #served: readonly (Served & { readonly exact: RegExp; readonly anyCase: RegExp })[];
  /** Addresses without a parameter, by their lower-case text. */
  readonly #fixed: ReadonlyMap<string, string>;

  constructor(operations: readonly Served[]) {
    this.#served = operations.map(({ method, path }) => {
      const pattern = `^${path.replaceAll('.', '\\.').replace(/:[A-Za-z]+/g, '[^/]+')}$`;
      return { method, path, exact: new RegExp(pattern), anyCase: new RegExp(pattern, 'i') };
    });
    this.#fixed = new Map(operations.filter((o) => !o.path.includes(':')).map((o) => [o.path.toLowerCase(), o.path]));
  }

  /** Methods of an address; if it is an operation's own, without those of one with a parameter in its place. */
  methodsAt(path: string): string[] {
    const own = this.#served.filter((o) => o.path === path);
    const served = own.length > 0 ? own : this.#served.filter((o) => o.exact.test(path));
    return [...new Set(served.map((o) => o.method))];
  }

  /** Addresses without a parameter, each with a method that only an operation with a parameter in that place has. */
  overshadowed(): Served[] {
    const withParameter = this.#served.filter((o) => o.path.includes(':'));
    return [...new Set(this.#fixed.values())].flatMap((path) => {
      const own = this.methodsAt(path);
      const others = withParameter.filter((o) => o.exact.test(path) && !own.includes(o.method));
      return [...new Set(others.map((o) => o.method))].map((method) => ({ method, path }));
    });
  }

  /**
   * The refusal of an address that is nearly one without a parameter, even if it matches one with a parameter: no valid
   * parameter is within a letter or a case change of a word in our addresses.
   */
  misspelt(method: string, path: string): Refusal | undefined {
    if (path.length > longest) return undefined;
    const given = tidy(path);
    const meant = this.#fixed.get(given.toLowerCase()) ?? this.#nearest(given);
    // Fastify reads a trailing slash as an empty parameter; no parameter may be empty.
    if (meant === undefined) return path.endsWith('/') ? this.#likeAnother(method, path) : undefined;
    return meant === path ? undefined : this.#refused(method, path, meant);
  }

  /** The refusal of an address where nothing is served. */
  unknown(method: string, path: string): Refusal {
    return this.misspelt(method, path) ?? this.#likeAnother(method, path);
  }

  /** Suggests the address with the same words in another case, with the given parameters. */
  #likeAnother(method: string, path: string): Refusal {
    const given = tidy(path.slice(0, longest));
    const alike = this.#served.filter((o) => path.length <= longest && o.anyCase.test(given));
    const best = alike.find((o) => o.method === method) ?? alike[0];
    const words = given.split('/');
    const meant = best?.path.split('/').map((word, i) => (word.startsWith(':') ? words[i] : word));
    return this.#refused(method, path, meant?.join('/'));
  }

  /** The address with the same number of words that differs by a letter or two. */
  #nearest(given: string): string | undefined {
    const words = given.split('/').length;
    return probablyMeant(
      given,
      [...this.#fixed.values()].filter((path) => path.split('/').length === words),
    );
  }

  #refused(method: string, path: string, meant: string | undefined): Refusal {
    const methods = meant === undefined ? [] : this.methodsAt(meant);
    const by = methods.includes(method) ? method : methods[0];
    const hint = meant === undefined ? '' : said`; did you mean ${by ?? ''} ${meant}?`;
    return refuse('NO_ROUTE', said`no such address: ${method} ${path.slice(0, longest)}${hint}`);
  }
}

/** Removes repeated slashes and a trailing one. */
const tidy = (path: string): string => `/${path.split('/').filter(Boolean).join('/')}`;
