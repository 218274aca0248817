import { List, Stack, Text, Title } from '@mantine/core'
import type { FileDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

/** Who has a link to a file. */
export function Uses({ links }: { links: FileDetails['links'] }) {
  const t = useText(text)
  const format = useFormat()
  const lines = [
    links.holder !== null && t.holder(links.holder),
    links.given !== null && t.given(format.dateTime(links.given)),
    links.lost !== null && t.lost(format.dateTime(links.lost)),
    links.hidden !== null && t.hidden(format.dateTime(links.hidden)),
  ].filter((line) => line !== false)
  return (
    <Stack gap={4}>
      <Title order={3}>{t.uses}</Title>
      {lines.length === 0 ? <Text size="sm" c="dimmed">{t.unused}</Text> : <List size="sm">{lines.map((line) => <List.Item key={line} style={{ overflowWrap: 'anywhere' }}>{line}</List.Item>)}</List>}
    </Stack>
  )
}
