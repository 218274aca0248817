import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteFiles } from '~/api/files'
import { keys } from '~/api/live'
import type { ActionAnswer, FileItem } from '~/api/types'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

/** Names that are listed; the others are counted. */
const Shown = 8

type Props = { items: FileItem[]; onClose: () => void; onDone: (message: string, gone: string[]) => void; onGone: (gone: string[]) => void }

/** Asks by name. What a library holds is refused by the server, with who holds it; that can be overruled. */
export function DeleteDialog({ items, onClose, onDone, onGone }: Props) {
  const t = useText(text)
  const client = useQueryClient()
  const [refused, setRefused] = useState<ActionAnswer['refused']>([])
  const left = refused.length === 0 ? items : items.filter(({ id }) => refused.some((one) => one.id === id))
  const call = useMutation({
    mutationFn: async (force: boolean) => deleteFiles(left.map(({ id }) => id), force),
    onSuccess: (answer) => {
      if (answer.refused.length === 0) return onDone(t.deleted(items.length), items.map(({ id }) => id))
      setRefused(answer.refused)
      const kept = new Set(answer.refused.map(({ id }) => id))
      onGone(left.flatMap(({ id }) => kept.has(id) ? [] : [id]))
      if (answer.done > 0) void client.invalidateQueries({ queryKey: keys.files })
    },
  })
  const nameOf = (id: string) => items.find((item) => item.id === id)?.name ?? id
  return (
    <Dialog opened onClose={onClose} title={t.deleteTitle(left.length, left[0]?.name ?? '')} closeButtonProps={{ 'aria-label': t.cancel }}>
      <Stack>
        {refused.length === 0
          ? (
            <>
              {items.length > 1 && <List size="sm">{items.slice(0, Shown).map((item) => <List.Item key={item.id} style={{ overflowWrap: 'anywhere' }}>{item.name}</List.Item>)}</List>}
              {items.length > Shown && <Text size="sm">{t.andMore(items.length - Shown)}</Text>}
              {items.some(({ kind }) => kind === 'collection') && <Text>{t.deleteFolder}</Text>}
              <Text c="dimmed">{t.deleteHint}</Text>
            </>
          )
          : (
            <Alert color="yellow" variant="light" role="alert" title={t.refused(refused.length)}>
              <List size="sm">{refused.slice(0, Shown).map(({ id, reason }) => <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>{nameOf(id)}: {reason}</List.Item>)}</List>
              {refused.length > Shown && <Text size="sm">{t.andMore(refused.length - Shown)}</Text>}
            </Alert>
          )}
        {call.error !== null && <ErrorNote error={call.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>{t.cancel}</Button>
          <Button color="red.8" autoContrast={false} loading={call.isPending} onClick={() => call.mutate(refused.length > 0)}>{refused.length > 0 ? t.deleteAnyway : t.delete}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
