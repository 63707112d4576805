// Reads the entries of sdn_advanced.xml and cons_advanced.xml of the US Treasury's Office of Foreign Assets Control: what
// sdn.xml has, and the names in their original scripts. Its tables of codes come before the parties that use them, and the
// programmes after them, so that each element is read as it comes and nothing of the file has to be kept.
import type { EntryKind, ListEntry, ListedName } from './entry.ts';
import {
  at,
  type CountryReader,
  distinct,
  type Element,
  roughBirth,
  textOf,
  textsAt,
  type XmlForm,
} from './list-file.ts';

const subtypes: Readonly<Record<string, EntryKind>> = { Vessel: 'VESSEL', Aircraft: 'AIRCRAFT' };
const wallet = /^Digital Currency Address/;
const places = /^(?:(?:Nationality|Citizenship) Country|Location)$/;
/** What is said of no entry: it is joined to one. */
const nothing = { kind: 'ORGANISATION', names: [], births: [], countries: [], keys: [], programmes: [] } as const;

/** Tables of codes: the text of each, by the table's element and the code's number. */
class Tables {
  readonly #texts = new Map<string, string>();

  take(e: Element): void {
    this.#texts.set(`${e.name} ${e.attributes.ID ?? ''}`, e.text);
  }

  text(table: string, id: string | undefined): string {
    return this.#texts.get(`${table} ${id ?? ''}`) ?? '';
  }
}

