import type { Job, JobState } from '~/api/types'
import { serverAhead } from '~/api/clock'
import { StateBadge, type Shown } from '~/ui/state/StateBadge'
import { useText } from '~/ui/text/catalogue'
import { useNow } from '~/ui/useNow'
import { text } from '../text'
import classes from './parts.module.css'
import { StepBar } from './StepBar'

export const shownAs: Record<JobState, Shown> = { queued: 'queued', waiting: 'waiting', paused: 'paused', running: 'importing', completed: 'done', failed: 'failed' }

/** How a job stands, with the reason where it does not go on. */
export function JobStatus({ job }: { job: Job }) {
  const t = useText(text)
  if (job.state === 'running') return <StepBar job={job} />
  return (
    <span className={classes.status}>
      {job.state === 'waiting' && job.retryAt !== null ? <Countdown until={job.retryAt} /> : <StateBadge state={shownAs[job.state]}>{t.states[job.state]}</StateBadge>}
      {job.failure !== null && <span className={classes.reason} title={job.failure.message}>{(t.reasons[job.failure.code] ?? t.otherReason)[0]}: {job.failure.message}</span>}
    </span>
  )
}

function Countdown({ until }: { until: string }) {
  const t = useText(text)
  const now = useNow(1000) + serverAhead()
  return <StateBadge state="waiting">{t.nextTry(Math.max(0, Math.ceil((Date.parse(until) - now) / 1000)))}</StateBadge>
}
