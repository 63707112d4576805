// The keys of a PSP.
import { PageHeader } from '../../components/page-header.tsx';
import { KeysPanel } from './keys-panel.tsx';

export default function Keys() {
  return (
    <>
      <PageHeader
        title="API keys"
        lead="Programs call the API with a key. Give each its own, with no more than it needs; keys of a client are on its page."
      />
      <KeysPanel />
    </>
  );
}
