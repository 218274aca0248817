import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { jobCountsQuery } from '~/api/queries'
import { useJobWords } from '~/domain/jobWords'
import { useFormat } from '~/ui/format/useFormat'
import { ReleaseName } from '~/ui/ReleaseName'
import { useText } from '~/ui/text/catalogue'
import { runningQuery } from '../queries'
import { text } from '../text'
import classes from './parts.module.css'

/** What is being imported now. */
export function Importing() {
  const t = useText(text)
  const format = useFormat()
  const words = useJobWords()
  const running = useQuery(runningQuery).data?.items.filter((job) => job.state === 'running') ?? []
  const counts = useQuery(jobCountsQuery).data
  const rest = counts === undefined ? 0 : counts.queued + counts.waiting
  return (
    <section aria-labelledby="importing">
      <Title order={2} id="importing" mb="xs">{t.importing}</Title>
      {running.length === 0 && rest === 0 && <Text c="dimmed">{t.noImports}</Text>}
      <ul className={classes.plain}>
        {running.map((job) => (
          <li key={job.id} className={classes.import}>
            <Link to="/jobs" search={{ job: job.id }} className={classes.name}><ReleaseName name={job.name} /></Link>
            <span className={classes.small}>{words.step(job.step)} {(job.stepIndex ?? 0) + 1}/{job.stepCount} · {format.percent(job.progress)}</span>
            <div className={classes.track} role="progressbar" aria-label={job.name} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(whole(job) * 100)}>
              <span className={classes.imported} style={{ transform: `scaleX(${whole(job)})` }} />
            </div>
          </li>
        ))}
      </ul>
      {rest > 0 && <Link to="/jobs" search={{ state: 'queued,waiting' }} className={classes.small}>{t.inQueue(rest)}</Link>}
    </section>
  )
}

function whole(job: { stepIndex: number | null; stepCount: number; progress: number }): number {
  return Math.min(1, ((job.stepIndex ?? 0) + job.progress) / Math.max(1, job.stepCount))
}
