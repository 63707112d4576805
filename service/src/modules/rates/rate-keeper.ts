// Caches the rates in force: loads the shipped ones, and takes over changes by staff and the crypto assets they add, here or
// in another process, within a second. A fault leaves the rates in force unchanged.
import { type FeeRule, FeeSchedule, feeProblems } from '../../core/fee.ts';
import type { CryptoAsset, Reference } from '../../core/reference.ts';
import { refuse } from '../../core/refusal.ts';
import { eachOf, type Said, said } from '../../core/said.ts';
import { RuleBook } from '../../core/tax/book.ts';
import { countryProblems } from '../../core/tax/problems.ts';
import type { CountryTax } from '../../core/tax/rule.ts';
import type { Database, Pool } from '../../platform/database.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { loadShipped } from './load-shipped.ts';
import { feeChange, feeEndChange, type RatesChange, recordAsset, recordRates, taxChange } from './rates-entry.ts';
import {
  addedAssets,
  type CountryFile,
  countryFile,
  documents,
  findFee,
  goneRules,
  liveCountries,
  liveFees,
  loadCountries,
  ratesInForce,
  ratesState,
  rulesOf,
} from './rates-store.ts';
import { oneMayChangeRates } from './two-persons.ts';

export interface Rates {
  book: RuleBook;
  fees: FeeSchedule;
}

type Rereads = Pick<Pool, 'query' | 'transaction'>;

export interface HasRateKeeper {
  readonly rateKeeper: RateKeeper;
}

export class RateKeeper {
  readonly stateSql = ratesState;
  readonly #db: Rereads;
  readonly #reference: Reference;
  readonly #shipped: ReadonlyMap<string, CountryFile>;
  readonly #defaultFees: readonly FeeRule[];
  #state = '';
  #refreshing: Promise<boolean> = Promise.resolve(false);
  /** The rates in force; each member is replaced as a whole. */
  readonly rates: Rates;
  readonly #past = new Map<string, { rule: CountryTax['rules'][number]; country: CountryTax }>();

  private constructor(db: Rereads, reference: Reference, shipped: readonly CountryFile[], fees: readonly FeeRule[]) {
    this.#db = db;
    this.#reference = reference;
    this.#shipped = new Map(shipped.map((f) => [f.jurisdiction, f]));
    this.#defaultFees = fees;
    this.rates = { book: new RuleBook('', []), fees: new FeeSchedule(fees) };
  }

  /** Loads the shipped rates that staff has not replaced, then what is in force. */
  static async start(
    db: Rereads,
    s: Needs<'ids' | 'clock' | 'committer' | 'reference'>,
    shipped: readonly CountryFile[],
    fees: readonly FeeRule[],
  ): Promise<RateKeeper> {
    const keeper = new RateKeeper(db, s.reference, shipped, fees);
    await loadShipped(db, s, shipped);
    await keeper.refresh();
    return keeper;
  }

  /** Takes over changes; returns whether there were any. One at a time, so that no older reading replaces a newer one. */
  refresh(): Promise<boolean> {
    const done = this.#refreshing.then(() => this.#refresh());
    this.#refreshing = done.catch(() => false);
    return done;
  }

  /** As `refresh`, but reads nothing if a state that was just read is that of the rates in force. */
  follow = async (state: string): Promise<boolean> => state !== this.#state && this.refresh();

