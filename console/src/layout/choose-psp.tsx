// What staff see in place of a page that shows the records of one PSP, until they have chosen one: loaded when it is needed.

import { Button, Group } from '@mantine/core';
import { Empty } from '../components/empty.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Problem } from '../components/problem.tsx';
import { usePsp } from '../data/psp.tsx';
import { usePsps } from '../data/psps.ts';
import { say } from '../words/words.ts';

export default function ChoosePsp({ title }: { readonly title: string }) {
  const { choose } = usePsp();
  const { data, error, refetch } = usePsps();
  if (error)
    return (
      <>
        <PageHeader title={title} />
        <Problem error={error} retry={() => void refetch()} />
      </>
    );
  return (
    <>
      <PageHeader title={title} />
      <Empty
        title={data?.length === 0 ? say('There is no PSP yet') : say('Choose a PSP')}
        action={
          <Group justify="center" gap="xs" mt="sm">
            {data?.slice(0, 8).map((p) => (
              <Button key={p.pspId} variant="default" onClick={() => choose(p.pspId)}>
                {p.name}
              </Button>
            ))}
          </Group>
        }
      >
        {data?.length === 0
          ? say('It appears here when it is created with POST /v1/admin/psp or `assay psp create`.')
          : say('These records belong to one PSP each. Choose whose to look at; the list at the top changes it.')}
      </Empty>
    </>
  );
}
