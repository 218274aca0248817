import { notifications } from '@mantine/notifications'
import type { Backup } from '~/api/types'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
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
  return <ConfirmDialog title={t.removeTitle} hint={t.removeHint(backup.name)} confirm={t.remove} act={remove} onConfirm={go} onClose={onClose} />
}
