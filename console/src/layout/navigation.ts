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

export interface NavigationRow {
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
  { name: 'Now', rows: [{ to: '/', title: 'Overview', icon: IconLayoutDashboard, letter: 'o', forClients: true }] },
  {
    name: 'Records',
    rows: [
      { to: '/transactions', title: 'Transactions', icon: IconReceipt2, letter: 't', forClients: true },
      { to: '/baskets', title: 'Baskets', icon: IconShoppingBag, letter: 'b', forClients: true },
      { to: '/gaming', title: 'Gaming', icon: IconDice5, letter: 'm', forClients: true },
      { to: '/players', title: 'Players', icon: IconUserOff },
      { to: '/clients', title: 'Clients', icon: IconBuildingStore, letter: 'c' },
      { to: '/webhooks', title: 'Webhooks', icon: IconBell, letter: 'w', forClients: true },
      { to: '/cdr', title: 'Call records', icon: IconPhone, letter: 'd' },
      { to: '/find', title: 'Find', icon: IconSearch, letter: 'f' },
    ],
  },
  {
    name: 'Accounts',
    rows: [
      { to: '/account', title: 'Your account', icon: IconBuildingStore, letter: 'c', forClients: 'alone' },
      { to: '/reports', title: 'Reports', icon: IconFileText, letter: 'p', forClients: true },
      { to: '/returns', title: 'Returns', icon: IconBuildingBank, letter: 'u' },
      { to: '/settlement', title: 'Settlement', icon: IconScale, letter: 's', forClients: true },
      { to: '/rates', title: 'Rates', icon: IconPercentage, letter: 'x' },
    ],
  },
  {
    name: 'Oversight',
    rows: [
      { to: '/cases', title: 'Cases', icon: IconBriefcase, letter: 'e' },
      { to: '/reviews', title: 'Reviews', icon: IconClipboardCheck, letter: 'r' },
      { to: '/lists', title: 'Lists', icon: IconListSearch, letter: 'l' },
      { to: '/risk', title: 'Risk rules', icon: IconRadar2, letter: 'i' },
      { to: '/audit', title: 'Audit', icon: IconShieldCheck, letter: 'a' },
      { to: '/approvals', title: 'Approvals', icon: IconChecks },
      { to: '/people', title: 'People', icon: IconUsers, forClients: true },
      { to: '/keys', title: 'API keys', icon: IconKey, letter: 'k', forClients: true },
      { to: '/requests', title: 'Requests', icon: IconListDetails, letter: 'q', forClients: true },
    ],
  },
  {
    name: 'Service',
    forStaff: true,
    rows: [
      { to: '/psps', title: 'PSPs', icon: IconBuildingCommunity },
      { to: '/status', title: 'Status', icon: IconHeartbeat },
    ],
  },
];

/** The entries that a person sees, in their groups. */
export const navigationOf = (kind: 'operator' | 'psp' | 'client'): readonly NavigationGroup[] =>
  navigation
    .filter((g) => !g.forStaff || kind === 'operator')
    .map((g) => ({ ...g, rows: g.rows.filter((r) => (kind === 'client' ? r.forClients : r.forClients !== 'alone')) }))
    .filter((g) => g.rows.length > 0);
