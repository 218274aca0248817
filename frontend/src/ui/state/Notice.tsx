import { IconAlertOctagon, IconClock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './notice.module.css'

const signs = { waiting: IconClock, failed: IconAlertOctagon }

/** Something that people should know before they go on: a sign, a title, and the rest. `failed` is read out at once. */
export function Notice({ kind, title, children }: { kind: keyof typeof signs; title?: string; children?: ReactNode }) {
  const Sign = signs[kind]
  return (
    <div className={classes.notice} data-kind={kind} role={kind === 'failed' ? 'alert' : 'status'}>
      <Sign size={20} aria-hidden className={classes.sign} />
      <div className={classes.rest}>
        {title !== undefined && <p className={classes.title}>{title}</p>}
        {children}
      </div>
    </div>
  )
}
