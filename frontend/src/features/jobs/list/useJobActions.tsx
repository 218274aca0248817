import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { batches, inBatches, MostIds, sum } from '~/api/batches'
import { api, take } from '~/api/client'
import { keys } from '~/api/live'
import type { ActionAnswer, Job, JobsAction } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import { arranged, changed, landing, patch, type Change } from './change'
import { includes, request, type Target } from './target'

const call = (body: JobsAction, keepalive: boolean): Promise<ActionAnswer> => take(api.POST('/api/v1/jobs/actions', { body, keepalive }))

/**
 * Sends an action in parts that the server takes.
 * @param keepalive Goes on when the page is left.
 * @param leaving The page is being left: the parts go at the same time, for there is nobody to wait for an answer.
 */
export async function sendAction(body: JobsAction, { keepalive = false, leaving = false } = {}): Promise<ActionAnswer> {
  const { ids } = body
  if (ids === null) return call(body, keepalive)
  const part = (some: string[]) => call({ ...body, ids: some }, keepalive)
  return leaving ? sum(await Promise.all(batches(ids).map(part))) : inBatches(ids, part)
}

/**
 * What may be asked of jobs. The rows show it at once; what the server refuses is taken back, row by row, and its reason is told.
 */
export function useJobActions() {
  const client = useQueryClient()
  const t = useText(text)

  const tell = useCallback((refused: ActionAnswer['refused'], names: ReadonlyMap<string, string>) => {
    const [first] = refused
    if (first === undefined) return
    notifications.show({
      color: 'red', autoClose: false, role: 'alert', title: t.refused(refused.length),
      message: refused.slice(0, 5).map(({ id, reason }) => (names.has(id) ? `${names.get(id) ?? ''}: ${reason}` : reason)).join('\n'), styles: { description: { whiteSpace: 'pre-line' } },
    })
  }, [t])

  const run = useCallback(async (apply: (job: Job) => Job, target: Target, body: JobsAction): Promise<void> => {
    // An answer that is on its way does not know of it yet.
    await client.cancelQueries({ queryKey: keys.jobPages })
    const back = patch(client, apply)
    try {
      const answer = await sendAction(body)
      back(new Set(answer.refused.map(({ id }) => id)))
      tell(answer.refused, new Map('jobs' in target ? target.jobs.map((job) => [job.id, job.name]) : []))
    } catch (error) {
      back()
      notifications.show({ color: 'red', autoClose: false, role: 'alert', title: t.notDone, message: (error as Error).message })
    } finally {
      void client.invalidateQueries({ queryKey: keys.jobPages })
    }
  }, [client, t, tell])

  const change = useCallback((target: Target, what: Change) => {
    const isOne = includes(target)
    return run((job) => (isOne(job) ? changed(job, what) : job), target, request(target, what))
  }, [run])

  /** To the gap before row `to` of the queue as the list shows it; -1: behind the last of all. */
  const move = useCallback((jobs: readonly Job[], queue: readonly Job[], to: number) => {
    // Parts would not keep their order among each other.
    if (jobs.length > MostIds) {
      notifications.show({ color: 'red', autoClose: false, role: 'alert', title: t.notDone, message: t.moveTooMany(MostIds) })
      return Promise.resolve()
    }
    const ids = new Set(jobs.map((job) => job.id))
    const landed = landing(queue, ids, to < 0 ? queue.length : to)
    if (landed === null && to > 0) return Promise.resolve()
    const places = landed === null ? new Map<string, Job>() : arranged(queue, landed.order)
    const position = to === 0 ? 0 : to < 0 ? -1 : landed?.position ?? 0
    return run((job) => (job.position === null ? job : places.get(job.id) ?? job), { jobs }, request({ jobs }, { action: 'move', position }))
  }, [run, t])

  return useMemo(() => ({ change, move, tell }), [change, move, tell])
}
