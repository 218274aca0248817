import { Table, Text } from '@mantine/core'
import { useText } from '../text/catalogue'
import type { Change } from './draft'
import { text } from './text'
import { useShown } from './useShown'

/** What a save would change, value by value. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  const t = useText(text)
  const shown = useShown()
  return (
    <Table.ScrollContainer minWidth={280} mah={320}>
      <Table verticalSpacing={6}>
        <Table.Thead><Table.Tr><Table.Th>{t.setting}</Table.Th><Table.Th>{t.from}</Table.Th><Table.Th>{t.to}</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {changes.map((change) => (
            <Table.Tr key={change.path}>
              <Table.Td><Text size="sm">{change.title}</Text><Text size="xs" c="dimmed" className="mono">{change.path}</Text></Table.Td>
              <Table.Td><Text size="sm" td="line-through" c="dimmed">{shown.value(change, change.before)}</Text></Table.Td>
              <Table.Td><Text size="sm">{shown.value(change, change.after)}</Text></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
