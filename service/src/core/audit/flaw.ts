// A flaw found by a check: data, with a code for machines and a sentence for people.

export type FlawCode = 'FORM' | 'KEY' | 'SIGNATURE' | 'LOG' | 'SIZE' | 'PROOF' | 'ENTRY';

export class Flaw {
  readonly code: FlawCode;
  readonly message: string;

  constructor(code: FlawCode, message: string) {
    this.code = code;
    this.message = message;
  }
}
