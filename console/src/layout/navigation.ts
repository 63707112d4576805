// The navigation: its entries, order and groups, and who sees each.
import {
  IconBell,
  IconBriefcase,
  IconBuildingBank,
  IconBuildingCommunity,
  IconBuildingStore,
  IconClipboardCheck,
  IconDice5,
  IconFileText,
  IconHeartbeat,
  IconKey,
  IconLayoutDashboard,
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
}

export interface NavigationGroup {
  readonly name: string;
  readonly rows: readonly NavigationRow[];
  /** Shown to staff of the operator alone. */
  readonly forStaff?: true;
}

export const navigation: readonly NavigationGroup[] = [
  { name: 'Now', rows: [{ to: '/', title: 'Overview', icon: IconLayoutDashboard }] },
  {
    name: 'Records',
    rows: [
      { to: '/transactions', title: 'Transactions', icon: IconReceipt2 },
      { to: '/baskets', title: 'Baskets', icon: IconShoppingBag },
      { to: '/gaming', title: 'Gaming', icon: IconDice5 },
      { to: '/players', title: 'Players', icon: IconUserOff },
      { to: '/clients', title: 'Clients', icon: IconBuildingStore },
      { to: '/webhooks', title: 'Webhooks', icon: IconBell },
      { to: '/cdr', title: 'Call records', icon: IconPhone },
      { to: '/find', title: 'Find', icon: IconSearch },
    ],
  },
  {
    name: 'Accounts',
    rows: [
      { to: '/reports', title: 'Reports', icon: IconFileText },
      { to: '/returns', title: 'Returns', icon: IconBuildingBank },
      { to: '/settlement', title: 'Settlement', icon: IconScale },
      { to: '/rates', title: 'Rates', icon: IconPercentage },
    ],
  },
  {
    name: 'Oversight',
    rows: [
      { to: '/cases', title: 'Cases', icon: IconBriefcase },
      { to: '/reviews', title: 'Reviews', icon: IconClipboardCheck },
      { to: '/lists', title: 'Lists', icon: IconListSearch },
      { to: '/risk', title: 'Risk rules', icon: IconRadar2 },
      { to: '/audit', title: 'Audit', icon: IconShieldCheck },
      { to: '/people', title: 'People', icon: IconUsers },
      { to: '/keys', title: 'API keys', icon: IconKey },
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
