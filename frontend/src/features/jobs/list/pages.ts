import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { api, take } from '~/api/client'
import { keys } from '~/api/live'
import type { Job, JobPage } from '~/api/types'
import type { JobFilter, JobView } from './filter'

/** Rows of one page: one read shows some screens of them. */
export const PageSize = 200

type Listed = Pick<JobView, 'filter' | 'sort'>

/** What all pages of one list have in common in their keys. As text: the cache takes a filter without states for a part of one with some. */
export function listKey({ filter, sort }: Listed): readonly unknown[] {
  return [...keys.jobPages, JSON.stringify([filter, sort])]
}

/** One page of a list. It is read anew when it is shown again: while it was not, events may have moved its rows. */
export function pageQuery(listed: Listed, offset: number) {
  const { filter, sort } = listed
  return queryOptions({
    queryKey: [...listKey(listed), offset],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<JobPage> => take(api.GET('/api/v1/jobs', {
      signal,
      params: { query: { ...queryOf(filter), sort: sort.by, descending: sort.descending, offset, limit: PageSize } },
    })),
  })
}

function queryOf(filter: JobFilter) {
  return {
    state: filter.states.length > 0 ? filter.states.join(',') : undefined,
    kind: filter.kind ?? undefined,
    category: filter.category ?? undefined,
    search: filter.search.trim() || undefined,
  }
}

/** Offsets of the pages that hold rows first…last. */
export function offsetsOf(first: number, last: number): number[] {
  const offsets: number[] = []
  for (let offset = Math.floor(Math.max(0, first) / PageSize) * PageSize; offset <= Math.max(first, last); offset += PageSize) offsets.push(offset)
  return offsets
}

/** The pages of a list that are here, by offset, newest answer last. */
function cached(client: QueryClient, listed: Listed): { offset: number; page: JobPage; at: number }[] {
  return client.getQueryCache().findAll({ queryKey: listKey(listed) })
    .flatMap((query) => {
      const page = query.state.data as JobPage | undefined
      return page === undefined ? [] : [{ offset: query.queryKey.at(-1) as number, page, at: query.state.dataUpdatedAt }]
    })
}

/** What is known of a list: its length and counts by the newest answer, and its rows by place. */
export class KnownList {
  readonly latest: JobPage | undefined
  /** When the newest answer came, in milliseconds; 0: none has. */
  readonly readAt: number
  private readonly pages: Map<number, JobPage>

  constructor(client: QueryClient, listed: Listed) {
    const known = cached(client, listed)
    this.pages = new Map(known.map(({ offset, page }) => [offset, page]))
    const newest = known.sort((a, b) => a.at - b.at).at(-1)
    this.latest = newest?.page
    this.readAt = newest?.at ?? 0
  }

  get total(): number {
    return this.latest?.total ?? 0
  }

  at(index: number): Job | undefined {
    const offset = index - (index % PageSize)
    return this.pages.get(offset)?.items[index - offset]
  }

  /** Place of a job among those that are here; -1 if it is not. */
  find(id: string): number {
    for (const [offset, page] of this.pages) {
      const at = page.items.findIndex((job) => job.id === id)
      if (at >= 0) return offset + at
    }
    return -1
  }

  /** Places of the jobs that are here and in the set, in order. */
  placesOf(ids: ReadonlySet<string>): number[] {
    if (ids.size === 0) return []
    const places: number[] = []
    for (const [offset, page] of this.pages) page.items.forEach((job, at) => { if (ids.has(job.id)) places.push(offset + at) })
    return places.sort((a, b) => a - b)
  }

  *all(): Iterable<Job> {
    for (const [, page] of [...this.pages].sort(([a], [b]) => a - b)) yield* page.items
  }
}

/** The row of the list that stands at a place of the screen, if the rows at `hidden` (in order) are left out. */
export function unhidden(place: number, hidden: readonly number[]): number {
  let row = place
  for (const at of hidden) {
    if (at > row) break
    row++
  }
  return row
}
