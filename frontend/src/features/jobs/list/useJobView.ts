import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { readView, writeView, type JobFilter, type JobView } from './filter'

/** The view as the address has it, and what changes it. Filters take the place of the entry in the history; details make a new one, so that back closes them. */
export function useJobView() {
  const search = useSearch({ from: '/jobs' })
  const navigate = useNavigate()
  const view = useMemo(() => readView(search), [search])
  const go = useCallback((to: JobView, replace: boolean) => void navigate({ to: '/jobs', search: writeView(to), replace, resetScroll: false }), [navigate])
  return useMemo(() => ({
    view,
    filter: (change: Partial<JobFilter>) => go({ ...view, filter: { ...view.filter, ...change } }, true),
    sort: (by: string) => go({ ...view, sort: nextSort(view.sort, by) }, true),
    open: (id: string | null) => go({ ...view, open: id }, id === null),
  }), [view, go])
}

/** The same column again turns the order round; the queue's own order has only one. */
export function nextSort(sort: JobView['sort'], by: string): JobView['sort'] {
  const wanted = by as JobView['sort']['by']
  if (wanted === 'turn') return { by: wanted, descending: false }
  // What is newest or largest is what one looks for.
  return sort.by === wanted ? { by: wanted, descending: !sort.descending } : { by: wanted, descending: wanted !== 'name' && wanted !== 'category' }
}
