// What people may do with a review.
import { describe, expect, it } from 'vitest';
import { Refusal } from '../refusal.ts';
import { assigned, concluded, noted, type Review } from './review.ts';

describe('a review', () => {
  const review: Review = {
    psp: 'p',
    id: 'i',
    account: 'a',
    severity: 'MEDIUM',
    ruleVersion: null,
    about: null,
    person: null,
    resolvedAt: null,
    transaction: 't',
    rule: 'LARGE_AMOUNT',
    reason: 'large',
    findings: [],
    state: 'OPEN',
    assignee: null,
    outcome: null,
    notes: [],
    openedBy: 'rule',
    version: 1,
    createdAt: '2026-11-21T10:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
  };
  const note = (text: string, by = 'usr_1') => ({ at: '2026-11-21T11:00:00.000Z', by, text });
  const ok = (r: Review | Refusal): Review => {
    if (r instanceof Refusal) throw r;
    return r;
  };
  const code = (r: Review | Refusal) => (r instanceof Refusal ? r.code : undefined);

  it('takes a note once, and the same one of somebody else or after another again', () => {
    const once = ok(noted(note('seen'))(review));
    expect(noted(note('seen'))(once)).toBe(once);
    expect(ok(noted(note('seen', 'usr_2'))(once)).notes).toHaveLength(2);
    const twice = ok(noted(note('more'))(once));
    expect(ok(noted(note('seen'))(twice)).notes).toHaveLength(3);
  });

  it('takes 200 notes and no more', () => {
    let full = review;
    for (let i = 0; i < 200; i++) full = ok(noted(note(`n${i}`))(full));
    expect(code(noted(note('one more'))(full))).toBe('LIMIT_REACHED');
    // Why it ended is said all the same: otherwise it could never end, nor the case that it is in.
    expect(ok(concluded('CLEARED', note('one more'))(full))).toMatchObject({ state: 'RESOLVED', outcome: 'CLEARED' });
  });

  it('is taken in hand, given to another and given back while it is open', () => {
    const mine = ok(assigned('usr_1')(review));
    expect(mine.assignee).toBe('usr_1');
    expect(assigned('usr_1')(mine)).toBe(mine);
    expect(ok(assigned(null)(mine)).assignee).toBeNull();
    const ended = ok(concluded('CLEARED', note('fine'))(mine));
    expect(code(assigned('usr_2')(ended))).toBe('STATE_CONFLICT');
    expect(assigned('usr_1')(ended)).toBe(ended);
  });

  it('ends once, with its outcome; the same end again is a repetition', () => {
    const ended = ok(concluded('CONFIRMED', note('fraud'))(review));
    expect([ended.state, ended.outcome, ended.notes.length]).toEqual(['RESOLVED', 'CONFIRMED', 1]);
    expect(concluded('CONFIRMED', note('fraud'))(ended)).toBe(ended);
    expect(code(concluded('CLEARED', note('fraud'))(ended))).toBe('STATE_CONFLICT');
    expect(code(concluded('CONFIRMED', note('other'))(ended))).toBe('STATE_CONFLICT');
    expect(ok(noted(note('later'))(ended)).notes).toHaveLength(2);
  });
});
