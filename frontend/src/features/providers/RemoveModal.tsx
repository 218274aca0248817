import { Button, Group, Text } from '@mantine/core'
import { Dialog } from '~/ui/Dialog'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

type Props = { opened: boolean; name: string; busy: boolean; onClose: () => void; onRemove: () => void }

/** Asks before a provider goes: its password cannot be brought back. */
export function RemoveModal({ opened, name, busy, onClose, onRemove }: Props) {
  const t = useText(text)
  return (
    <Dialog opened={opened} onClose={onClose} title={t.confirmRemove(name)} centered>
      <Text size="sm" mb="md">{t.removeHint}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>{t.form.cancel}</Button>
        <Button color="red" loading={busy} onClick={onRemove}>{t.form.remove}</Button>
      </Group>
    </Dialog>
  )
}
