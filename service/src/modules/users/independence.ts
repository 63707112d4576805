// Whether who approves is another person than who proposed; and whether two people are independent: neither of them, and no
// third person, created both accounts or has what opens them.
import { fromWire } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import { readEnvelope } from '../../entries/read.ts';
import type { Database } from '../../platform/database.ts';
import type { Principal } from '../kernel/principal.ts';

/** Chains of people creating people are short; a longer one is not followed and counts as not independent. */
const mostFollowed = 200;

/**
 * People who ever knew a person's password: by creating the person, by resetting the password, or through a key they
 * issued that did so; and those who knew theirs, and so on. The command line and the first start do not count: their
 * users control the machine anyway.
 */
async function holdersOf(db: Database, user: string): Promise<ReadonlySet<string>> {
  const holders = new Set<string>();
  const open = [user];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (holders.has(id)) continue;
    if (holders.size >= mostFollowed) throw new Error(`more than ${mostFollowed} people made each other`);
    holders.add(id);
    for (const actor of await madeBy(db, id)) {
      const key = actor.startsWith('key_') ? fromWire('key', actor) : undefined;
      for (const by of key === undefined ? [actor] : [actor, ...(await issuersOf(db, key))]) {
        const person = by.startsWith('usr_') ? fromWire('user', by) : undefined;
        if (person !== undefined) open.push(person);
        // An unknown key counts as a person: two people created by the same key are not independent.
        else if (by.startsWith('key_')) holders.add(by);
      }
    }
  }
  return holders;
}

const actorsOf = (rows: readonly { body: string }[]): string[] => rows.map((r) => readEnvelope(r.body).actor.by);

const madeBy = async (db: Database, user: string): Promise<string[]> =>
  actorsOf(
    await db.query(
      `SELECT j.body FROM users u JOIN journal j ON j.psp_id = u.psp_id AND j.resource_id = u.id
       WHERE u.id = $1 AND j.kind IN ('user.created', 'user.password_changed')`,
      [user],
    ),
  );

/** The people who issued a key, followed through the keys it was issued with. */
async function issuersOf(db: Database, key: string, followed = 0): Promise<string[]> {
  if (followed > mostFollowed) throw new Error(`more than ${mostFollowed} keys issued each other`);
  const actors = actorsOf(
    await db.query(
      `SELECT j.body FROM api_keys k JOIN journal j ON j.psp_id = k.psp_id AND j.resource_id = k.id
       WHERE k.id = $1 AND j.kind = 'key.issued'`,
      [key],
    ),
  );
  const through = actors.map((a) => (a.startsWith('key_') ? fromWire('key', a) : undefined));
  const further = await Promise.all(
    through.map((id) => (id === undefined || id === key ? [] : issuersOf(db, id, followed + 1))),
  );
  return [...actors, ...further.flat()];
}

/** Who may act as an actor: a person, or a key with the people and keys that issued it. */
async function handsOf(db: Database, actor: string): Promise<readonly string[]> {
  return actor.startsWith('key_') ? [actor, ...(await issuersOf(db, fromWire('key', actor) ?? ''))] : [actor];
}

/** Of two keys, or a key and a sign-in: whether one issued the other, or the same person both. */
async function isSameHand(db: Database, a: string, b: string): Promise<boolean> {
  const [ofA, ofB] = [await handsOf(db, a), await handsOf(db, b)];
  return ofA.includes(b) || ofB.includes(a) || ofA.some((hand) => hand.startsWith('usr_') && ofB.includes(hand));
}

/** @param a @param b people (UUIDs) */
async function areIndependent(db: Database, a: string, b: string): Promise<boolean> {
  // The same e-mail in two accounts is one person.
  const rows = await db.query('SELECT DISTINCT email FROM users WHERE id = ANY ($1::uuid[])', [[a, b]]);
  if (rows.length < 2) return false;
  const [ofA, ofB] = [await holdersOf(db, a), await holdersOf(db, b)];
  return ![...ofA].some((h) => ofB.has(h));
}

/**
 * Who approves is another person than who proposed.
 * @param proposedBy a person or a key
 * @param bothSignIn whether both must have signed in, and neither could have signed in as the other, nor a third person as both
 * @throws TWO_PERSONS
 */
export async function expectAnother(
  db: Database,
  proposedBy: string,
  approver: Pick<Principal, 'actor' | 'session'>,
  bothSignIn: boolean,
): Promise<void> {
  if (!bothSignIn) {
    if (await isSameHand(db, proposedBy, approver.actor))
      throw refuse(
        'TWO_PERSONS',
        'who proposed and who approves are the same person: one key issued the other, or one person issued both; have somebody else approve it',
      );
    return;
  }
  const proposer = proposedBy.startsWith('usr_') ? fromWire('user', proposedBy) : undefined;
  if (proposer === undefined)
    throw refuse('TWO_PERSONS', 'it was proposed with a key; reject it, and have a person who signed in propose it');
  if (approver.session === undefined)
    throw refuse('TWO_PERSONS', 'what is proposed is approved by people who signed in');
  if (!(await areIndependent(db, proposer, approver.session.user)))
    throw refuse(
      'TWO_PERSONS',
      'who proposed and who approves are not independent: one of them, or the same third person, made both sign-ins or reset a password of theirs',
    );
}
