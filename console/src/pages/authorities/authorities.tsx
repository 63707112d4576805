// Authorities that were let in, for staff: what each sees, and until when.

import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { useMay } from '../../data/session.tsx';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { viewInWords } from '../authority/pages.ts';
import { LetIn } from './let-in.tsx';

export default function Authorities() {
  const may = useMay('createAuthority');
  const pages = usePages('listAuthorities', {}, { asOperator: true });
  return (
    <>
      <PageHeader
        title={say('Authorities')}
        lead={say(
          'Tax authorities, financial intelligence units and regulators: their people read what concerns their country, and each read is in the audit.',
        )}
        actions={may ? <LetIn /> : null}
      />
      <Panel title={say('Let in')} flush>
        <DataTable
          label={say('Authorities')}
          pages={pages}
          rowKey={(a) => a.authorityId}
          rowTo={(a) => `/authorities/${a.authorityId}`}
          empty={
            <Empty title={say('No authority')}>{say('Let one in to give its people a view of their country.')}</Empty>
          }
          columns={[
            { key: 'name', header: say('Name'), cell: (a) => a.name },
            { key: 'view', header: say('Sees'), cell: (a) => viewInWords(a) },
            { key: 'until', header: say('Access ends'), cell: (a) => <Stamp at={a.until} /> },
            { key: 'at', header: say('Since'), cell: (a) => <Stamp at={a.createdAt} />, wideOnly: true },
          ]}
        />
      </Panel>
    </>
  );
}
