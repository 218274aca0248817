import { Anchor, Table } from '@mantine/core'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

type Row = { name: string; version: string; licence: string; url: string | null }

/** Packages with their versions and licences. With `onOpen` a licence leads to its text. */
export function LicenceTable<R extends Row>({ label, rows, onOpen }: { label: string; rows: readonly R[]; onOpen?: (row: R) => void }) {
  const t = useText(text)
  return (
    <Table.ScrollContainer minWidth={320} className="surface">
      <Table verticalSpacing={4} aria-label={label}>
        <Table.Thead><Table.Tr><Table.Th>{t.name}</Table.Th><Table.Th>{t.version}</Table.Th><Table.Th>{t.licence}</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={`${row.name} ${row.version}`}>
              <Table.Td>{row.url === null ? row.name : <Anchor display="inline-block" lh="24px" href={row.url} target="_blank" rel="noreferrer" aria-label={t.address(row.name)}>{row.name}</Anchor>}</Table.Td>
              <Table.Td>{row.version}</Table.Td>
              <Table.Td>{onOpen === undefined ? row.licence : <Anchor display="inline-block" lh="24px" component="button" type="button" aria-label={t.textOf(row.name, row.licence)} onClick={() => onOpen(row)}>{row.licence}</Anchor>}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
