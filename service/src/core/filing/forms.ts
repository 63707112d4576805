// All filing forms, found by their id and the day they are for. Pure.
import { isInForce } from '../calendar.ts';
import type { CountryForm, FilingFile } from './form.ts';

export class FilingForms {
  readonly #forms: readonly CountryForm[];

  constructor(files: readonly FilingFile[]) {
    this.#forms = files.flatMap(({ country, sources, forms }) => forms.map((form) => ({ country, form, sources })));
  }

  /** By country and form. */
  all(): readonly CountryForm[] {
    return this.#forms;
  }

  /** All versions of a form. @param id in any case */
  versions(id: string): readonly CountryForm[] {
    const wanted = id.toUpperCase();
    return this.#forms.filter((f) => f.form.form === wanted);
  }
}

/** The version in force on a local day. */
export const versionOn = (versions: readonly CountryForm[], day: string): CountryForm | undefined =>
  versions.find((v) => isInForce(v.form, day));
