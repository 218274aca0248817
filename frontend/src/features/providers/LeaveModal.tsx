import { Button, Group, Text } from '@mantine/core'
import { Dialog } from '~/ui/Dialog'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

/** Asks before changes of the form are lost. */
export function LeaveModal({ opened, onStay, onDiscard }: { opened: boolean; onStay: () => void; onDiscard: () => void }) {
  const t = useText(text)
  return (
    <Dialog opened={opened} onClose={onStay} title={t.leave} centered>
      <Text size="sm" mb="md">{t.leaveHint}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onStay} data-autofocus>{t.stay}</Button>
        <Button color="red" onClick={onDiscard}>{t.discard}</Button>
      </Group>
    </Dialog>
  )
}
