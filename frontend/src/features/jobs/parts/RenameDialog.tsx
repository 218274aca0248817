import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Job } from '~/api/types'
import { Dialog } from '~/ui/Dialog'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

/** A new name for a job. */
export function RenameDialog({ job, onRename, onClose }: { job: Job; onRename: (name: string) => void; onClose: () => void }) {
  const t = useText(text)
  const [name, setName] = useState(job.name)
  return (
    <Dialog opened onClose={onClose} title={t.renameTitle}>
      <form onSubmit={(event) => { event.preventDefault(); if (name.trim() !== '') onRename(name.trim()) }}>
        <Stack>
          <TextInput label={t.newName} value={name} onChange={(event) => setName(event.currentTarget.value)} data-autofocus />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>{t.cancel}</Button>
            <Button type="submit" disabled={name.trim() === '' || name.trim() === job.name}>{t.save}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
