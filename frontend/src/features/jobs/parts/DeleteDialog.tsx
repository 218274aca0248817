import { Button, Group, List, Stack, Text } from '@mantine/core'
import { Dialog } from '~/ui/Dialog'
import { useText } from '~/ui/text/catalogue'
import { countOf, type Target } from '../list/target'
import { text } from '../text'

/** Names told before the rest is counted. */
const Told = 5

type Props = { target: Target; withFiles: boolean; onConfirm: () => void; onClose: () => void }

/** Asks before what cannot be undone, and names it. */
export function DeleteDialog({ target, withFiles, onConfirm, onClose }: Props) {
  const t = useText(text)
  const count = countOf(target)
  const jobs = 'jobs' in target ? target.jobs : []
  return (
    <Dialog opened onClose={onClose} title={withFiles ? t.destroyTitle(count) : t.removeAllTitle(count)}>
      <Stack>
        {jobs.length > 0 && (
          <List spacing={4}>
            {jobs.slice(0, Told).map((job) => <List.Item key={job.id}><Text fw={600} style={{ overflowWrap: 'anywhere' }}>{job.name}</Text>{job.path !== null && <Text size="xs" c="dimmed" className="mono">{job.path}</Text>}</List.Item>)}
            {jobs.length > Told && <List.Item>{t.andMore(jobs.length - Told)}</List.Item>}
          </List>
        )}
        <Text>{withFiles ? t.destroyText : t.removeAllText}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>{t.cancel}</Button>
          <Button color="red" onClick={onConfirm}>{withFiles ? t.confirmDestroy : t.confirmRemove}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
