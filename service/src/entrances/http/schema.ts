// What a schema of an operation may say: the words of JSON Schema that the reader knows, and one of ours.

/** The JSON Schema words our schemas use. */
export interface Schema {
  /** Several types: text, or a whole number whose digits are taken as the text. */
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  /**
   * Which characters a text may have. Without it none that steer what shows it. `prose`: line breaks and tabs too. `any`:
   * all, because it names what exists, or is a secret.
   */
  readonly 'x-characters'?: 'prose' | 'any';
}
