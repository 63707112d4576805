// What an operation's schema may contain: the JSON Schema keywords that the reader supports, and one of our own.

/** The JSON Schema keywords our schemas use. */
export interface Schema {
  /** With several types: text, or a whole number whose digits are read as text. */
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
  /** What a text that meets the pattern is, after "must be". */
  readonly 'x-says'?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  /**
   * Permitted characters of a text. Default: none that steer what displays it. `prose`: also line breaks and tabs.
   * `any`: all, because it names an existing record or is a secret.
   */
  readonly 'x-characters'?: 'prose' | 'any';
}