  async #refresh(): Promise<boolean> {
    if ((await ratesInForce(this.#db)).state === this.#state) return false;
    // One snapshot: a change in between would give the new rules the old version's name.
    await this.#db.transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const { version, state } = await ratesInForce(tx);
      const book = await this.#bookOf(tx, version);
      this.rates.fees = new FeeSchedule([...this.#defaultFees, ...(await liveFees(tx))]);
      this.rates.book = book;
      for (const a of await addedAssets(tx)) this.#reference.addAsset(a);
      this.#state = state;
    });
    return true;
  }

  async #bookOf(db: Database, version: string | null): Promise<RuleBook> {
    if (version === null) return this.rates.book;
    const gone = await goneRules(db);
    if (version === this.rates.book.version && gone.length === 0) return this.rates.book;
    const live = await liveCountries(db);
    const known = live.filter((c) => this.#shipped.get(c.jurisdiction)?.hash === c.hash);
    const others = live.filter((c) => this.#shipped.get(c.jurisdiction)?.hash !== c.hash).map((c) => c.jurisdiction);
    const read = others.length === 0 ? [] : await documents(db, others);
    return new RuleBook(
      version,
      [
        ...known.map((c) => (this.#shipped.get(c.jurisdiction) as CountryFile).country),
        ...read.map((text) => JSON.parse(text) as CountryTax),
      ],
      gone,
    );
  }

  /** Rules as they were in the dataset a transaction was priced with. */
  async rulesAt(version: string, ruleIds: readonly string[]) {
    if (version === this.rates.book.version) return new Map(ruleIds.map((id) => [id, this.rates.book.rule(id)]));
    const missing = ruleIds.filter((id) => !this.#past.has(`${version}|${id}`));
    if (missing.length > 0) {
      if (this.#past.size > 20_000) this.#past.clear();
      for (const found of await rulesOf(this.#db, version, missing))
        this.#past.set(`${version}|${found.rule.ruleId}`, found);
    }
    return new Map(ruleIds.map((id) => [id, this.#past.get(`${version}|${id}`)]));
  }

  /** A fee row, in force or superseded. */
  async feeById(feeId: string): Promise<FeeRule | undefined> {
    return this.rates.fees.rule(feeId) ?? (await findFee(this.#db, feeId));
  }

  /**
   * Supersedes a country's rules. Refused as a whole if anything is wrong.
   * @throws RATES_INVALID naming each row and reason
   */
  async loadTax(
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'reference'>,
    principal: Principal,
    texts: readonly { name: string; text: string }[],
    reason: string,
    now: number,
  ): Promise<string> {
    oneMayChangeRates(s);
    const files = this.checkTax(s, texts);
    let version = '';
    await this.#change(s, principal, now, reason, async (tx) => {
      version = await this.putTax(tx, files, principal.actor, reason);
      return taxChange(version, files);
    });
    return version;
  }

  /** Country files that could be loaded unchanged. @throws RATES_INVALID naming each row and reason */
  checkTax(s: Needs<'reference'>, texts: readonly { name: string; text: string }[]): CountryFile[] {
    const problems: Said[] = [];
    const files: CountryFile[] = [];
    for (const { name, text } of texts) {
      try {
        const file = countryFile(text);
        for (const p of countryProblems(file.country)) problems.push(said`${name}: ${p}`);
        if (s.reference.country(file.country.jurisdiction) instanceof Error)
          problems.push(said`${name}: jurisdiction '${file.country.jurisdiction}' is not a country code`);
        problems.push(...this.#foreignIds(file.country).map((p) => said`${name}: ${p}`));
        files.push(file);
      } catch (e) {
        problems.push(said`${name}: is not a country file: ${e instanceof Error ? e.message : String(e)}`);
      }
    }
    if (problems.length > 0)
      throw refuse(
        'RATES_INVALID',
        said`the tax rules were refused, those in force stay: ${eachOf(problems.slice(0, 20))}`,
      );
    return files;
  }

  /** Writes validated files; the caller writes the journal entry and refreshes. @returns the dataset's version */
  async putTax(db: Database, files: readonly CountryFile[], actor: string, reason: string): Promise<string> {
    try {
      return await loadCountries(db, files, 'operator', actor, reason);
    } catch (e) {
      if ((e as { code?: string }).code === '23P01')
        throw refuse('RATES_INVALID', 'the tax rules were refused, those in force stay: two rows overlap');
      throw e;
    }
  }

  /** Rule ids that another country already uses: an id is unique in the whole dataset. */
  #foreignIds(country: CountryTax): Said[] {
    return country.rules.flatMap((r) => {
      const other = this.rates.book.rule(r.ruleId)?.country.jurisdiction;
      return other && other !== country.jurisdiction ? [said`ruleId ${r.ruleId} belongs to ${other}`] : [];
    });
  }

  /** Adds a fee row, general or of one PSP. @throws RATES_INVALID, LIMIT_REACHED, TWO_PERSONS */
  async addFee(
    s: Needs<'settings' | 'ids' | 'db' | 'committer'>,
    principal: Principal,
    rule: FeeRule,
    reason: string,
    now: number,
  ): Promise<void> {
    oneMayChangeRates(s);
    await this.checkFee(rule);
    await this.#change(s, principal, now, reason, async (_, at) => feeChange(rule, at));
  }

  /** @throws RATES_INVALID if the row cannot be added unchanged */
  async checkFee(rule: FeeRule): Promise<void> {
    const problems = feeProblems(rule, [...this.rates.fees.rules]);
    if (problems.length > 0)
      throw refuse('RATES_INVALID', said`the fee was refused, those in force stay: ${eachOf(problems)}`);
    if (await this.feeById(rule.feeId))
      throw refuse('RATES_INVALID', said`the feeId ${rule.feeId} was used before; choose another`);
  }

  /** @throws NOT_FOUND, TWO_PERSONS */
  async endFee(
    s: Needs<'settings' | 'ids' | 'db' | 'committer'>,
    principal: Principal,
    feeId: string,
    reason: string,
    now: number,
  ): Promise<void> {
    oneMayChangeRates(s);
    await this.#change(s, principal, now, reason, (tx, at) => feeEndChange(tx, feeId, at));
  }

  /** Adds a crypto asset, which the caller has checked; does nothing if somebody else added it at the same moment. */
  async addAsset(
    s: Needs<'ids' | 'db' | 'committer'>,
    principal: Principal,
    asset: CryptoAsset,
    reason: string,
    now: number,
  ): Promise<void> {
    const at = new Date(now).toISOString();
    await s.db
      .transaction((tx) => recordAsset(tx, s, principal, at, asset, reason))
      .catch((e: { code?: string }) => {
        if (e.code !== '23505') throw e;
      });
    await this.refresh();
  }

  /** Commits a change with its journal entry, and puts it in force here. */
  async #change(
    s: Needs<'ids' | 'db' | 'committer'>,
    principal: Principal,
    now: number,
    reason: string,
    change: (tx: Database, at: string) => Promise<RatesChange>,
  ): Promise<void> {
    const at = new Date(now).toISOString();
    await s.db.transaction(async (tx) => {
      await recordRates(tx, s, principal, at, await change(tx, at), { reason });
    });
    await this.refresh();
  }
}
