import { IconAlertOctagonFilled, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './parts.module.css'

type Props = { state: 'failed' | 'hint'; title: ReactNode; text?: string | null; children?: ReactNode }

/** One thing to do: what, why, and the button for it. */
export function Need({ state, title, text, children }: Props) {
  const Sign = state === 'failed' ? IconAlertOctagonFilled : IconInfoCircle
  return (
    <li className={classes.need}>
      <Sign size={16} aria-hidden className={state === 'failed' ? classes.bad : classes.hint} />
      <div className={classes.needText}>
        <div>{title}</div>
        {text != null && text !== '' && <div className={classes.small}>{text}</div>}
      </div>
      {children}
    </li>
  )
}
