import { ActionIcon, Group, Menu, Table, Text } from '@mantine/core'
import { IconDots, IconDownload } from '@tabler/icons-react'
import type { Backup } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

type Props = { backups: readonly Backup[]; onDownload: (backup: Backup, complete: boolean) => void; onRestore: (backup: Backup) => void; onRemove: (backup: Backup) => void }

/** The backups, newest first. */
export function BackupTable({ backups, onDownload, onRestore, onRemove }: Props) {
  const t = useText(text)
  const format = useFormat()
  return (
    <Table.ScrollContainer minWidth={320} className="surface">
      <Table verticalSpacing={8}>
        <Table.Thead>
          <Table.Tr><Table.Th>{t.created}</Table.Th><Table.Th visibleFrom="sm">{t.reason}</Table.Th><Table.Th ta="right">{t.size}</Table.Th><Table.Th visibleFrom="sm">{t.content}</Table.Th><Table.Td /></Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {backups.map((backup) => (
            <Table.Tr key={backup.name} data-backup={backup.name}>
              <Table.Td><time dateTime={backup.created}>{format.dateTime(backup.created)}</time><Text size="xs" c="dimmed" className="mono" style={{ overflowWrap: 'anywhere' }}>{backup.name}</Text></Table.Td>
              <Table.Td visibleFrom="sm">{t.reasons[backup.reason] ?? backup.reason}</Table.Td>
              <Table.Td ta="right">{format.size(backup.size)}</Table.Td>
              <Table.Td visibleFrom="sm">
                {t.blobs(format.number(backup.blobs), format.size(backup.blobBytes))}
                {backup.missingBlobs > 0 && <Text size="xs" c="var(--nz-waiting)">{t.missing(backup.missingBlobs)}</Text>}
              </Table.Td>
              <Table.Td>
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  <ActionIcon variant="default" size="lg" onClick={() => onDownload(backup, false)} aria-label={t.downloadOf(backup.name)}><IconDownload size={18} aria-hidden /></ActionIcon>
                  <Menu position="bottom-end">
                    <Menu.Target><ActionIcon variant="default" size="lg" aria-label={t.more(backup.name)}><IconDots size={18} aria-hidden /></ActionIcon></Menu.Target>
                    <Menu.Dropdown>
                      <Menu.Item onClick={() => onDownload(backup, true)}>{t.downloadComplete}</Menu.Item>
                      <Menu.Item onClick={() => onRestore(backup)}>{t.restore}</Menu.Item>
                      <Menu.Item color="red" onClick={() => onRemove(backup)}>{t.remove}</Menu.Item>
                    </Menu.Dropdown>
                  </Menu>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
