import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { filePage, type FileList } from '~/api/files'
import type { FileItem } from '~/api/types'

/** Rows that are read at once. */
const Size = 200

/** The pages that hold rows `first` to `last`, without the first one, which is always there. */
export function pagesOf(first: number, last: number, total: number): number[] {
  const end = Math.min(last, total - 1)
  const pages: number[] = []
  for (let page = Math.floor(first / Size); page <= Math.floor(end / Size); page++) if (page > 0) pages.push(page)
  return pages
}

/** The rows of a list that are seen, and what holds them. Each page has its own place in the cache. */
export function useFileRows(list: FileList) {
  const [range, setRange] = useState<[number, number]>([0, 0])
  const head = useQuery({ ...filePage(list, 0, Size), placeholderData: keepPreviousData })
  const total = head.data?.total ?? 0
  const pages = useMemo(() => pagesOf(range[0], range[1], total), [range, total])
  const rest = useQueries({ queries: pages.map((page) => filePage(list, page * Size, Size)) })
  const row = useCallback((index: number): FileItem | undefined => {
    const page = Math.floor(index / Size)
    const items = page === 0 ? head.data?.items : rest[pages.indexOf(page)]?.data?.items
    return items?.[index % Size]
  }, [head.data, rest, pages])
  const onRange = useCallback((first: number, last: number) => setRange((before) => before[0] === first && before[1] === last ? before : [first, last]), [])
  return { row, total, onRange, page: head.data, error: head.error, retry: () => void head.refetch(), pending: head.isPending, old: head.isPlaceholderData }
}
