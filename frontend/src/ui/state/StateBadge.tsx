import { IconAlertOctagonFilled, IconCheck, IconClock, IconHourglassEmpty, IconPlayerPauseFilled, IconPlayerPlayFilled, IconProgress, IconTool } from '@tabler/icons-react'
import classes from './state.module.css'

/** How something stands, as people see it; each has a colour and a sign of its own. */
export type Shown = 'queued' | 'streaming' | 'importing' | 'waiting' | 'failed' | 'repaired' | 'done' | 'paused'

const signs = { queued: IconHourglassEmpty, streaming: IconPlayerPlayFilled, importing: IconProgress, waiting: IconClock, failed: IconAlertOctagonFilled, repaired: IconTool, done: IconCheck, paused: IconPlayerPauseFilled }

/** A state by sign and word: never by colour alone. */
export function StateBadge({ state, children }: { state: Shown; children: string }) {
  const Sign = signs[state]
  return (
    <span className={classes.badge} data-state={state}>
      <Sign size={13} aria-hidden className={classes.sign} />
      {children}
    </span>
  )
}
