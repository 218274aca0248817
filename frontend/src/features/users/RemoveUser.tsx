import { notifications } from '@mantine/notifications'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { useText } from '~/ui/text/catalogue'
import { useUsers } from './calls'
import { text } from './text'

/** Asks before a user goes. */
export function RemoveUser({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useText(text)
  const { remove } = useUsers()
  const go = () => remove.mutate(name, {
    onSuccess: () => {
      notifications.show({ message: t.removed(name) })
      onClose()
    },
  })
  return <ConfirmDialog title={t.removeTitle(name)} hint={t.removeHint} confirm={t.remove} act={remove} onConfirm={go} onClose={onClose} />
}
