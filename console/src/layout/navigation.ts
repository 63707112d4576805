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
import { say } from '../words/words.ts';

export interface NavigationRow {
  readonly to: string;
  readonly title: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  /** The key that leads to it after g. */
  readonly letter?: string;
}

export interface NavigationGroup {
  readonly name: string;
  readonly rows: readonly NavigationRow[];
  /** Shown to staff of the operator alone. */
  readonly forStaff?: true;
}

export const navigation: readonly NavigationGroup[] = [
  { name: say('Now'), rows: [{ to: '/', title: say('Overview'), icon: IconLayoutDashboard, letter: 'o' }] },
  {
    name: say('Records'),
    rows: [
      { to: '/transactions', title: say('Transactions'), icon: IconReceipt2, letter: 't' },
      { to: '/baskets', title: say('Baskets'), icon: IconShoppingBag, letter: 'b' },
      { to: '/gaming', title: say('Gaming'), icon: IconDice5, letter: 'm' },
      { to: '/players', title: say('Players'), icon: IconUserOff },
      { to: '/clients', title: say('Clients'), icon: IconBuildingStore, letter: 'c' },
      { to: '/webhooks', title: say('Webhooks'), icon: IconBell, letter: 'w' },
      { to: '/cdr', title: say('Call records'), icon: IconPhone, letter: 'd' },
      { to: '/find', title: say('Find'), icon: IconSearch, letter: 'f' },
    ],
  },
  {
    name: say('Accounts'),
    rows: [
      { to: '/reports', title: say('Reports'), icon: IconFileText, letter: 'p' },
      { to: '/returns', title: say('Returns'), icon: IconBuildingBank, letter: 'u' },
      { to: '/settlement', title: say('Settlement'), icon: IconScale, letter: 's' },
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
      { to: '/people', title: say('People'), icon: IconUsers },
      { to: '/keys', title: say('API keys'), icon: IconKey, letter: 'k' },
    ],
  },
  {
    name: say('Service'),
    forStaff: true,
    rows: [
      { to: '/psps', title: say('PSPs'), icon: IconBuildingCommunity },
      { to: '/status', title: say('Status'), icon: IconHeartbeat },
    ],
  },
];
