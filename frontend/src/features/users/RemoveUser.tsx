import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/state/ErrorNote'
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
  return (
    <Dialog opened onClose={onClose} title={t.removeTitle(name)} centered>
      <Text size="sm" mb="md">{t.removeHint}</Text>
      {remove.error !== null && <ErrorNote error={remove.error} />}
      <Group justify="flex-end" mt="sm">
        <Button variant="default" onClick={onClose} data-autofocus>{t.cancel}</Button>
        <Button color="red" loading={remove.isPending} onClick={go}>{t.remove}</Button>
      </Group>
    </Dialog>
  )
}
