// One list: how it was loaded, and its entries, which are put and removed here where the list is one's own.

import { Stack, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { percent } from '../../data/amounts.ts';
import { countryName } from '../../data/countries.ts';
import { dayInWords } from '../../data/moments.ts';
import { usePath } from '../../data/path.ts';
import { usePsp } from '../../data/psp.tsx';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp, usePages } from '../../data/use-op.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { PutEntry } from './put-entry.tsx';
import { entryKinds, isKeptByHand, keyKinds, type ListEntry, purposes } from './words.ts';

const above = [{ title: say('Lists'), to: '/lists' }];

export default function ListPage() {
  const list = usePath('list');
  const { isOperator, pspId } = usePsp();
  const may = useMay('putOwnListEntry');
  const { data } = useOp('listLists', {});
  const pages = usePages('listListEntries', { list });
  // A PSP's own list is shown before one of the same name for all PSPs.
  const named = data?.items.filter((l) => l.list === list) ?? [];
  const of = named.find((l) => !l.shared) ?? named[0];
  const ownsShared = isOperator && !pspId;
  const mayChange = may && of !== undefined && isKeptByHand(of) && of.shared === ownsShared;
  return (
    <>
      <PageHeader
        title={list}
        above={above}
        lead={
          of
            ? say('{purposes} · screened for {shared}', {
                purposes: purposes[of.purpose],
                shared: of.shared ? say('all PSPs') : say('this PSP'),
              })
            : undefined
        }
        actions={mayChange ? <PutEntry list={list} /> : null}
      />
      <Stack>
        {of ? (
          <Panel title={say('Last load')}>
            <Facts
              columns={2}
              items={[
                [say('Entries'), of.entries.toLocaleString('en-GB')],
                [say('Names match from'), percent(of.threshold)],
                [say('Published'), of.published && dayInWords(of.published)],
                [say('Loaded'), <Stamp key="at" at={of.loadedAt} show="both" />],
                of.form === 'API' ? [say('Changed last'), of.name] : [say('File'), of.name],
                ['SHA-256', <Id key="sha" value={of.sha256} what="SHA-256" />],
              ]}
            />
          </Panel>
        ) : null}
        <Panel title={say('Entries')} flush>
          <DataTable
            label={say('Entries')}
            pages={pages}
            rowKey={(e) => e.ref}
            empty={
              <Empty title={say('No entries')}>
                {say('All entries of this list were removed; they are kept as history.')}
              </Empty>
            }
            columns={[
              { key: 'ref', header: say('Entry'), cell: (e) => e.ref },
              { key: 'names', header: say('Names'), cell: (e) => <Names of={e} /> },
              { key: 'kind', header: say('Kind'), cell: (e) => entryKinds[e.kind] },
              { key: 'born', header: say('Born'), cell: (e) => e.births.join(', ') || <Nothing /> },
              {
                key: 'countries',
                header: say('Countries'),
                cell: (e) => e.countries.map(countryName).join(', ') || <Nothing />,
              },
              { key: 'keys', header: say('Exact values'), cell: (e) => <Keys of={e} /> },
              ...(mayChange
                ? [
                    {
                      key: 'remove',
                      header: '',
                      align: 'right' as const,
                      cell: (e: ListEntry) => <Remove list={list} entryRef={e.ref} />,
                    },
                  ]
                : []),
            ]}
          />
        </Panel>
      </Stack>
    </>
  );
}

function Names({ of: e }: { readonly of: ListEntry }) {
  const [main, ...others] = e.names;
  if (main === undefined) return <Nothing />;
  return (
    <>
      {main.name}
      {others.length > 0 ? (
        <Text size="xs" c="dimmed">
          {others.map((n) => (n.weak ? say('{name} (weak)', { name: n.name }) : n.name)).join('; ')}
        </Text>
      ) : null}
    </>
  );
}

function Keys({ of: e }: { readonly of: ListEntry }) {
  if (e.keys.length === 0) return <Nothing />;
  return e.keys.map((k) => (
    <Text key={`${k.kind} ${k.value}`} size="xs" style={{ overflowWrap: 'anywhere' }}>
      {rich('{keyKinds}: {value}', { keyKinds: keyKinds[k.kind], value: k.value })}
    </Text>
  ));
}

function Remove({ list, entryRef }: { readonly list: string; readonly entryRef: string }) {
  const remove = useDo('removeOwnListEntry', { done: say('Removed') });
  return (
    <ConfirmButton
      label={say('Remove')}
      question={say('Remove {entryRef} from {list}?', { entryRef, list })}
      danger
      size="xs"
      onConfirm={() => remove.mutateAsync({ list, ref: entryRef })}
    >
      {say('Nobody matches it from then on. It is kept as history.')}
    </ConfirmButton>
  );
}
