// Scopes of keys in words.
import type { Content } from '../../data/assay.ts';

export type Scope = Content<'listOwnKeys'>['items'][number]['scopes'][number];

export const scopeChoices: readonly { readonly value: Scope; readonly label: string; readonly description: string }[] =
  [
    { value: 'payments', label: 'Payments', description: 'Transactions, payments, wagers, baskets and tax quotes.' },
    { value: 'records', label: 'Records', description: 'Call records, reports, disputes, reviews and settlement.' },
    { value: 'read', label: 'Read', description: 'Everything that can be looked at, without changes.' },
    {
      value: 'administration',
      label: 'Administration',
      description: 'Keys, people, clients, webhooks, file drop logins and erasure.',
    },
  ];

export const scopesInWords = (scopes: readonly Scope[]): string =>
  scopes.length === scopeChoices.length
    ? 'Everything'
    : scopeChoices
        .filter((c) => scopes.includes(c.value))
        .map((c) => c.label)
        .join(', ');
