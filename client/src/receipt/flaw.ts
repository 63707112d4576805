// What is wrong with a receipt: a code for machines and a sentence for people.

export type FlawCode = 'FORM' | 'KEY' | 'SIGNATURE' | 'LOG' | 'SIZE' | 'PROOF' | 'ENTRY';

/** The receipt is not valid. */
export class ReceiptError extends Error {
  override readonly name: string = 'ReceiptError';
  readonly code: FlawCode;

  constructor(code: FlawCode, message: string) {
    super(message);
    this.code = code;
  }
}
