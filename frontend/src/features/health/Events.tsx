import { Text } from '@mantine/core'
import type { HealthEvent } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import classes from './Health.module.css'
import { text } from './text'

/** Entries of the history, the latest first. `named` also says what each is about. */
export function Events({ events, named = false }: { events: readonly HealthEvent[]; named?: boolean }) {
  const t = useText(text)
  const format = useFormat()
  if (events.length === 0) return <Text size="sm" c="dimmed">{t.noHistory}</Text>
  return (
    <ol className={classes.events}>
      {events.map((event, at) => (
        <li key={`${event.at} ${event.itemId ?? ''} ${event.kind} ${at}`}>
          <time dateTime={event.at}>{format.dateTime(event.at)}</time>
          <div>
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>{t.kinds[event.kind] ?? event.kind}{named && event.name !== '' && `: ${event.name}`}</Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>{event.reason}</Text>
          </div>
        </li>
      ))}
    </ol>
  )
}
