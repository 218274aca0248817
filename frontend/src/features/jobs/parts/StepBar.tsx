import type { Job } from '~/api/types'
import { useJobWords } from '~/domain/jobWords'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './parts.module.css'

/** How far an import is: one part per step, the current one filled by its share. */
export function StepBar({ job }: { job: Job }) {
  const t = useText(text)
  const format = useFormat()
  const at = job.stepIndex ?? 0
  const step = useJobWords().step(job.step)
  const whole = Math.min(1, (at + job.progress) / Math.max(1, job.stepCount))
  return (
    <span className={classes.steps}>
      <span className={classes.bar} role="progressbar" aria-label={job.name} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(whole * 100)} aria-valuetext={t.stepOf(at + 1, job.stepCount, step)}>
        {Array.from({ length: job.stepCount }, (_, index) => (
          <span key={index} className={classes.part}>
            <span className={classes.done} style={{ transform: `scaleX(${index < at ? 1 : index === at ? job.progress : 0})` }} />
          </span>
        ))}
      </span>
      <span className={classes.step}>{t.step(step, format.percent(job.progress))}</span>
    </span>
  )
}
