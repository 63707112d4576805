// Why a form was refused, read aloud when it appears.
import { Text } from '@mantine/core';

export function Refusal({ children }: { readonly children: string }) {
  return children ? (
    <Text c="var(--mantine-color-error)" size="sm" role="alert">
      {children}
    </Text>
  ) : null;
}
