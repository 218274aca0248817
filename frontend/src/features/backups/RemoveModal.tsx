import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Backup } from '~/api/types'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { useBackups } from './calls'
import { text } from './text'

/** Asks before a backup goes for good. */
export function RemoveModal({ backup, onClose }: { backup: Backup; onClose: () => void }) {
  const t = useText(text)
  const { remove } = useBackups()
  const go = () => remove.mutate(backup.name, {
    onSuccess: () => {
      notifications.show({ message: t.removed(backup.name) })
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t.removeTitle} centered>
      <Text size="sm" mb="md" style={{ overflowWrap: 'anywhere' }}>{t.removeHint(backup.name)}</Text>
      {remove.error !== null && <ErrorNote error={remove.error} />}
      <Group justify="flex-end" mt="sm">
        <Button variant="default" onClick={onClose} data-autofocus>{t.cancel}</Button>
        <Button color="red" loading={remove.isPending} onClick={go}>{t.remove}</Button>
      </Group>
    </Dialog>
  )
}
