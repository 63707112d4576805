// Sentences for people that keep their values apart, so that they can be said in another language than English, which is
// their key (docs/decisions/0177). Pure.

export type Value = string | number | Said | null | undefined;

/** A sentence with values. As text, and as JSON, it is English. */
export class Said {
  readonly #parts: readonly string[];
  readonly #values: readonly Value[];

  constructor(parts: readonly string[], values: readonly Value[] = []) {
    this.#parts = parts;
    this.#values = values;
  }

  /** The English with numbered places: "the ref '{0}' was used before with another '{1}'". */
  get key(): string {
    return this.#parts.reduce((text, part, i) => `${text}{${i - 1}}${part}`);
  }

  toString(): string {
    return this.#parts.reduce((text, part, i) => `${text}${this.#values[i - 1]}${part}`);
  }

  toJSON(): string {
    return this.toString();
  }

  /** In the language of a catalogue. Values stay as they are, except those that are sentences themselves. */
  by(catalogue: Catalogue): string {
    const text = catalogue.get(this.key);
    if (text === undefined) return this.toString();
    return text.replace(/\{(\d+)\}/g, (_, i: string) => inWords(this.#values[Number(i)], catalogue));
  }
}

/** The languages that sentences are said in. */
export const languages = ['en', 'fr'] as const;
export type Language = (typeof languages)[number];

/** Texts of another language by their English. */
export type Catalogue = ReadonlyMap<string, string>;
export const english: Catalogue = new Map();

const inWords = (value: Value, catalogue: Catalogue): string =>
  value instanceof Said ? value.by(catalogue) : String(value);

/** A sentence: said`the ref '${ref}' is not known`. */
export const said = (parts: TemplateStringsArray, ...values: readonly Value[]): Said => new Said(parts, values);

/** A sentence that is stored, in English: frenchOf (platform/words.ts) says it in French where it is read. */
export const stored = (parts: TemplateStringsArray, ...values: readonly Value[]): string =>
  new Said(parts, values).toString();

/** A text of a table as a sentence of its own, or as a part of one. */
export const phrase = (text: string | Said | null | undefined): Said =>
  text instanceof Said ? text : new Said([String(text)]);

/** A text in the language of a catalogue; in English by an empty one. */
export const wordBy = (text: string | Said, catalogue: Catalogue): string => phrase(text).by(catalogue);

/** A day, YYYY-MM-DD, which each language writes in its own order. */
export function day(iso: string): Said {
  const [year, month, ofMonth] = iso.split('-');
  return said`${year}-${month}-${ofMonth}`;
}

/** Sentences one after another, with something between each two: `saidInRow(names, (a, b) => said`${a} or ${b}`)`. */
export const saidInRow = (values: readonly Value[], join: (a: Value, b: Value) => Said): Value =>
  values.length === 0 ? '' : values.reduce(join);

export const either = (values: readonly Value[]): Value => saidInRow(values, (a, b) => said`${a} or ${b}`);
export const eachOf = (values: readonly Value[]): Value => saidInRow(values, (a, b) => said`${a}; ${b}`);
