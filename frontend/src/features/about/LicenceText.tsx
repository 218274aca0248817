import { Text } from '@mantine/core'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'

/** A licence as its author wrote it. */
export function LicenceText({ title, text, error = null, onClose }: { title: string; text: string | undefined; error?: Error | null; onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title={title} size="xl">
      {error !== null && <ErrorNote error={error} />}
      {text === undefined && error === null && <Loading />}
      {text !== undefined && <Text component="pre" size="sm" m={0} className="mono" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>}
    </Dialog>
  )
}
