import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { statusQuery } from '~/api/queries'
import { PageTitle } from '~/ui/PageTitle'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { Exports } from './parts/Exports'
import { Importing } from './parts/Importing'
import { Machine } from './parts/Machine'
import { Needs } from './parts/Needs'
import classes from './parts/parts.module.css'
import { Rate } from './parts/Rate'
import { Streams } from './parts/Streams'
import { progressQuery } from './queries'
import { text } from './text'

/** Is all well, now? */
export default function OverviewPage(): ReactNode {
  const t = useText(text)
  const status = useQuery(statusQuery)
  const played = useQuery(progressQuery).data?.played
  return (
    <>
      <PageTitle title={t.title} />
      {status.error !== null && status.data === undefined && <ErrorNote error={status.error} retry={() => void status.refetch()} />}
      <div className={classes.page}>
        <div className={classes.column}>
          <Rate rate={status.data === undefined ? undefined : status.data.rate + status.data.torrentRate} />
          <Streams played={played} />
          <Importing />
        </div>
        <div className={classes.column}>
          <Needs status={status.data} />
          {status.data !== undefined && <Exports exports={status.data.exports} />}
          {status.data !== undefined && <Machine status={status.data} />}
        </div>
      </div>
    </>
  )
}
