// The signed-in person: name, role, password change, the way to their security page, and sign-out.

import { Avatar, Group, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBook, IconKey, IconLanguage, IconLogout, IconShieldCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { inWords } from '../components/status-badge.tsx';
import { usePart } from '../data/code.ts';
import { useMe, useSession } from '../data/session.tsx';
import { tellRefusal } from '../data/use-do.ts';
import { useVersion } from '../data/version.ts';
import { rich } from '../words/rich.ts';
import { between, say } from '../words/words.ts';
import { otherLanguages } from './language-choice.ts';

const passwordDialog = () => import('./password-dialog.tsx');

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((part) => part.charAt(0))
    .slice(0, 2)
    .join('')
    .toUpperCase();

export function UserMenu() {
  const { user, account } = useMe();
  const { signOut } = useSession();
  const version = useVersion();
  const [changing, { open, close }] = useDisclosure(false);
  const PasswordDialog = usePart(passwordDialog, changing, close)?.default;
  return (
    <>
      <Menu position="bottom-end" width={250} withArrow>
        <Menu.Target>
          <UnstyledButton>
            <VisuallyHidden>
              {rich('{name}, {role}: account menu', { name: user.name, role: inWords(user.role).toLowerCase() })}
            </VisuallyHidden>
            <Group gap={8} wrap="nowrap" aria-hidden>
              <Avatar size={32} color="verdigris" variant="filled" name={user.name}>
                {initials(user.name)}
              </Avatar>
              <Text size="sm" fw={600} visibleFrom="sm" truncate maw={160}>
                {user.name}
              </Text>
            </Group>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
              {user.email}
            </Text>
            <Text size="xs">
              {inWords(user.role)}
              {between}
              {account.name}
            </Text>
          </Menu.Label>
          <Menu.Divider />
          <Menu.Item leftSection={<IconKey size={16} />} onClick={open}>
            {say('Change password')}
          </Menu.Item>
          <Menu.Item leftSection={<IconShieldCheck size={16} />} component={Link} to="/security">
            {say('Security and sessions')}
          </Menu.Item>
          <Menu.Item leftSection={<IconBook size={16} />} component="a" href="/docs" target="_blank">
            {say('Documentation')}
          </Menu.Item>
          {otherLanguages.map((l) => (
            <Menu.Item key={l.tag} lang={l.tag} leftSection={<IconLanguage size={16} />} onClick={l.choose}>
              {l.name}
            </Menu.Item>
          ))}
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut().catch(tellRefusal)}>
            {say('Sign out')}
          </Menu.Item>
          {version ? <Menu.Label>{rich('Assay {version}', { version })}</Menu.Label> : null}
        </Menu.Dropdown>
      </Menu>
      {changing && PasswordDialog ? <PasswordDialog onClose={close} /> : null}
    </>
  );
}
