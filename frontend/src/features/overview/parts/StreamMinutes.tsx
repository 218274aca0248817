import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { StreamEvent } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { timelineQuery } from '../queries'
import { text } from '../text'
import classes from './parts.module.css'

/** Waits below are what a line is like. */
const Queued = 0.05

/** What happened to a stream in the last minutes, the latest first: what it asked for, what it waited for and why, and what providers did meanwhile. */
export function StreamMinutes({ id }: { id: string }) {
  const t = useText(text)
  const format = useFormat()
  const told = useQuery(timelineQuery(id))
  if (told.error !== null) return <Text size="sm" c="dimmed">{told.error.message}</Text>
  if (told.data === undefined) return null
  const name = (provider: string | null | undefined) => provider ?? t.unknownProvider
  const tell = (event: StreamEvent) => {
    switch (event.kind) {
      case 'request':
        return t.asked(format.size(event.position ?? 0), format.size(event.length ?? 0), event.seconds == null ? null : format.duration(event.seconds))
      case 'wait':
        return t.waitedFor(format.duration(event.seconds ?? 0), event.article ?? null, event.attempts.flatMap((attempt) => [
          ...(attempt.queuedSeconds >= Queued ? [t.queued(format.duration(attempt.queuedSeconds))] : []),
          t.attempt(name(attempt.provider), attempt.result, format.duration(attempt.seconds)),
        ]), event.story ?? null)
      default:
        return t.atProvider(name(event.provider), t.trouble[event.kind], event.times, event.reason ?? null)
    }
  }
  return (
    <div className={classes.minutes}>
      {told.data.providers.map((provider) => (
        <Text key={provider.provider} size="sm">{t.articles(name(provider.provider), provider.articles, provider.missing, provider.faults, provider.medianSeconds === null ? null : format.duration(provider.medianSeconds), provider.longestSeconds === null ? null : format.duration(provider.longestSeconds))}</Text>
      ))}
      {told.data.events.length === 0 && <Text size="sm" c="dimmed">{t.nothing}</Text>}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it */}
      <div className={classes.events} tabIndex={0} role="region" aria-label={t.minutes}>
        <ol>
          {told.data.events.toReversed().map((event, index) => (
            <li key={`${event.at} ${index}`} data-kind={event.kind}><time dateTime={event.at}>{format.timeOfDay(event.at)}</time> {tell(event)}</li>
          ))}
        </ol>
      </div>
    </div>
  )
}
