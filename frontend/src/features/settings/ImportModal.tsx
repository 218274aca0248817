import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { ApiError } from '~/api/error'
import type { SettingsExport } from '~/api/types'
import { Dialog } from '~/ui/Dialog'
import { Faults } from '~/ui/setting/Faults'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { useImport } from './calls'
import { text } from './text'

/** Asks before a file replaces all settings; shows what is wrong with it. */
export function ImportModal({ file, onClose }: { file: File; onClose: () => void }) {
  const t = useText(text)
  const put = useImport()
  const [unreadable, setUnreadable] = useState(false)
  const replace = async () => {
    let content: SettingsExport
    try {
      content = JSON.parse(await file.text()) as SettingsExport
    } catch {
      setUnreadable(true)
      return
    }
    put.mutate(content, {
      onSuccess: () => {
        notifications.show({ message: t.imported })
        onClose()
      },
    })
  }
  const faults = put.error instanceof ApiError ? put.error.faults : []
  return (
    <Dialog opened onClose={onClose} title={t.importTitle} size="lg">
      <Text size="sm" mb="md">{t.importHint(file.name)}</Text>
      {unreadable && <ErrorNote error={new Error(t.notJson)} />}
      <Faults faults={faults} count={faults.length} />
      {put.error !== null && faults.length === 0 && <ErrorNote error={put.error} />}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose} data-autofocus>{t.cancel}</Button>
        <Button color="red" loading={put.isPending} onClick={() => void replace()}>{t.importDo}</Button>
      </Group>
    </Dialog>
  )
}
