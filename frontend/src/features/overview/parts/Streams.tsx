import { Button, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { address } from '~/api/address'
import { streamsQuery } from '~/api/queries'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './parts.module.css'
import { StreamCard } from './StreamCard'
import { Ways } from './Ways'

/** Who watches what. Before anybody has, the ways to play. */
export function Streams({ played }: { played: boolean | undefined }) {
  const t = useText(text)
  const streams = useQuery(streamsQuery).data?.streams
  const [seen, setSeen] = useState(false)
  if (streams === undefined) return null
  // Whether anything has been played is asked once: what is seen here since counts as well.
  if (streams.length > 0 && !seen) setSeen(true)
  if (streams.length === 0 && played === false && !seen) return <Ways />
  return (
    <section aria-labelledby="streams">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="streams">{t.streams}</Title>
        {(streams.length > 0 || seen) && <Button component="a" size="compact-sm" variant="subtle" href={address('api/v1/streams/recording')} download>{t.saveAll}</Button>}
      </Group>
      {streams.length === 0 ? <Text c="dimmed">{t.noStreams}</Text> : <ul className={classes.cards}>{streams.map((stream) => <li key={stream.id}><StreamCard stream={stream} /></li>)}</ul>}
    </section>
  )
}
