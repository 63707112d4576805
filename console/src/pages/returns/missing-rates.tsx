// Who loads the rates of exchange that a return lacks: a link for those who may, and whom to ask for others.

import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../data/session.tsx';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { isShop } from './shown.ts';

export function MissingRates({ form }: { readonly form: string }) {
  const may = useMay('loadExchangeRates');
  const { data } = useOp('listFilingForms');
  const publisher = isShop(form) ? 'ECB' : data?.items.find((f) => f.form === form)?.exchange.publisher;
  if (publisher === undefined) return null;
  if (!may)
    return (
      <Text size="sm" mt="xs">
        {say(
          'The rates of {publisher} are loaded by an administrator of the service, under Rates, Exchange rates. Ask the operator of the service to load those of these days.',
          { publisher },
        )}
      </Text>
    );
  return (
    <Anchor component={Link} to={`/rates?tab=exchange&publisher=${publisher}`} size="sm" underline="always" mt="xs">
      {say('Load the rates of {publisher}', { publisher })}
    </Anchor>
  );
}
