// The command that records a declaration. The same content is recorded once; other content supersedes the previous
// declaration of the account and period.
import { createHash } from 'node:crypto';
import { codesProblem, type DeclaredInput, readLines, recordRules } from '../../../core/cdr/declaration.ts';
import { type PspId, toWire } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import { type Command, need } from '../../../platform/committer.ts';
import { type Account, bothAccounts, concerned, type HasAccounts } from '../../accounts/index.ts';
import { about, journalRow } from '../../kernel/journal.ts';
import type { Needs, Principal, Reply } from '../../kernel/operation.ts';
import { readPeriod } from '../../kernel/report-period.ts';
import { type Declaration, declarationInForce, declarationRow } from './declaration-store.ts';
import { type DeclarationInput, declarationDetail } from './schemas.ts';

/**
 * @param whose the account (uuid) that declares, and its PSP
 * @param now milliseconds since the epoch
 */
export function declaring(
  s: Needs<'ids' | 'reference' | 'rates'> & HasAccounts,
  principal: Principal,
  whose: { readonly psp: PspId; readonly account: string },
  body: DeclarationInput,
  now: number,
): Command<Reply> {
  const { psp, account } = whose;
  const at = new Date(now).toISOString();
  const key = { psp, space: 'cdr_declaration', ref: body.period, account };
  const held = need(declarationInForce, key, true);
  const who = concerned(s.accounts, psp, account);
  return {
    account,
    keys: [`r|cdr_declaration|${account}|${body.period}`],
    needs: [who.account, who.psp, held],
    decide(facts) {
      const accounts = bothAccounts(facts, who);
      if (accounts instanceof Refusal) return accounts;
      const lines = linesOf(s, accounts.account, body, now);
      if (lines instanceof Refusal) return lines;
      const text = JSON.stringify(lines);
      const content = createHash('sha256').update(text).digest('hex');
      const before = facts(held);
      if (before?.content === content)
        return { reply: { ...replyOf(before, 'UNCHANGED'), message: 'declared before', replayed: true } };
      const declaration: Declaration = {
        psp,
        id: s.ids.next(),
        account,
        recordedBy: principal.kind === 'operator' || principal.staff ? null : principal.account,
        period: body.period,
        revision: (before?.revision ?? 0) + 1,
        content,
        lines,
        createdAt: at,
      };
      return {
        reply: replyOf(declaration, before ? 'SUPERSEDED' : 'DECLARED'),
        writes: {
          // The decision does not depend on an account's standing, so the commit need not check it.
          ...(before
            ? { refsHeld: [{ ...key, revision: before.revision }] }
            : { refsNew: [{ ...key, target: declaration.id, revision: 1 }] }),
          rows: [
            declarationRow(declaration, text),
            journalRow(s, principal, at, {
              kind: 'cdr.declared',
              ...about(declaration),
              data: declarationDetail({ ...declaration, current: true }),
              evidence: { content, supersedes: before ? toWire('declaration', before.id) : null },
            }),
          ],
        },
      };
    },
  };
}

const replyOf = (d: Declaration, status: 'DECLARED' | 'SUPERSEDED' | 'UNCHANGED'): Reply => ({
  message: 'declaration recorded',
  content: { declarationId: toWire('declaration', d.id), period: d.period, revision: d.revision, status },
});

function linesOf(s: Needs<'reference' | 'rates'>, account: Account, body: DeclarationInput, now: number) {
  const period = readPeriod({ concerned: account, now, parameters: body }, s);
  if (period instanceof Refusal) return period;
  const input = body.lines as readonly DeclaredInput[];
  const lines = readLines(input, (text, field) => {
    const asset = s.reference.asset(text, period.last, false, field);
    return asset instanceof Refusal ? asset : asset.code;
  });
  if (lines instanceof Refusal) return lines;
  const country = account.country ?? 'an account without country';
  const rules = recordRules(s.rates.book.country(country)?.rules ?? [], period.first, period.last);
  return codesProblem(input, rules, `${country} in ${body.period}`) ?? lines;
}
