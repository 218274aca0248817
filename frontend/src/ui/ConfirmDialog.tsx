import { Button, Group, Text } from '@mantine/core'
import { Dialog } from './Dialog'
import { ErrorNote } from './state/ErrorNote'
import { defineText, useText } from './text/catalogue'

const text = defineText({ cancel: 'Cancel' }, { cancel: 'Abbrechen' })

type Props = { title: string; hint: string; confirm: string; act: { isPending: boolean; error: Error | null }; onConfirm: () => void; onClose: () => void }

/** Asks before something goes for good, and says what went wrong with it. */
export function ConfirmDialog({ title, hint, confirm, act, onConfirm, onClose }: Props) {
  const t = useText(text)
  return (
    <Dialog opened onClose={onClose} title={title} centered>
      <Text size="sm" mb="md" style={{ overflowWrap: 'anywhere' }}>{hint}</Text>
      {act.error !== null && <ErrorNote error={act.error} />}
      <Group justify="flex-end" mt="sm">
        <Button variant="default" onClick={onClose} data-autofocus>{t.cancel}</Button>
        <Button color="red" loading={act.isPending} onClick={onConfirm}>{confirm}</Button>
      </Group>
    </Dialog>
  )
}
