import { useQuery } from '@tanstack/react-query'
import { fileMedia } from '~/api/files'
import type { FileDetails } from '~/api/types'
import { thisBrowser } from './browser'
import { judge, type Verdict } from './judge'

/** What this browser makes of a file; undefined while it is not known. Null: its head cannot be read, so only trying tells. */
export function useVerdict(file: FileDetails | undefined): { verdict: Verdict | null | undefined; container: string | null } {
  const media = useQuery({ ...fileMedia(file?.id ?? ''), enabled: file !== undefined })
  const verdict = useQuery({
    queryKey: ['verdict', file?.id],
    queryFn: async () => file === undefined || media.data === undefined ? null : judge(media.data, file.contentType, file.size, thisBrowser()),
    enabled: media.data !== undefined,
    staleTime: Infinity,
  })
  return { verdict: media.isError ? null : verdict.data, container: media.data?.container ?? null }
}
