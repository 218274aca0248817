import type { QueryClient } from '@tanstack/react-query'
import { keys } from '~/api/live'
import type { Job, JobPage, JobsAction } from '~/api/types'

/** What is asked of jobs, without which ones. */
export type Change =
  | { action: 'pause' | 'resume' | 'retry' }
  | { action: 'priority'; priority: number }
  | { action: 'category'; category: string }
  | { action: 'rename'; name: string }

/** How a job looks once it is done; the same object where the action does not apply. */
export function changed(job: Job, change: Change): Job {
  switch (change.action) {
    case 'pause': return job.state === 'queued' || job.state === 'waiting' ? { ...job, state: 'paused' } : job
    case 'resume': return job.state === 'paused' ? { ...job, state: 'queued' } : job
    case 'retry': return job.state === 'failed' || job.state === 'waiting' ? { ...job, state: 'queued', failure: null, retryAt: null, step: null, stepIndex: null, progress: 0, finished: null } : job
    case 'priority': return { ...job, priority: change.priority }
    case 'category': return { ...job, category: change.category }
    case 'rename': return { ...job, name: change.name }
  }
}

/** Which actions apply to a job. */
export function allows(action: JobsAction['action'], job: Job): boolean {
  const ended = job.state === 'completed' || job.state === 'failed'
  switch (action) {
    case 'pause': return job.state === 'queued' || job.state === 'waiting'
    case 'resume': return job.state === 'paused'
    case 'retry': return job.state === 'failed' || job.state === 'waiting'
    case 'priority':
    case 'move': return !ended
    default: return true
  }
}

/** Replaces rows in all lists that are here. Gives what takes it back, row by row: only where nothing newer has come. Needs a cache that keeps objects as they are (no structural sharing). */
export function patch(client: QueryClient, apply: (job: Job) => Job): (ids?: ReadonlySet<string>) => void {
  const before = new Map<Job, Job>()
  rewrite(client, (job) => {
    const now = apply(job)
    if (now !== job) before.set(now, job)
    return now
  })
  return (ids) => rewrite(client, (job) => (ids === undefined || ids.has(job.id) ? before.get(job) ?? job : job))
}

function rewrite(client: QueryClient, apply: (job: Job) => Job): void {
  for (const [key, page] of client.getQueriesData<JobPage>({ queryKey: keys.jobs })) {
    if (page === undefined) continue
    const items = page.items.map(apply)
    // As old as it was: its total is no newer than its answer.
    if (items.some((job, at) => job !== page.items[at])) client.setQueryData<JobPage>(key, { ...page, items }, { updatedAt: client.getQueryState(key)?.dataUpdatedAt })
  }
}

type Placed = Pick<Job, 'id' | 'position'>

/**
 * Where jobs land that are dropped into the gap before `to` (counted with them still in place): the place that the server is asked for, which it counts among the
 * other jobs, and the order of the ids then. They keep their order. Null if nothing would move.
 * @param queue The jobs of the queue that the list shows, in order; a filter may leave some out.
 */
export function landing(queue: readonly Placed[], ids: ReadonlySet<string>, to: number): { position: number; order: string[] } | null {
  const others = queue.filter((job) => !ids.has(job.id))
  const before = queue.slice(0, to).filter((job) => !ids.has(job.id)).length
  const moving = queue.filter((job) => ids.has(job.id))
  const order = [...others.slice(0, before), ...moving, ...others.slice(before)].map((job) => job.id)
  if (order.every((id, at) => id === queue[at]?.id)) return null
  const next = others[before]
  const last = others.at(-1)
  const place = next?.position ?? (last?.position ?? -1) + 1
  return { position: place - moving.filter((job) => (job.position ?? place) < place).length, order }
}

/** The rows in another order; each place keeps its number. */
export function arranged(queue: readonly Job[], order: readonly string[]): Map<string, Job> {
  const byId = new Map(queue.map((job) => [job.id, job]))
  return new Map(queue.flatMap((there, at) => {
    const job = byId.get(order[at] ?? '')
    return job === undefined ? [] : [[there.id, { ...job, position: there.position }]]
  }))
}
