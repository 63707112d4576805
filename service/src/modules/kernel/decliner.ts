// What a decision asks of the risk policy of a PSP: an interface of who decides, filled by the risk book. Rules that
// decline are few, and a PSP that has none asks nothing.
import type { PspId } from '../../core/ids.ts';
import type { RiskClient, RiskEvent, RiskKeys, RiskRule } from '../../core/risk/rule.ts';
import type { CountedBefore } from '../../core/risk/watch.ts';
import type { Facts, Need, Row, Writes } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';

/** The rules that may decline a record with these keys. */
export interface Declining {
  /** Ids of the rules. */
  readonly rules: readonly string[];
  /** Activity of the keys, as facts of the decision. */
  readonly needs: readonly Need<unknown>[];
  /** What a record that counts holds, so that no two with a key in common are decided on the same activity. */
  gates(facts: Facts): Required<Pick<Writes, 'refsHeld' | 'refsNew'>>;
  /** @param before what the record was counted as, if this is a revision of it @returns undefined if no rule declines it */
  decide(facts: Facts, event: RiskEvent, client: RiskClient, before?: CountedBefore): Declined | undefined;
}

export interface Declined {
  /** The sentence that everybody reads. */
  readonly reason: string;
  /** The public code, and a keyed hash of the rules with their versions and counters, which `rows` keep. */
  readonly evidence: { readonly code: string; readonly matches: string };
  readonly rows: readonly Row[];
  /** The rules that matched, for alerts. */
  readonly rules: readonly Pick<RiskRule, 'id' | 'version' | 'severity' | 'reason'>[];
}

export interface HasDecliner {
  readonly decliner: {
    /** @returns undefined if the PSP has switched on no rule that may decline */
    of(psp: PspId, keys: () => RiskKeys): Declining | undefined;
    /** The rules that matched a record, with what they counted; for the PSP and staff. */
    matches(db: Database, psp: PspId, record: string): Promise<readonly object[]>;
  };
}
