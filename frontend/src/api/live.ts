import type { QueryClient } from '@tanstack/react-query'
import { setServerTime } from './clock'
import type { EventData, EventName, Job, JobPage, Torrent } from './types'

/** Keys of what the live stream keeps current. Lists of jobs are kept as pages under `jobs`: see `Live`. */
export const keys = {
  jobs: ['jobs'] as const,
  /** Pages that are read anew by whoever shows them, once their rows may move. */
  jobPages: ['jobs', 'page'] as const,
  /** Short lists that are read anew at once. */
  jobLists: ['jobs', 'list'] as const,
  jobCounts: ['jobCounts'] as const,
  files: ['files'] as const,
  queue: ['queue'] as const,
  streams: ['streams'] as const,
  status: ['status'] as const,
  providers: ['providers'] as const,
  torrents: ['torrents'] as const,
  settings: ['settings'] as const,
  health: ['health'] as const,
  log: ['log'] as const,
}

/** What listeners are told besides the events: `isMoved` says that lists may have other rows now. */
export type LiveEvent = { [N in EventName]: { name: N; data: EventData[N]; isMoved: boolean } }[EventName]

/**
 * Carries events into the query cache. Rows of jobs are patched where they stand. Lists whose rows may have moved are marked; those under `jobs list` are read
 * anew at once, those under `jobs page` by whoever shows them, because rows must not move under the pointer.
 */
export class Live {
  private readonly stale = new Set<string>()
  private readonly listeners = new Set<(event: LiveEvent) => void>()
  private timer: number | undefined

  /** @param every Milliseconds between two rounds of reading lists anew. */
  constructor(private readonly client: QueryClient, private readonly every = 1000) {}

  /** Takes one event. */
  readonly take = <N extends EventName>(name: N, data: EventData[N]): void => {
    const isMoved = this.keep(name, data)
    for (const listener of this.listeners) listener({ name, data, isMoved } as LiveEvent)
  }

  /** Has a listener told of each event, once the cache has it; gives what ends that. */
  readonly listen = (listener: (event: LiveEvent) => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Gives up what waits. */
  dispose(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private keep(name: EventName, data: EventData[EventName]): boolean {
    switch (name) {
      case 'hello':
        setServerTime((data as EventData['hello']).time)
        break
      case 'reset':
        void this.client.invalidateQueries()
        break
      case 'jobs':
        return this.jobs(data as EventData['jobs'])
      case 'status':
        this.client.setQueryData(keys.jobCounts, (data as EventData['status']).jobs)
        this.client.setQueryData([name], data)
        break
      case 'streams':
      case 'providers':
      case 'queue':
        this.client.setQueryData([name], data)
        break
      case 'torrents':
        this.torrents(data as EventData['torrents'])
        break
      case 'files':
        this.later(name)
        this.later('torrents')
        break
      case 'settings':
      case 'health':
        this.later(name)
        break
      default:
        break
    }
    return false
  }

  private jobs({ changed, removed, counts }: EventData['jobs']): boolean {
    const byId = new Map(changed.map((job) => [job.id, job]))
    let isMoved = removed.length > 0
    const known = new Set<string>()
    for (const [key, page] of this.client.getQueriesData<JobPage>({ queryKey: keys.jobs })) {
      if (page === undefined || !page.items.some((job) => byId.has(job.id))) continue
      const items = page.items.map((job) => {
        const now = byId.get(job.id)
        if (now === undefined) return job
        known.add(job.id)
        isMoved ||= isElsewhere(job, now)
        return merged(job, now)
      })
      // As old as it was: its total is no newer than its answer.
      this.client.setQueryData<JobPage>(key, { ...page, items }, { updatedAt: this.client.getQueryState(key)?.dataUpdatedAt })
    }
    this.client.setQueryData(keys.jobCounts, counts)
    for (const job of changed) this.later(`job:${job.id}`)
    isMoved ||= changed.some((job) => !known.has(job.id))
    if (isMoved) {
      // After the patches: they would take the mark away.
      void this.client.invalidateQueries({ queryKey: keys.jobPages, refetchType: 'none' })
      this.later('jobs:list')
    }
    return isMoved
  }

  /** The event tells of those in their swarms alone. One that came or left may have been added or deleted: the whole list knows. */
  private torrents({ torrents }: EventData['torrents']): void {
    this.later('torrent')
    const before = this.client.getQueryData<{ torrents: Torrent[] }>(keys.torrents)?.torrents
    if (before === undefined) return
    const known = new Set(before.map(({ infoHash }) => infoHash))
    const active = new Set(torrents.map(({ infoHash }) => infoHash))
    const others = before.filter(({ infoHash }) => !active.has(infoHash))
    this.client.setQueryData(keys.torrents, { torrents: [...torrents, ...others] })
    if (torrents.some(({ infoHash }) => !known.has(infoHash)) || others.some(({ state }) => state !== 'closed')) this.later('torrents')
  }

  private later(what: string): void {
    this.stale.add(what)
    this.timer ??= window.setTimeout(() => this.flush(), this.every)
  }

  private flush(): void {
    this.timer = undefined
    const due = [...this.stale]
    this.stale.clear()
    for (const what of due) void this.client.invalidateQueries({ queryKey: what.split(':') })
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
