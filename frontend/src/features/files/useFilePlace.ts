import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { fileDetails, filePage } from '~/api/files'
import { ApiError } from '~/api/error'

/** Half an address: the path of a file instead of its folder's, or a file without a path. Both lead to the folder with the file chosen. */
export function useFilePlace(path: string | undefined, selected: string | undefined, error: Error | null): boolean {
  const navigate = useNavigate({ from: '/files' })
  const name = path?.split('/').at(-1) ?? ''
  const lost = error instanceof ApiError && error.status === 404 && name !== ''
  const found = useQuery({ ...filePage({ path: '', query: name, sort: 'name', descending: false }, 0, 50), enabled: lost })
  const file = found.data?.items.find((item) => item.path === path && item.kind === 'file')
  const known = useQuery({ ...fileDetails(selected ?? ''), enabled: path === undefined && selected !== undefined }).data
  const to = file ?? (path === undefined ? known : undefined)
  useEffect(() => {
    if (to === undefined) return
    const folder = to.path.slice(0, -to.name.length - 1)
    void navigate({ search: (before) => ({ ...before, path: folder, selected: to.id }), replace: true })
  }, [to, navigate])
  return lost && (found.isPending || file !== undefined)
}
