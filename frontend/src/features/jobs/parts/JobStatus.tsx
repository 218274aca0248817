import type { Job, JobState } from '~/api/types'
import { serverAhead } from '~/api/clock'
import { useJobWords } from '~/domain/jobWords'
import { StateBadge, type Shown } from '~/ui/state/StateBadge'
import { useText } from '~/ui/text/catalogue'
import { useLanguage } from '~/ui/text/language'
import { useNow } from '~/ui/useNow'
import { text } from '../text'
import classes from './parts.module.css'
import { StepBar } from './StepBar'

export const shownAs: Record<JobState, Shown> = { queued: 'queued', waiting: 'waiting', paused: 'paused', running: 'importing', completed: 'done', failed: 'failed' }

/** How a job stands, with the reason where it does not go on. */
export function JobStatus({ job }: { job: Job }) {
  const t = useText(text)
  const words = useJobWords()
  // The server's sentence is English: elsewhere its reason alone stands in the list, and the sentence among the details.
  const { language } = useLanguage()
  if (job.state === 'running') return <StepBar job={job} />
  return (
    <span className={classes.status}>
      {job.state === 'waiting' && job.retryAt !== null ? <Countdown until={job.retryAt} /> : <StateBadge state={shownAs[job.state]}>{t.states[job.state]}</StateBadge>}
      {job.failure !== null && <span className={classes.reason} title={job.failure.message}>{words.reason(job.failure.code)[0]}{language === 'en' && `: ${job.failure.message}`}</span>}
    </span>
  )
}

function Countdown({ until }: { until: string }) {
  const t = useText(text)
  const now = useNow(1000) + serverAhead()
  return <StateBadge state="waiting">{t.nextTry(Math.max(0, Math.ceil((Date.parse(until) - now) / 1000)))}</StateBadge>
}
