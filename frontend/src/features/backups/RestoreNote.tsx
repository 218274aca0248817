import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '~/ui/format/useFormat'
import { Notice } from '~/ui/state/Notice'
import { useText } from '~/ui/text/catalogue'
import { useNow } from '~/ui/useNow'
import { restoreQuery, useBackups } from './calls'
import { text } from './text'

/** What the next start restores, and what became of the last restore. */
export function RestoreNote() {
  const t = useText(text)
  const format = useFormat()
  const now = useNow()
  const { data } = useQuery(restoreQuery)
  const { cancel } = useBackups()
  if (data === undefined) return null
  const { pending, last } = data
  return (
    <>
      {pending !== null && (
        <Notice kind="waiting" title={t.pendingTitle}>
          <Text size="sm" mb="xs">{t.pendingHint(pending.name, format.dateTime(pending.created))} {pending.missingBlobs > 0 && t.missing(pending.missingBlobs)}</Text>
          <Button size="compact-sm" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(undefined, { onSuccess: () => notifications.show({ message: t.canceled }) })}>{t.cancelRestore}</Button>
        </Notice>
      )}
      {last !== null && last.error !== null && <Notice kind="failed" title={t.lastFailed(last.name)}>{last.error}</Notice>}
      {last !== null && last.error === null && pending === null && <Text size="sm" c="dimmed" mb="sm">{t.lastDone(last.name, format.relative(last.taken, now))} {last.former !== null && t.former(last.former)}</Text>}
    </>
  )
}
