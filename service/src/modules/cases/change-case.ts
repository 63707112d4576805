// Changes a case: one command with its journal entry, the items that go into it, and the alerts that end with it.
import type { Case, CaseChange } from '../../core/cases/case.ts';
import { toWire } from '../../core/ids.ts';
import { notFound, Refusal, refuse } from '../../core/refusal.ts';
import type { Review } from '../../core/risk/review.ts';
import { withBesides } from '../../core/standing.ts';
import { type Command, type Decided, type Facts, type Need, need, type Writes } from '../../platform/committer.ts';
import { type QueuedJob, queueLater } from '../../platform/jobs.ts';
import type { CaseItemContent } from '../../records/cases.ts';
import { decideIn } from '../kernel/decide-in.ts';
import { about, journalRow } from '../kernel/journal.ts';
import type { Call, Needs, Reply } from '../kernel/operation.ts';
import type { Principal } from '../kernel/principal.ts';
import { recordRaised } from '../kernel/raised-epoch.ts';
import { expecting, expectSubject, sealPersonal, subjectNeed } from '../kernel/subjects.ts';
import { resolvedWith } from '../reviews/index.ts';
import { caseAsked } from './asked-case.ts';
import { caseResource, itemInEntry } from './case-resource.ts';
import { alertsAtOnce, type CaseItem, caseOf, caseRef, caseRow, itemRow, itemsOf, openAlertsOf } from './case-store.ts';

/** Something that goes into the case. */
export interface NewItem {
  readonly kind: CaseItem['kind'];
  readonly about?: string | undefined;
  readonly content?: CaseItemContent | undefined;
  /** May name people; it is sealed. */
  readonly text?: string | undefined;
  /** Of a file, whose content is stored beside it. */
  readonly id?: string;
}

export interface CaseDone {
  /** What was done, for the journal. */
  readonly step: string;
  readonly message: string | ((after: Case) => string);
  readonly to: CaseChange;
  readonly items: readonly NewItem[];
  /** A change of the case's client or of a transaction, made in the same commit. */
  readonly together?: Together | undefined;
}

type JoinedWrites = Pick<Writes, 'rows' | 'refsHeld' | 'refsNew' | 'erasures'> &
  Pick<Decided<unknown>, 'together'> & {
    /** What the answer says besides, such as what is still so. */
    readonly besides?: string | undefined;
  };

export interface Together {
  /** What it changes, as a command's keys. */
  readonly keys: readonly string[];
  readonly changesAccount?: boolean;
  readonly needs: readonly Need<unknown>[];
  furtherNeeds?(facts: Facts): readonly Need<unknown>[];
  /** @returns undefined if all is as it was asked to be: the case is left as it is, too */
  decide(facts: Facts): JoinedWrites | undefined | Error;
  /** Whether it changes what payments are decided on by the PSP's number, and therefore needs that lock. */
  readonly raises?: true;
  committed?(): void;
}

export type CaseNeeds = Needs<'ids' | 'db' | 'committer' | 'subjects'>;

/** The person whose key seals what is written in a case: whom it is about, or the contact of the client. */
export const subjectOf = (c: Case) => ({ psp: c.psp, subject: c.person ?? `account:${c.account}` });

/** Context under which the text of an item is sealed. */
export const itemPlace = (id: string): string => `case_items/${id}`;

/** @param asked as read; the change is decided on its state at the commit */
export async function changeCase(
  s: CaseNeeds,
  call: Pick<Call, 'principal' | 'now'>,
  asked: Case,
  done: CaseDone,
): Promise<Reply> {
  const command = caseCommand(s, call, asked, done);
  if (done.together?.raises === true)
    return recordRaised(s, asked.psp, async (tx) => {
      const { reply, writes = { rows: [] } } = await decideIn(tx, command);
      return { writes, reply };
    });
  const closing = done.step === 'close' || done.step === 'approve';
  // Queued before the commit that closes the case: whatever ends this process, the rest is ended later.
  if (closing && asked.alerts > alertsAtOnce) await queueLater(s.db, closingJob, payloadOf(call, asked), asked.id, 60);
  const reply = await s.committer.submit(command);
  if (closing) while (await s.committer.submit(furtherEnded(s, call, asked)));
  return reply;
}

/** The job that ends what alerts a closing that was cut off left. */
const closingJob = 'end-alerts-of-closed-case';

interface Closing extends Pick<Case, 'psp' | 'id' | 'account'> {
  readonly by: Pick<Principal, 'kind' | 'psp' | 'account' | 'actor'>;
}

const payloadOf = ({ principal: p }: Pick<Call, 'principal'>, { psp, id, account }: Case): Closing => ({
  ...{ psp, id, account },
  by: { kind: p.kind, psp: p.psp, account: p.account, actor: p.actor },
});

/** In the name of who closed the case; nothing is left to do after a closing that was not cut off. */
export const endAlertsOfClosed = (s: CaseNeeds & Needs<'clock'>): QueuedJob => ({
  name: closingJob,
  async run(payload) {
    const { by, ...asked } = payload as Closing;
    while (await s.committer.submit(furtherEnded(s, { principal: by, now: s.clock() }, asked)));
  },
});

/** The alerts of a case that is closed end with its outcome. */
function ended(s: CaseNeeds, principal: Principal, c: Case, alerts: readonly Review[], at: string) {
  const { outcome } = c;
  if (outcome === null) return [];
  const note = { at, by: principal.actor, text: `Case ${c.number} was closed.` };
  return alerts.map((r) => resolvedWith(s, principal, r, outcome, note));
}

