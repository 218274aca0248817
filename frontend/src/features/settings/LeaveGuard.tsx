import { Button, Group } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { Dialog } from '~/ui/Dialog'
import { Changes } from '~/ui/setting/Changes'
import type { Change } from '~/ui/setting/draft'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

type Props = { changes: readonly Change[]; save: () => Promise<boolean>; discard: () => void }

/** Asks before one leaves the page with unsaved changes, and shows them. */
export function LeaveGuard({ changes, save, discard }: Props) {
  const t = useText(text)
  const [busy, setBusy] = useState(false)
  const dirty = changes.length > 0
  const blocker = useBlocker({ shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname, enableBeforeUnload: () => dirty, withResolver: true })
  const leave = () => {
    discard()
    blocker.proceed?.()
  }
  const saveAndLeave = async () => {
    setBusy(true)
    const done = await save()
    setBusy(false)
    if (done) blocker.proceed?.()
    else blocker.reset?.()
  }
  return (
    <Dialog opened={blocker.status === 'blocked'} onClose={() => blocker.reset?.()} title={t.leave} size="lg">
      <Changes changes={changes} />
      <Group justify="flex-end" mt="md">
        <Button variant="subtle" color="red" onClick={leave}>{t.leaveDiscard}</Button>
        <Button variant="default" onClick={() => blocker.reset?.()} data-autofocus>{t.stay}</Button>
        <Button loading={busy} onClick={() => void saveAndLeave()}>{t.leaveSave}</Button>
      </Group>
    </Dialog>
  )
}
