// A rule of the risk book as operations take and return it: its fields are checked by the book, which says where and why.
import { Type } from 'typebox';

export const RuleDocument = Type.Object(
  {},
  { additionalProperties: true, description: 'A rule as service/data/risk/README.md describes.' },
);
