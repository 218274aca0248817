import { Kbd, Table, Title } from '@mantine/core'
import { Dialog } from '~/ui/Dialog'
import { useText } from '~/ui/text/catalogue'
import { inKeys } from '~/ui/text/keys'
import { text } from './text'

/** The keys of the page. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const t = useText(text)
  return (
    <Dialog opened onClose={onClose} title={t.keysTitle} size="lg" closeButtonProps={{ 'aria-label': t.close }}>
      {t.keyGroups.map(([name, keys]) => (
        <section key={name}>
          <Title order={3} mt="sm">{name}</Title>
          <Table withRowBorders={false} verticalSpacing={4}>
            <Table.Tbody>{keys.map(([key, what]) => <Table.Tr key={key}><Table.Th scope="row" fw={400} w={220}>{key.split(' ').map((part) => <Kbd key={part} mr={4}>{inKeys(part)}</Kbd>)}</Table.Th><Table.Td>{what}</Table.Td></Table.Tr>)}</Table.Tbody>
          </Table>
        </section>
      ))}
    </Dialog>
  )
}
