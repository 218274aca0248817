import { Table } from '@mantine/core'
import type { About } from '~/api/types'
import { CopyButton } from '~/ui/CopyButton'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

/** The version and what it runs on, ready to be copied into a report. */
export function Facts({ about }: { about: About }) {
  const t = useText(text)
  const format = useFormat()
  const facts = [[t.version, about.version], [t.commit, about.commit], [t.runtime, about.runtime], [t.system, about.system], [t.started, format.dateTime(about.started)]]
    .filter((fact): fact is [string, string] => fact[1] !== null)
  return (
    <section className="surface" style={{ padding: 12, maxWidth: 720 }}>
      <Table verticalSpacing={6}>
        <Table.Tbody>{facts.map(([name, value]) => <Table.Tr key={name}><Table.Th w={140}>{name}</Table.Th><Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td></Table.Tr>)}</Table.Tbody>
      </Table>
      <CopyButton mt="xs" label={t.copy} value={facts.map(([name, value]) => `${name}: ${value}`).join('\n')} />
    </section>
  )
}
