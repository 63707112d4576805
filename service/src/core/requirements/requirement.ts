// What clients have to show for a verification level, as dated data: documents, owners, licences and tax numbers, by
// classification and country. Pure; the files are in service/data/requirements.

import { isInForce } from '../calendar.ts';
import { type ReadConfidence, readConfidences } from '../confidence.ts';
import { stored } from '../said.ts';
import { classifications, type VerificationLevel, verificationLevels } from '../standing.ts';

export const documentKinds = [
  'CERTIFICATE_OF_INCORPORATION',
  'REGISTER_EXTRACT',
  'ARTICLES_OF_ASSOCIATION',
  'PROOF_OF_ADDRESS',
  'OWNER_IDENTITY',
  'BANK_ACCOUNT',
  'LICENCE',
  'TAX_CERTIFICATE',
  'SOURCE_OF_FUNDS',
  'AML_POLICY',
  'OTHER',
] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** What a licence permits. */
export const licenceActivities = ['GAMING', 'CRYPTO', 'PAYMENTS', 'TELECOM', 'OTHER'] as const;
export type LicenceActivity = (typeof licenceActivities)[number];

export const requirementNeeds = ['DOCUMENT', 'OWNERS', 'LICENCE', 'TAX_NUMBER'] as const;

interface Authority {
  /** Short name by which a licence names it: `MGA`. */
  readonly code: string;
  readonly name: string;
}

interface Row {
  readonly requirementId: string;
  readonly level: Exclude<VerificationLevel, 'UNVERIFIED'>;
  /** Empty for all. */
  readonly classifications: readonly string[];
  /** Days after registration, or after the row begins, within which it has to be met. */
  readonly withinDays: number;
  readonly validFrom: string;
  readonly validTo: string | null;
  /** Key of the file's `sources`; null where `confidence` is `assumed`. */
  readonly source: string | null;
  readonly law: string | null;
  readonly confidence: ReadConfidence;
  readonly note?: string;
}

export type Requirement = Row &
  (
    | { readonly need: 'DOCUMENT'; readonly document: DocumentKind }
    /** Everybody who holds so many percent or more. */
    | { readonly need: 'OWNERS'; readonly ownersFromPercent: number }
    /** Of one of the authorities; of any where there are none. */
    | { readonly need: 'LICENCE'; readonly activity: LicenceActivity; readonly authorities: readonly Authority[] }
    | { readonly need: 'TAX_NUMBER' }
  );

export interface RequirementFile {
  /** ISO 3166-1 alpha-2; null for the rows that hold everywhere. */
  readonly country: string | null;
  /** For rows that hold everywhere: the countries whose law they follow. Elsewhere they are this service's own choice. */
  readonly lawOf?: readonly string[];
  readonly sources: Readonly<
    Record<
      string,
      { readonly title: string; readonly publisher: string; readonly url: string; readonly retrievedOn: string }
    >
  >;
  readonly requirements: readonly Requirement[];
}

/** What a row asks for: a country's own row takes the place of the general one for the same. */
export const askedBy = (r: Requirement): string =>
  r.need === 'DOCUMENT' ? `DOCUMENT:${r.document}` : r.need === 'LICENCE' ? `LICENCE:${r.activity}` : r.need;

const rank = (level: VerificationLevel): number => verificationLevels.indexOf(level);
export const isAtLeast = (level: VerificationLevel, needed: VerificationLevel): boolean => rank(level) >= rank(needed);

/** All requirements of one version. */
export class RequirementBook {
  /** Beginning of the SHA-256 of the files. */
  readonly version: string;
  readonly #general: readonly { readonly row: Requirement; readonly lawOf: ReadonlySet<string> }[];
  readonly #byCountry: ReadonlyMap<string, readonly Requirement[]>;

  constructor(version: string, files: readonly RequirementFile[]) {
    this.version = version;
    this.#general = files.flatMap((f) =>
      f.country === null ? f.requirements.map((row) => ({ row, lawOf: new Set(f.lawOf) })) : [],
    );
    this.#byCountry = new Map(files.flatMap((f) => (f.country === null ? [] : [[f.country, f.requirements] as const])));
  }

  /** Countries with requirements of their own. */
  get countries(): readonly string[] {
    return [...this.#byCountry.keys()].sort();
  }

  /** Requirements of a kind of client on a day, those of lower levels first. */
  of(who: { readonly country: string | null; readonly classification: string | null }, day: string): Requirement[] {
    const fits = (r: Requirement) =>
      isInForce(r, day) &&
      (r.classifications.length === 0 ||
        (who.classification !== null && r.classifications.includes(who.classification)));
    const own = (this.#byCountry.get(who.country ?? '') ?? []).filter(fits);
    const taken = new Set(own.map(askedBy));
    const general = this.#general
      .filter(({ row }) => fits(row) && !taken.has(askedBy(row)))
      .map(({ row, lawOf }) => (lawOf.has(who.country ?? '') ? row : followed(row)));
    return [...general, ...own].sort(
      (a, b) => rank(a.level) - rank(b.level) || (a.requirementId < b.requirementId ? -1 : 1),
    );
  }
}

/** A row where the law it follows is another country's. */
const followed = (r: Requirement): Requirement => ({
  ...r,
  confidence: 'assumed',
  law: r.law === null ? null : stored`as in ${r.law}`,
});

const days = /^\d{4}-\d{2}-\d{2}$/;

/** Everything that is wrong with a file, in sentences that name the row. */
export function requirementProblems(file: RequirementFile): string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  for (const r of file.requirements) {
    const say = (what: string) => problems.push(`${r.requirementId}: ${what}`);
    if (!/^[A-Z0-9]+(-[A-Z0-9]+)+$/.test(r.requirementId)) say('its id must be upper case words with hyphens');
    if (ids.has(r.requirementId)) say('its id is used twice');
    ids.add(r.requirementId);
    if (r.level !== 'BASIC' && r.level !== 'ENHANCED') say(`'${r.level}' is no level that can be asked for`);
    for (const c of r.classifications)
      if (!(classifications as readonly string[]).includes(c)) say(`'${c}' is no classification`);
    if (!Number.isInteger(r.withinDays) || r.withinDays < 0) say('withinDays must be a whole number of days');
    if (!days.test(r.validFrom) || (r.validTo !== null && !(days.test(r.validTo) && r.validTo > r.validFrom)))
      say('validFrom and validTo must be days, the second later');
    if (!readConfidences.includes(r.confidence)) say(`'${r.confidence}' is no confidence`);
    if (r.source !== null && !Object.hasOwn(file.sources, r.source)) say(`'${r.source}' is none of the sources`);
    if ((r.source === null) !== (r.confidence === 'assumed')) say('a row is assumed if, and only if, it has no source');
    if (!requirementNeeds.includes(r.need)) say(`'${(r as Requirement).need}' is no need`);
    if (r.need === 'DOCUMENT' && !documentKinds.includes(r.document)) say(`'${r.document}' is no kind of document`);
    if (r.need === 'LICENCE' && !licenceActivities.includes(r.activity)) say(`'${r.activity}' is no activity`);
    if (r.need === 'LICENCE' && file.country !== null && r.authorities.length === 0) say('it names no authority');
    if (r.need === 'OWNERS' && !(r.ownersFromPercent > 0 && r.ownersFromPercent <= 100))
      say('ownersFromPercent must be above 0 and at most 100');
  }
  return problems;
}
