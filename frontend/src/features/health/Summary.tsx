import { Progress } from '@mantine/core'
import type { HealthOverview } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { useNow } from '~/ui/useNow'
import classes from './Health.module.css'
import { text } from './text'

/** What the day has used, and what is promised with it. */
export function Summary({ overview }: { overview: HealthOverview }) {
  const t = useText(text)
  const format = useFormat()
  const now = useNow()
  const due = overview.nextDue
  const facts: [string, string, string?][] = [
    [t.promise, t.days(format.number(overview.promiseDays))],
    [t.sweep, overview.sweepDays === null ? t.unknown : t.days(format.number(overview.sweepDays))],
    [t.next, due === null ? t.none : Date.parse(due) <= now ? t.soon : format.relative(due, now), due === null ? undefined : format.dateTime(due)],
    [t.removals, t.removalsOf(format.number(overview.removedToday), format.number(overview.removalsPerDay))],
    [t.action, t.actions[overview.action] ?? overview.action],
  ]
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t.quota}</dt>
        <dd>
          {t.quotaOf(format.number(overview.statsUsed), format.number(overview.statsPerDay))}
          <Progress mt={4} size="sm" value={(100 * overview.statsUsed) / Math.max(1, overview.statsPerDay)} aria-label={t.quota} />
          {overview.bodiesUsed > 0 && <small>{t.bodies(format.number(overview.bodiesUsed))}</small>}
        </dd>
      </div>
      {facts.map(([name, value, title]) => <div key={name}><dt>{name}</dt><dd title={title}>{value}</dd></div>)}
    </dl>
  )
}
