import type { QueryClient } from '@tanstack/react-query'
import type { EventData, EventName, Job, JobPage } from './types'

/** Keys of what the live stream keeps current. Lists of jobs are kept as pages under `jobs`. */
export const keys = {
  jobs: ['jobs'] as const,
  jobCounts: ['jobCounts'] as const,
  files: ['files'] as const,
  streams: ['streams'] as const,
  status: ['status'] as const,
  providers: ['providers'] as const,
  torrents: ['torrents'] as const,
  settings: ['settings'] as const,
  log: ['log'] as const,
}

/** Carries events into the query cache. Not thread-safe: lives in the page. */
export class Live {
  private readonly stale = new Set<string>()
  private timer: number | undefined

  /** @param every Milliseconds between two rounds of reading lists anew. */
  constructor(private readonly client: QueryClient, private readonly every = 1000) {}

  /** Takes one event. */
  readonly take = <N extends EventName>(name: N, data: EventData[N]): void => {
    switch (name) {
      case 'reset':
        void this.client.invalidateQueries()
        break
      case 'jobs':
        this.jobs(data as EventData['jobs'])
        break
      case 'streams':
      case 'status':
      case 'providers':
      case 'torrents':
        this.client.setQueryData([name], data)
        if (name === 'torrents') this.later('torrent')
        break
      case 'files':
      case 'settings':
      case 'log':
        this.later(name)
        break
      default:
        break
    }
  }

  /** Gives up what waits. */
  dispose(): void {
    clearTimeout(this.timer)
  }

  private jobs({ changed, removed, counts }: EventData['jobs']): void {
    const byId = new Map(changed.map((job) => [job.id, job]))
    // Lists that hold none of a changed job, or in which it has moved, are read anew.
    let current = removed.length === 0
    const known = new Set<string>()
    this.client.setQueriesData<JobPage>({ queryKey: [...keys.jobs, 'page'] }, (page) => {
      if (page === undefined || !page.items.some((job) => byId.has(job.id))) return page
      return {
        ...page,
        items: page.items.map((job) => {
          const now = byId.get(job.id)
          if (now === undefined) return job
          known.add(job.id)
          if (isElsewhere(job, now)) current = false
          return merged(job, now)
        }),
      }
    })
    this.client.setQueryData(keys.jobCounts, counts)
    for (const job of changed) this.later(`job:${job.id}`)
    if (!current || changed.some((job) => !known.has(job.id))) this.later('jobs')
  }

  private later(what: string): void {
    this.stale.add(what)
    this.timer ??= window.setTimeout(() => this.flush(), this.every)
  }

  private flush(): void {
    this.timer = undefined
    const due = [...this.stale]
    this.stale.clear()
    for (const what of due) {
      const [name, id] = what.split(':')
      void this.client.invalidateQueries({ queryKey: id === undefined ? [name === 'jobs' ? 'jobs' : name, ...(name === 'jobs' ? ['page'] : [])] : [name, id] })
    }
  }
}

/** Events do not tell places in the queue: they change with every job before. */
function merged(before: Job, now: Job): Job {
  return { ...now, position: now.position ?? before.position }
}

/** True if a change may put the job at another place of a list, or into another list. */
function isElsewhere(before: Job, now: Job): boolean {
  return now.state !== before.state || now.priority !== before.priority || now.category !== before.category || now.name !== before.name
}
