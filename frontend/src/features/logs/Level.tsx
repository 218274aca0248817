import { IconAlertOctagon, IconAlertTriangle, IconBug, IconInfoCircle } from '@tabler/icons-react'
import type { LogLine } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import classes from './Logs.module.css'
import { text } from './text'

const looks = {
  trace: { icon: IconBug, colour: 'var(--nz-paused)' },
  debug: { icon: IconBug, colour: 'var(--nz-paused)' },
  information: { icon: IconInfoCircle, colour: 'var(--nz-streaming)' },
  warning: { icon: IconAlertTriangle, colour: 'var(--nz-waiting)' },
  error: { icon: IconAlertOctagon, colour: 'var(--nz-failed)' },
  critical: { icon: IconAlertOctagon, colour: 'var(--nz-failed)' },
} as const

/** How grave a line is: a sign, and a word where there is room. */
export function Level({ level }: { level: LogLine['level'] }) {
  const t = useText(text)
  const { icon: Icon, colour } = looks[level]
  return <span className={classes.level} style={{ color: colour }}><Icon size={14} role="img" aria-label={t.levels[level]} /><span className={classes.word} aria-hidden>{t.levels[level]}</span></span>
}
