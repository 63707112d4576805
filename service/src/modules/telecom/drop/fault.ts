// The ways in which a drop says no; an entrance words each in its protocol's codes.

export class DropFault extends Error {
  readonly kind: 'missing' | 'refused' | 'full';

  constructor(kind: DropFault['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export const missing = (): DropFault => new DropFault('missing', 'no such file');
