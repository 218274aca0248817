import { Accordion, List, Text, Title } from '@mantine/core'
import type { About } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

/** What each version brought; the latest is open. */
export function Changes({ changes }: { changes: About['changes'] }) {
  const t = useText(text)
  return (
    <section style={{ maxWidth: 720 }}>
      <Title order={2} mt="lg" mb="xs">{t.changes}</Title>
      {changes.length === 0 && <Text c="dimmed">{t.noChanges}</Text>}
      <Accordion order={3} variant="contained" multiple defaultValue={changes.slice(0, 1).map((each) => each.version)}>
        {changes.map((each) => (
          <Accordion.Item key={each.version} value={each.version}>
            <Accordion.Control>{each.version}{each.date !== null && <Text span c="dimmed" size="sm"> · {each.date}</Text>}</Accordion.Control>
            <Accordion.Panel><List size="sm" spacing={4}>{each.points.map((point) => <List.Item key={point}>{point}</List.Item>)}</List></Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </section>
  )
}
