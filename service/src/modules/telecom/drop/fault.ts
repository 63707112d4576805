// The errors of a drop; each protocol maps `kind` to its own codes.

export class DropFault extends Error {
  readonly kind: 'missing' | 'refused' | 'full';

  constructor(kind: DropFault['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export const missing = (): DropFault => new DropFault('missing', 'no such file');
