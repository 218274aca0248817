import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { keys } from '~/api/live'
import type { ActionAnswer, Job } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import { hide, show } from './hidden'
import { request, type Target } from './target'
import { sendAction, useJobActions } from './useJobActions'

/** Milliseconds in which a deletion can be taken back. */
const Grace = 8000

/**
 * Deletes jobs. `remove` takes them off the list at once and sends it after 8 s, or when the page is left, so that it can be undone; files that were published stay.
 * `destroy` sends it at once, with their files: ask before.
 */
export function useDeletion() {
  const client = useQueryClient()
  const t = useText(text)
  const { tell } = useJobActions()

  const commit = useCallback(async (target: Target, withFiles: boolean, jobs: readonly Job[], leaving = false): Promise<void> => {
    let refused: ActionAnswer['refused'] = []
    try {
      refused = (await sendAction(request(target, { action: 'delete', withFiles }), { keepalive: true, leaving })).refused
      show(client, refused.map(({ id }) => id))
      tell(refused, new Map(jobs.map((job) => [job.id, job.name])))
    } catch (error) {
      show(client, jobs.map((job) => job.id))
      notifications.show({ color: 'red', autoClose: false, role: 'alert', title: t.notDone, message: (error as Error).message })
    } finally {
      void client.invalidateQueries({ queryKey: keys.jobPages })
    }
  }, [client, t, tell])

  const remove = useCallback((jobs: readonly Job[]) => {
    const ids = jobs.map((job) => job.id)
    const id = `undo-${ids[0] ?? ''}-${ids.length}`
    hide(client, ids)
    const finish = () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', leave)
      notifications.hide(id)
    }
    const send = (leaving = false) => {
      finish()
      // One that had not ended is not wanted at all, even if it is published meanwhile.
      const ended = jobs.filter((job) => job.state === 'completed' || job.state === 'failed')
      const open = jobs.filter((job) => !ended.includes(job))
      if (ended.length > 0) void commit({ jobs: ended }, false, ended, leaving)
      if (open.length > 0) void commit({ jobs: open }, true, open, leaving)
    }
    const leave = () => send(true)
    const undo = () => {
      finish()
      show(client, ids)
    }
    const timer = setTimeout(send, Grace)
    window.addEventListener('pagehide', leave)
    notifications.show({
      id, autoClose: Grace, withCloseButton: false,
      message: <Group justify="space-between" wrap="nowrap"><Text>{t.removed(jobs.length, jobs[0]?.name ?? '')}</Text><Button size="compact-sm" variant="light" onClick={undo}>{t.undo}</Button></Group>,
    })
  }, [client, commit, t])

  const destroy = useCallback((target: Target, withFiles: boolean) => {
    const jobs = 'jobs' in target ? target.jobs : []
    hide(client, jobs.map((job) => job.id))
    return commit(target, withFiles, jobs)
  }, [client, commit])

  return { remove, destroy }
}
