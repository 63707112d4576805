// An operator and a key of one as they are proposed and approved: what is compared when they are made.
import { canonical } from '../../core/request.ts';

export interface ProposedKey {
  readonly accountId: string;
  readonly name: string;
  readonly expiresAt?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly graceHours?: number | undefined;
}

export const operatorText = (name: string): string => canonical({ name: name.trim() });

export const operatorKeyText = ({ accountId, name, expiresAt, scopes, graceHours }: ProposedKey): string =>
  canonical({ accountId, name, expiresAt, scopes: scopes && [...scopes].sort(), graceHours });
