import { Title } from '@mantine/core'
import type { HealthEvent } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import { Events } from './Events'
import { text } from './text'

/** The latest of what was found and done, of all posts. */
export function History({ events }: { events: readonly HealthEvent[] }) {
  const t = useText(text)
  return (
    <section aria-label={t.history}>
      <Title order={2} mt="lg" mb="xs">{t.history}</Title>
      <Events events={events} named />
    </section>
  )
}
