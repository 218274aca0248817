import { Anchor, Table, Text, Title } from '@mantine/core'
import type { About } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

/** What others made that ships with the program. */
export function Licences({ licences }: { licences: About['licences'] }) {
  const t = useText(text)
  return (
    <section style={{ maxWidth: 720 }}>
      <Title order={2} mt="lg">{t.licences}</Title>
      <Text size="sm" c="dimmed" mb="xs">{t.licencesHint}</Text>
      <Table.ScrollContainer minWidth={320} className="surface">
        <Table verticalSpacing={4}>
          <Table.Thead><Table.Tr><Table.Th>{t.name}</Table.Th><Table.Th>{t.version}</Table.Th><Table.Th>{t.licence}</Table.Th></Table.Tr></Table.Thead>
          <Table.Tbody>
            {licences.map((each) => (
              <Table.Tr key={`${each.name} ${each.version}`}>
                <Table.Td>{each.url === null ? each.name : <Anchor href={each.url} target="_blank" rel="noreferrer" aria-label={t.address(each.name)}>{each.name}</Anchor>}</Table.Td>
                <Table.Td>{each.version}</Table.Td>
                <Table.Td>{each.licence}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}
