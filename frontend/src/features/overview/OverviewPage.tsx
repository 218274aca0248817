import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { jobCountsQuery, providersQuery, statusQuery, streamsQuery } from '~/api/queries'
import { PageTitle } from '~/ui/PageTitle'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { Connect } from './parts/Connect'
import { Exports } from './parts/Exports'
import { Importing } from './parts/Importing'
import { Machine } from './parts/Machine'
import { Needs } from './parts/Needs'
import classes from './parts/parts.module.css'
import { Rate } from './parts/Rate'
import { Streams } from './parts/Streams'
import { failedQuery, playQuery, progressQuery, runningQuery, seriesQuery } from './queries'
import { text } from './text'

/** Milliseconds that the page waits for its parts. */
const Longest = 1500

/** Is all well, now? */
export default function OverviewPage(): ReactNode {
  const t = useText(text)
  const status = useQuery(statusQuery)
  const progress = useQuery(progressQuery)
  const played = progress.data?.played
  const play = useQuery(playQuery)
  // The page comes whole: parts that came one after the other would push what one reads, or presses, down.
  const rest = [play, useQuery(streamsQuery), useQuery(jobCountsQuery), useQuery(runningQuery), useQuery(failedQuery), useQuery(providersQuery), useQuery(seriesQuery)]
  // What fails, or takes long, does not hold the others back.
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), Longest)
    return () => clearTimeout(timer)
  }, [])
  const isThere = late || ![status, progress, ...rest].some((query) => query.isPending && query.failureCount === 0)
  return (
    <>
      <PageTitle title={t.title} />
      {status.error !== null && status.data === undefined && <ErrorNote error={status.error} retry={() => void status.refetch()} />}
      {!isThere && <Loading rows={4} height={140} />}
      {isThere && <div className={classes.page}>
        <div className={classes.column}>
          <Rate rate={status.data === undefined ? undefined : status.data.rate + status.data.torrentRate} />
          <Streams played={played} />
          <Importing />
        </div>
        <div className={classes.column}>
          <Needs status={status.data} />
          <Connect />
          {status.data !== undefined && <Exports exports={status.data.exports} />}
          {status.data !== undefined && <Machine status={status.data} />}
        </div>
      </div>}
    </>
  )
}
