// The navigation: its entries, order and groups, and who sees each.

import {
  IconBell,
  IconBriefcase,
  IconBuildingBank,
  IconBuildingCommunity,
  IconBuildingStore,
  IconChecks,
  IconClipboardCheck,
  IconDice5,
  IconFileText,
  IconGavel,
  IconHeartbeat,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconListSearch,
  IconPercentage,
  IconPhone,
  IconRadar2,
  IconReceipt2,
  IconScale,
  IconSearch,
  IconShieldCheck,
  IconShoppingBag,
  IconUserOff,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { say } from '../words/words.ts';

interface NavigationRow {
  readonly to: string;
  readonly title: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  /** The key that leads to it after g. */
  readonly letter?: string;
  /** Shown to people of clients too, or to them alone. */
  readonly forClients?: true | 'alone';
}

export interface NavigationGroup {
  readonly name: string;
  readonly rows: readonly NavigationRow[];
  /** Shown to staff of the operator alone. */
  readonly forStaff?: true;
}

export const navigation: readonly NavigationGroup[] = [
  {
    name: say('Now'),
    rows: [{ to: '/', title: say('Overview'), icon: IconLayoutDashboard, letter: 'o', forClients: true }],
  },
  {
    name: say('Records'),
    rows: [
      { to: '/transactions', title: say('Transactions'), icon: IconReceipt2, letter: 't', forClients: true },
      { to: '/baskets', title: say('Baskets'), icon: IconShoppingBag, letter: 'b', forClients: true },
      { to: '/gaming', title: say('Gaming'), icon: IconDice5, letter: 'm', forClients: true },
      { to: '/players', title: say('Players'), icon: IconUserOff, forClients: true },
      { to: '/clients', title: say('Clients'), icon: IconBuildingStore, letter: 'c' },
      { to: '/webhooks', title: say('Webhooks'), icon: IconBell, letter: 'w', forClients: true },
      { to: '/cdr', title: say('Call records'), icon: IconPhone, letter: 'd', forClients: true },
      { to: '/find', title: say('Find'), icon: IconSearch, letter: 'f', forClients: true },
    ],
  },
  {
    name: say('Accounts'),
    rows: [
      { to: '/account', title: say('Your account'), icon: IconBuildingStore, letter: 'c', forClients: 'alone' },
      { to: '/reports', title: say('Reports'), icon: IconFileText, letter: 'p', forClients: true },
      { to: '/returns', title: say('Returns'), icon: IconBuildingBank, letter: 'u', forClients: true },
      { to: '/settlement', title: say('Settlement'), icon: IconScale, letter: 's', forClients: true },
      { to: '/rates', title: say('Rates'), icon: IconPercentage, letter: 'x' },
    ],
  },
  {
    name: say('Oversight'),
    rows: [
      { to: '/cases', title: say('Cases'), icon: IconBriefcase, letter: 'e' },
      { to: '/reviews', title: say('Reviews'), icon: IconClipboardCheck, letter: 'r' },
      { to: '/lists', title: say('Lists'), icon: IconListSearch, letter: 'l' },
      { to: '/risk', title: say('Risk rules'), icon: IconRadar2, letter: 'i' },
      { to: '/audit', title: say('Audit'), icon: IconShieldCheck, letter: 'a' },
      { to: '/approvals', title: say('Approvals'), icon: IconChecks },
      { to: '/people', title: say('People'), icon: IconUsers, forClients: true },
      { to: '/keys', title: say('API keys'), icon: IconKey, letter: 'k', forClients: true },
      { to: '/requests', title: say('Requests'), icon: IconListDetails, letter: 'q', forClients: true },
    ],
  },
  {
    name: say('Service'),
    forStaff: true,
    rows: [
      { to: '/psps', title: say('PSPs'), icon: IconBuildingCommunity },
      { to: '/authorities', title: say('Authorities'), icon: IconGavel },
      { to: '/status', title: say('Status'), icon: IconHeartbeat },
    ],
  },
];

const forAuthorities: readonly NavigationGroup[] = [
  {
    name: say('Your country'),
    rows: [
      { to: '/authority', title: say('Records'), icon: IconReceipt2, letter: 't' },
      { to: '/authority/totals', title: say('Totals'), icon: IconScale, letter: 's' },
      { to: '/authority/returns', title: say('Filed returns'), icon: IconBuildingBank, letter: 'u' },
      { to: '/authority/sample', title: say('Sample'), icon: IconDice5, letter: 'm' },
    ],
  },
];

/** The entries that a person sees, in their groups. */
export const navigationOf = (kind: 'operator' | 'psp' | 'client' | 'authority'): readonly NavigationGroup[] =>
  kind === 'authority'
    ? forAuthorities
    : navigation
        .filter((g) => !g.forStaff || kind === 'operator')
        .map((g) => ({
          ...g,
          rows: g.rows.filter((r) => (kind === 'client' ? r.forClients : r.forClients !== 'alone')),
        }))
        .filter((g) => g.rows.length > 0);
