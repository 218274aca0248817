import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type SubmitEvent } from 'react'
import { renameFile } from '~/api/files'
import type { FileItem } from '~/api/types'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

type Props = { item: FileItem; onClose: () => void; onDone: (message: string, path: string) => void }

/** Asks for another name; the part before the ending is chosen already. */
export function RenameDialog({ item, onClose, onDone }: Props) {
  const t = useText(text)
  const [name, setName] = useState(item.name)
  const chosen = useRef(false)
  // The field comes after the dialog, with the focus.
  const choose = (field: HTMLInputElement) => {
    if (chosen.current) return
    chosen.current = true
    const dot = item.kind === 'file' ? item.name.lastIndexOf('.') : -1
    field.setSelectionRange(0, dot > 0 ? dot : item.name.length)
  }
  const call = useMutation({
    mutationFn: async () => renameFile(item.id, name.trim()),
    onSuccess: ({ refused }) => {
      if (refused.length === 0) onDone(t.renamed, `${item.path.slice(0, -item.name.length)}${name.trim()}`)
    },
  })
  const wrong = name.trim() === '' || name.includes('/')
  const reason = call.data?.refused[0]?.reason
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (name.trim() === item.name) onClose()
    else if (!wrong) call.mutate()
  }
  return (
    <Dialog opened onClose={onClose} title={t.renameTitle(item.name)} closeButtonProps={{ 'aria-label': t.cancel }}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput label={t.newName} value={name} data-autofocus onFocus={(event) => choose(event.currentTarget)} onChange={(event) => setName(event.currentTarget.value)} error={wrong ? t.nameWrong : reason} />
          {call.error !== null && <ErrorNote error={call.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>{t.cancel}</Button>
            <Button type="submit" loading={call.isPending} disabled={wrong}>{t.rename}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