/**
 * Ends further alerts of a case that is closed, as many as end in a commit, so that nobody waits for thousands.
 * @returns a command that answers whether there may be more
 */
function furtherEnded(
  s: CaseNeeds,
  { principal, now }: Pick<Call, 'principal' | 'now'>,
  asked: Pick<Case, 'psp' | 'id' | 'account'>,
): Command<boolean> {
  const [held, open] = [need(caseOf, asked), need(openAlertsOf, asked)];
  return {
    account: asked.account,
    keys: [`case|${asked.id}`],
    needs: [held, open],
    decide(facts) {
      const [found, alerts = []] = [facts(held), facts(open)];
      if (found?.state !== 'CLOSED' || alerts.length === 0) return { reply: false };
      const writes = ended(s, principal, found, alerts, new Date(now).toISOString());
      return {
        reply: alerts.length === alertsAtOnce,
        writes: { refsHeld: writes.flatMap((w) => w.refsHeld), rows: writes.flatMap((w) => w.rows) },
      };
    },
  };
}

/** How often a case that others change at the same moment is read again. */
const mostReadings = 20;

/**
 * As `changeCase`, for what depends on what is in the case, such as the number of a further report: if the case was changed
 * between its reading and the commit, it is read again, and `make` says again what is to be done.
 */
export async function changeCaseAsRead(
  s: CaseNeeds,
  call: Call,
  make: (asked: Case, items: readonly CaseItem[]) => Promise<CaseDone>,
): Promise<Reply> {
  const moved = refuse('STATE_CONFLICT', 'others are changing the case at this moment; send it again');
  for (let left = mostReadings; ; left--) {
    const asked = await caseAsked(s, call);
    const done = await make(asked, await itemsOf(s.db, asked));
    const to: CaseChange = (c) => (c.version === asked.version ? done.to(c) : moved);
    try {
      return await changeCase(s, call, asked, { ...done, to });
    } catch (e) {
      if (e !== moved || left === 0) throw e;
    }
  }
}

function caseCommand(s: CaseNeeds, call: Pick<Call, 'principal' | 'now'>, asked: Case, done: CaseDone): Command<Reply> {
  const { principal } = call;
  const at = new Date(call.now).toISOString();
  const held = need(caseOf, asked);
  const person = subjectNeed(s.subjects, subjectOf(asked));
  const alerts = need(openAlertsOf, asked);
  // The alerts of a case, thousands at times, are read for the step that ends them alone.
  const closes = (before: Case | undefined): boolean => {
    const after = before && done.to(before);
    return before?.state !== 'CLOSED' && !(after instanceof Refusal) && after?.state === 'CLOSED';
  };
  return {
    account: asked.account,
    keys: [`case|${asked.id}`, ...(done.together?.keys ?? [])],
    exclusive: done.together?.changesAccount === true,
    needs: [held, person, ...(done.together?.needs ?? [])],
    furtherNeeds: (facts) => [
      ...(closes(facts(held)) ? [alerts] : []),
      ...(done.together?.furtherNeeds?.(facts) ?? []),
    ],
    decide(facts) {
      const before = facts(held);
      const key = facts(person);
      if (!before || !key) return notFound();
      const changed = done.to(before);
      if (changed instanceof Refusal) return changed;
      const said = (c: Case) => (typeof done.message === 'string' ? done.message : done.message(c));
      if (changed === before)
        return { reply: { message: said(before), content: caseResource(before), replayed: true } };
      const together = done.together?.decide(facts);
      if (together instanceof Error) return together;
      if (done.together && together === undefined)
        return { reply: { message: 'it is so already', content: caseResource(before), replayed: true } };
      const after: Case = { ...changed, version: before.version + 1, updatedAt: at };
      const items = done.items.map((i): CaseItem => {
        const id = i.id ?? s.ids.next();
        return {
          ...{ psp: after.psp, id, caseId: after.id, account: after.account, kind: i.kind, about: i.about ?? null },
          content: i.content ?? {},
          sealed: i.text === undefined ? null : sealPersonal(key, i.text, itemPlace(id)),
          subject: i.text === undefined ? null : key.subject,
          writtenBy: principal.actor,
          createdAt: at,
        };
      });
      const ends = closes(before) ? ended(s, principal, after, facts(alerts) ?? [], at) : [];
      const content = caseResource(after);
      return {
        reply: { message: withBesides(said(after), together?.besides), content },
        together: together?.together,
        writes: {
          ...expecting(expectSubject(facts, person), together?.erasures && { erasures: together.erasures }),
          refsHeld: [
            { ...caseRef(before), revision: before.version },
            ...(together?.refsHeld ?? []),
            ...ends.flatMap((e) => e.refsHeld),
          ],
          refsNew: together?.refsNew ?? [],
          rows: [
            ...(together?.rows ?? []),
            caseRow(after),
            ...items.map(itemRow),
            journalRow(s, principal, at, {
              kind: 'case.updated',
              ...about(after),
              data: content,
              evidence: { step: done.step, items: items.map(itemInEntry) },
            }),
            ...ends.flatMap((e) => e.rows),
          ],
        },
      };
    },
    committed: () => done.together?.committed?.(),
  };
}

/** A note, for the step that it explains. */
export const noteItem = (text: string, step?: string): NewItem => ({
  kind: 'NOTE',
  text,
  ...(step === undefined ? {} : { content: { step } }),
});

export const caseWire = (c: Pick<Case, 'id'>): string => toWire('case', c.id);
