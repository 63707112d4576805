// Changes a match by a person: one command with its journal entry.
import { notFound, Refusal } from '../../core/refusal.ts';
import type { ListMatch } from '../../core/screening/match.ts';
import { type Command, need } from '../../platform/committer.ts';
import { recordAsked } from '../kernel/asked.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Call, Needs, Reply } from '../kernel/operation.ts';
import { journalled, matchResource } from './match-resource.ts';
import { findMatch, matchById, matchRef, matchRow } from './match-store.ts';

export type ChangeNeeds = Needs<'ids' | 'db' | 'committer' | 'vault' | 'subjects'>;

/** @param change returns the same object if nothing changes, as for a repeated call @throws NOT_FOUND */
export async function changeMatch(
  s: ChangeNeeds,
  call: Call,
  message: string,
  change: (before: ListMatch) => ListMatch | Refusal,
  reason: string,
): Promise<Reply> {
  const { principal, onBehalfOf, now } = call;
  const found = await recordAsked('match', call.params.matchId, (id) =>
    findMatch(s.db, principal.kind === 'operator' ? undefined : principal.psp, id),
  );
  if (onBehalfOf !== undefined && found.account !== onBehalfOf) throw notFound();
  const { psp, account } = found;
  const at = new Date(now).toISOString();
  const held = need(matchById, { psp, id: found.id });
  const command: Command<Reply & { readonly match: ListMatch }> = {
    account,
    keys: [`lm|${found.id}`],
    needs: [held],
    decide(facts) {
      const before = facts(held);
      if (!before) return notFound();
      const changed = change(before);
      if (changed instanceof Refusal) return changed;
      if (changed === before) return { reply: { message, content: null, replayed: true, match: before } };
      const match: ListMatch = { ...changed, version: before.version + 1, updatedAt: at };
      return {
        reply: { message, content: null, match },
        writes: {
          refsHeld: [{ ...matchRef(before), revision: before.version }],
          rows: [
            matchRow(match),
            journalRow(s, principal, at, {
              ...{ kind: 'match.updated', psp, account, resourceId: match.id, version: match.version },
              data: journalled(match),
              evidence: { reason },
            }),
          ],
        },
      };
    },
  };
  const { match, ...reply } = await s.committer.submit(command);
  return { ...reply, content: await matchResource(s, match, principal) };
}
