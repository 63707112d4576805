// What ends with a person's part in reviews and cases: an interface of who changes people, filled by the composition root.
import type { Call } from './operation.ts';

export interface LetsGo {
  /** Unassigns what the person had to work on. @param user a UUID */
  readonly letGo: (call: Pick<Call, 'principal' | 'now'>, user: string) => Promise<void>;
}
