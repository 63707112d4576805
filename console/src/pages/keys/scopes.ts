// Scopes of keys in words.

import type { Content } from '../../data/assay.ts';
import { say } from '../../words/words.ts';

export type Scope = Content<'listOwnKeys'>['items'][number]['scopes'][number];

export const scopeChoices: readonly { readonly value: Scope; readonly label: string; readonly description: string }[] =
  [
    {
      value: 'payments',
      label: say('Payments'),
      description: say('Transactions, payments, wagers, baskets and tax quotes.'),
    },
    {
      value: 'records',
      label: say('Records'),
      description: say('Call records, reports, disputes, reviews and settlement.'),
    },
    { value: 'read', label: say('Read'), description: say('Everything that can be looked at, without changes.') },
    {
      value: 'administration',
      label: say('Administration'),
      description: say('Keys, people, clients, webhooks, file drop logins and erasure.'),
    },
  ];

export const scopesInWords = (scopes: readonly Scope[]): string =>
  scopes.length === scopeChoices.length
    ? say('Everything')
    : scopeChoices
        .filter((c) => scopes.includes(c.value))
        .map((c) => c.label)
        .join(', ');
