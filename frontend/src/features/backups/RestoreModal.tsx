import { Button, FileInput, Group, List, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { Confirmed } from '~/api/Confirmed'
import type { Backup } from '~/api/types'
import { Dialog } from '~/ui/Dialog'
import { useFormat } from '~/ui/format/useFormat'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { useBackups } from './calls'
import { text } from './text'
import { useUpload } from './upload'

/** Says what a restore does before it is asked for: of a backup that is kept, or (null) of a file that is sent. */
export function RestoreModal({ backup, onClose }: { backup: Backup | null; onClose: () => void }) {
  const t = useText(text)
  const format = useFormat()
  const { restore } = useBackups()
  const { upload, share } = useUpload()
  const [file, setFile] = useState<File | null>(null)
  const busy = restore.isPending || upload.isPending
  const error = restore.error ?? upload.error
  const done = () => {
    notifications.show({ message: t.queued, autoClose: 8000 })
    onClose()
  }
  const [asking, ask] = useState(false)
  const begin = (confirmation: string) => {
    ask(false)
    if (backup !== null) restore.mutate({ name: backup.name, confirmation }, { onSuccess: done })
    else if (file !== null) upload.mutate({ file, confirmation }, { onSuccess: done })
  }
  if (asking) return <Confirmed title={backup === null ? t.upload : t.restoreTitle} action={t.restore} onConfirmed={begin} onClose={() => ask(false)} />
  return (
    <Dialog opened onClose={onClose} title={backup === null ? t.upload : t.restoreTitle} size="lg">
      <Stack gap="sm">
        {backup === null
          ? <FileInput label={t.chooseFile} description={t.restoreFileHint} accept=".zip,application/zip" value={file} onChange={setFile} clearable clearButtonProps={{ 'aria-label': t.clearFile }} />
          : <Text fw={600}>{t.from(backup.name, format.dateTime(backup.created))}</Text>}
        <Text size="sm">{t.restoreHint}</Text>
        <List size="sm">{t.restorePoints.map((point) => <List.Item key={point}>{point}</List.Item>)}</List>
        {upload.isPending && <Text size="sm" role="status">{t.uploading(format.percent(share))}</Text>}
        {error !== null && <ErrorNote error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>{t.cancel}</Button>
          <Button color="red" loading={busy} disabled={backup === null && file === null} onClick={() => ask(true)}>{t.restore}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
