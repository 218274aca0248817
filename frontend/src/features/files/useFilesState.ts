import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { FileList, FileSort } from '~/api/files'

const Sorts: readonly FileSort[] = ['name', 'size', 'modified']

/** Where lists begin. */
export const Top = '/content'

/** What the address says: `?path=/content/tv&query=&sort=-size&selected=ID`. */
export function useFilesState() {
  const { path: asked, query = '', sort = 'name', selected } = useSearch({ from: '/files' })
  const path = asked ?? Top
  const navigate = useNavigate({ from: '/files' })
  const list = useMemo<FileList>(() => {
    const by = sort.replace(/^-/, '') as FileSort
    return { path, query, sort: Sorts.includes(by) ? by : 'name', descending: sort.startsWith('-') }
  }, [path, query, sort])
  const select = useCallback((id: string | undefined) => void navigate({ search: (before) => ({ ...before, selected: id }), replace: selected !== undefined && id !== undefined }), [navigate, selected])
  const go = useCallback((to: string) => void navigate({ search: ({ sort: kept }) => ({ path: to, sort: kept }) }), [navigate])
  /** The folder that is shown has another path now. */
  const follow = useCallback((to: string) => void navigate({ search: (before) => ({ ...before, path: to }), replace: true }), [navigate])
  const search = useCallback((text: string) => void navigate({ search: (before) => ({ ...before, query: text === '' ? undefined : text }), replace: true }), [navigate])
  const sortBy = useCallback((by: string) => {
    // Sizes and dates begin with the largest and newest.
    const down = list.sort === by ? !list.descending : by !== 'name'
    void navigate({ search: (before) => ({ ...before, sort: `${down ? '-' : ''}${by}` }), replace: true })
  }, [navigate, list])
  return { asked, list, selected, select, go, follow, search, sortBy }
}