const two = (text: string): string => text.padStart(2, '0');
const monthDays = (year: number, month: number): number =>
  month === 2
    ? (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
      ? 29
      : 28
    : [4, 6, 9, 11].includes(month)
      ? 30
      : 31;

/** A date of birth as `ListEntry.births` has it. Of a period that is not exact, the earliest start and the latest end count. */
function birthIn(period: Element): string | undefined {
  const found = daysIn(period);
  const isRough = ['Start', 'End'].some((n) => [...at(period, n)].some((e) => e.attributes.Approximate === 'true'));
  return found !== undefined && isRough ? roughBirth(found) : found;
}

function daysIn(period: Element): string | undefined {
  const [from] = [...at(period, 'Start', 'From')];
  const [to] = [...at(period, 'End', 'To'), ...at(period, 'Start', 'To')];
  if (from === undefined) return undefined;
  const [year, month, day] = ['Year', 'Month', 'Day'].map((n) => textOf(from, n)) as [string, string, string];
  const [lastYear, lastMonth, lastDay] = ['Year', 'Month', 'Day'].map((n) => textOf(to ?? from, n)) as [
    string,
    string,
    string,
  ];
  if (!/^\d{4}$/.test(year)) return undefined;
  if (year !== lastYear) return /^\d{4}$/.test(lastYear) ? `${year}/${lastYear}` : year;
  if (month === '' || month !== lastMonth) return year;
  if (day !== '' && day === lastDay) return `${year}-${two(month)}-${two(day)}`;
  const wholeMonth = Number(day) <= 1 && Number(lastDay) === monthDays(Number(year), Number(month));
  return day === '' || wholeMonth ? `${year}-${two(month)}` : year;
}

class Reading {
  readonly #tables = new Tables();
  readonly #subtypes = new Map<string, EntryKind>();
  readonly #locations = new Map<string, string>();
  readonly #refs = new Map<string, string>();
  readonly #country: CountryReader;
  published: string | undefined;

  constructor(country: CountryReader) {
    this.#country = country;
  }

  read(e: Element): ListEntry | undefined {
    switch (e.name) {
      case 'DateOfIssue':
        this.published = `${textOf(e, 'Year')}-${two(textOf(e, 'Month'))}-${two(textOf(e, 'Day'))}`;
        return undefined;
      case 'PartySubType': {
        const person = this.#tables.text('PartyType', e.attributes.PartyTypeID) === 'Individual';
        this.#subtypes.set(e.attributes.ID ?? '', subtypes[e.text] ?? (person ? 'PERSON' : 'ORGANISATION'));
        return undefined;
      }
      case 'Location': {
        const found = this.#countryOf(e);
        if (found !== undefined) this.#locations.set(e.attributes.ID ?? '', found);
        return undefined;
      }
      case 'DistinctParty':
        return this.#party(e);
      case 'SanctionsEntry':
        return this.#programmes(e);
      default:
        this.#tables.take(e);
        return undefined;
    }
  }

  #countryOf(location: Element): string | undefined {
    const codes = [...at(location, 'LocationCountry')].map((c) => this.#tables.text('Country', c.attributes.CountryID));
    const texts = textsAt(location, 'LocationPart', 'LocationPartValue', 'Value');
    return [...codes, ...texts].map((t) => this.#country(t)).find((c) => c !== undefined);
  }

  #party(e: Element): ListEntry | undefined {
    const ref = e.attributes.FixedRef ?? '';
    const [profile] = at(e, 'Profile');
    if (ref === '' || profile === undefined) return undefined;
    this.#refs.set(profile.attributes.ID ?? '', ref);
    const features = [...at(profile, 'Feature')].map((f) => ({
      type: this.#tables.text('FeatureType', f.attributes.FeatureTypeID),
      versions: [...at(f, 'FeatureVersion')],
    }));
    const of = (wanted: RegExp) => features.filter((f) => wanted.test(f.type)).flatMap((f) => f.versions);
    const names = this.#names(profile);
    if (names.length === 0) return undefined;
    return {
      ref,
      kind: this.#subtypes.get(profile.attributes.PartySubTypeID ?? '') ?? 'ORGANISATION',
      names,
      births: distinct(of(/^Birthdate$/).flatMap((v) => [...at(v, 'DatePeriod')].flatMap((p) => birthIn(p) ?? []))),
      countries: distinct(
        of(places).flatMap((v) =>
          [...at(v, 'VersionLocation')].flatMap((l) => this.#locations.get(l.attributes.LocationID ?? '') ?? []),
        ),
      ),
      keys: of(wallet)
        .flatMap((v) => textsAt(v, 'VersionDetail'))
        .map((text) => ({ kind: 'wallet' as const, value: text.replaceAll(' ', '') })),
      programmes: [],
    };
  }

  /** The main name first; of each alias its form in Latin letters, then those in other scripts. */
  #names(profile: Element): ListedName[] {
    const identities = [...at(profile, 'Identity')];
    const parts = new Map(
      identities.flatMap((i) =>
        [...at(i, 'NamePartGroups', 'MasterNamePartGroup', 'NamePartGroup')].map((g) => [
          g.attributes.ID ?? '',
          this.#tables.text('NamePartType', g.attributes.NamePartTypeID),
        ]),
      ),
    );
    const aliases = identities.flatMap((i) => [...at(i, 'Alias')]);
    const isMain = (a: Element) => (a.attributes.Primary === 'true' ? 0 : 1);
    return aliases
      .toSorted((a, b) => isMain(a) - isMain(b))
      .flatMap((alias) => {
        const weak = alias.attributes.LowQuality === 'true' ? { weak: true as const } : {};
        return [...at(alias, 'DocumentedName')]
          .map((name) => this.#name(name, parts))
          .filter((n) => n.name !== '')
          .toSorted((a, b) => Number(b.latin) - Number(a.latin))
          .map(({ name }) => ({ name, ...weak }));
      });
  }

  #name(name: Element, parts: ReadonlyMap<string, string>): { readonly name: string; readonly latin: boolean } {
    const values = [...at(name, 'DocumentedNamePart', 'NamePartValue')];
    const script = this.#tables.text('Script', values[0]?.attributes.ScriptID);
    const latin = script === '' || script === 'Latin';
    const isLast = (v: Element) => (parts.get(v.attributes.NamePartGroupID ?? '') === 'Last Name' ? 1 : 0);
    // In Latin letters the last name goes last, as in sdn.xml; other scripts keep the order in which they are written.
    const ordered = latin ? values.toSorted((a, b) => isLast(a) - isLast(b)) : values;
    return { name: ordered.map((v) => v.text.replace(/\s+/g, ' ')).join(' '), latin };
  }

  #programmes(e: Element): ListEntry | undefined {
    const ref = this.#refs.get(e.attributes.ProfileID ?? '');
    const programmes = [...at(e, 'SanctionsMeasure')]
      .filter((m) => this.#tables.text('SanctionsType', m.attributes.SanctionsTypeID) === 'Program')
      .flatMap((m) => textsAt(m, 'Comment'));
    return ref === undefined || programmes.length === 0 ? undefined : { ...nothing, ref, programmes };
  }
}

export const ofacAdvanced: XmlForm = {
  form: 'OFAC_ADVANCED_XML',
  list: 'OFAC_SDN',
  root: 'Sanctions',
  entries: [
    ...[
      'DateOfIssue',
      'PartyType',
      'PartySubType',
      'FeatureType',
      'NamePartType',
      'Script',
      'Country',
      'SanctionsType',
    ],
    ...['Location', 'DistinctParty', 'SanctionsEntry'],
  ],
  published: {},
  begin: (country) => new Reading(country),
};
