import type { Job, JobsAction } from '~/api/types'
import { matches, toActionFilter, type JobFilter } from './filter'

/** Which jobs something is asked of: these, or all that the filter matches. */
export type Target = { jobs: readonly Job[] } | { filter: JobFilter; total: number }

/** How many they are. */
export function countOf(target: Target): number {
  return 'jobs' in target ? target.jobs.length : target.total
}

/** Whether a job is one of them. */
export function includes(target: Target): (job: Job) => boolean {
  if ('filter' in target) return (job) => matches(target.filter, job)
  const ids = new Set(target.jobs.map((job) => job.id))
  return (job) => ids.has(job.id)
}

/** What the server is asked. */
export function request(target: Target, rest: Partial<JobsAction> & Pick<JobsAction, 'action'>): JobsAction {
  const which = 'jobs' in target ? { ids: target.jobs.map((job) => job.id), filter: null } : { ids: null, filter: toActionFilter(target.filter) }
  return { priority: null, category: null, name: null, withFiles: null, position: null, ...which, ...rest }
}
