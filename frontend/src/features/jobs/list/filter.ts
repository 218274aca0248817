import type { Sort } from '~/ui/table/column'
import type { Job, JobKind, JobState, JobsAction } from '~/api/types'

export const states = ['running', 'queued', 'waiting', 'paused', 'failed', 'completed'] as const satisfies readonly JobState[]
export const kinds = ['nzb', 'torrent', 'magnet'] as const satisfies readonly JobKind[]
const sorts = ['turn', 'name', 'category', 'size', 'added', 'finished'] as const
type SortBy = (typeof sorts)[number]

/** Which jobs are shown. Empty: all. */
export type JobFilter = { states: readonly JobState[]; kind: JobKind | null; category: string | null; search: string }

/** What the address says: the list and the job whose details are open. */
export type JobView = { filter: JobFilter; sort: Sort & { by: SortBy }; open: string | null }

type Search = Record<string, string | undefined>

/** The view that an address stands for; what it does not know, it leaves out. */
export function readView(search: Search): JobView {
  const by = sorts.find((sort) => sort === search.sort) ?? 'turn'
  return {
    filter: {
      states: states.filter((state) => search.state?.split(',').includes(state)),
      kind: kinds.find((kind) => kind === search.kind) ?? null,
      category: search.category ?? null,
      search: search.q ?? '',
    },
    sort: { by, descending: search.desc === '1' },
    open: search.job ?? null,
  }
}

/** The address of a view; the default leaves nothing in it. */
export function writeView({ filter, sort, open }: JobView): Search {
  return {
    state: filter.states.length > 0 ? filter.states.join(',') : undefined,
    kind: filter.kind ?? undefined,
    category: filter.category ?? undefined,
    q: filter.search !== '' ? filter.search : undefined,
    sort: sort.by !== 'turn' ? sort.by : undefined,
    desc: sort.descending ? '1' : undefined,
    job: open ?? undefined,
  }
}

/** True if nothing is filtered out. */
export function isAll(filter: JobFilter): boolean {
  return filter.states.length === 0 && filter.kind === null && filter.category === null && filter.search.trim() === ''
}

/** Whether the filter lets a job through, as the server sees it: the text stands in the name. */
export function matches(filter: JobFilter, job: Pick<Job, 'state' | 'kind' | 'category' | 'name'>): boolean {
  if (filter.states.length > 0 && !filter.states.includes(job.state)) return false
  if (filter.kind !== null && filter.kind !== job.kind) return false
  if (filter.category !== null && filter.category !== job.category) return false
  return job.name.toLowerCase().includes(filter.search.trim().toLowerCase())
}

/** The filter as actions on all that it matches take it. */
export function toActionFilter(filter: JobFilter): NonNullable<JobsAction['filter']> {
  return { states: filter.states.length > 0 ? [...filter.states] : null, kind: filter.kind, category: filter.category, search: filter.search.trim() || null }
}
