// The sign-in providers of a service, as its settings name them: their form, and whose people each may let in.
import { accountFromWire } from './ids.ts';

export interface SignInProvider {
  /** Part of addresses. */
  readonly name: string;
  /** Shown to people. */
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client, which PKCE alone protects. */
  readonly clientSecret: string | undefined;
  /** The account (UUID) whose people it lets in, and nobody else's. */
  readonly account: string;
  /** Whether its own second factor counts: never, where its token says `mfa`, or always. */
  readonly secondFactor: 'never' | 'amr' | 'always';
}

const secondFactors = ['never', 'amr', 'always'] as const;
const known = ['name', 'label', 'issuer', 'clientId', 'clientSecret', 'accountId', 'secondFactor'];
const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(\/|$)/;

/**
 * Reads the list from JSON text.
 * @returns an error whose message continues the setting's name
 */
export function readProviders(text: string): readonly SignInProvider[] | Error {
  if (text === '') return [];
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return new Error('must be a list in JSON');
  }
  if (!Array.isArray(list)) return new Error('must be a list in JSON');
  const read: SignInProvider[] = [];
  for (const entry of list as unknown[]) {
    const provider = readProvider(entry);
    if (typeof provider === 'string') return new Error(provider);
    if (read.some((p) => p.name === provider.name)) return new Error(`names '${provider.name}' twice`);
    read.push(provider);
  }
  return read;
}

function readProvider(entry: unknown): SignInProvider | string {
  if (typeof entry !== 'object' || entry === null) return 'must hold objects';
  const given = entry as Readonly<Record<string, unknown>>;
  const textOf = (name: string) => (typeof given[name] === 'string' ? (given[name] as string) : undefined);
  const name = textOf('name') ?? '';
  if (!/^[a-z0-9-]{1,32}$/.test(name)) return "must give each provider a 'name' of small letters, digits and hyphens";
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown !== undefined) return `has an unknown '${unknown}' for '${name}'; it takes ${known.join(', ')}`;
  const issuer = textOf('issuer') ?? '';
  if (!/^https:\/\/[^\s?#]+$/.test(issuer) && !loopback.test(issuer))
    return `must give '${name}' an 'issuer' with https, as the provider names itself`;
  const clientId = textOf('clientId') ?? '';
  if (clientId === '') return `must give '${name}' a 'clientId'`;
  const account = accountFromWire(textOf('accountId') ?? '');
  if (account === undefined) return `must give '${name}' the 'accountId' whose people it lets in (psp_… or cli_…)`;
  const secondFactor = secondFactors.find((s) => s === (given.secondFactor ?? 'never'));
  if (secondFactor === undefined) return `must give '${name}' a 'secondFactor' of ${secondFactors.join(', ')}`;
  return {
    ...{ name, issuer, clientId, account, secondFactor },
    label: (textOf('label') ?? name).slice(0, 60),
    clientSecret: textOf('clientSecret'),
  };
}

/** Whether a provider is on this machine, and may do without https. */
export const isHere = (issuer: string): boolean => loopback.test(issuer);
