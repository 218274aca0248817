import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useLive } from '~/api/LiveProvider'
import { jobCountsQuery, statusQuery } from '~/api/queries'
import { useFormat } from '~/ui/format/useFormat'
import { setTitlePrefix } from '~/ui/title'
import { icon } from './icon'

/** Pages on which a failed job is seen. */
const Seen = ['/', '/jobs']

/** Keeps what the browser's tab tells: the rate in its title, a dot in its icon (red: a job has failed since one looked; blue: somebody streams). */
export function useTabSigns(): void {
  const format = useFormat()
  const { pathname } = useLocation()
  const status = useQuery(statusQuery).data
  const failed = useQuery(jobCountsQuery).data?.failed
  const rate = status === undefined ? 0 : status.rate + status.torrentRate
  const streams = status?.streams ?? 0
  // How many had failed when one last looked.
  const [known, setKnown] = useState<number | undefined>(undefined)
  const looks = Seen.includes(pathname)
  if (failed !== undefined && (known === undefined || failed < known)) setKnown(failed)
  useLive((event) => { if (event.name === 'jobs' && looks && !document.hidden) setKnown(event.data.counts.failed) })
  const isBad = !looks && failed !== undefined && known !== undefined && failed > known

  const shown = rate > 0 ? format.rate(rate) : ''
  useEffect(() => setTitlePrefix(shown), [shown])
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (link !== null) link.href = icon(isBad ? 'failed' : streams > 0 ? 'streaming' : 'none')
  }, [isBad, streams])
}
