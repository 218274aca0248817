import { Button, Group, Modal, Text } from '@mantine/core'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

/** Asks before changes of the form are lost. */
export function LeaveModal({ opened, onStay, onDiscard }: { opened: boolean; onStay: () => void; onDiscard: () => void }) {
  const t = useText(text)
  return (
    <Modal opened={opened} onClose={onStay} title={t.leave} centered>
      <Text size="sm" mb="md">{t.leaveHint}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onStay} data-autofocus>{t.stay}</Button>
        <Button color="red" onClick={onDiscard}>{t.discard}</Button>
      </Group>
    </Modal>
  )
}
