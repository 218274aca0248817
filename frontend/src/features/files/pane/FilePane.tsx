import { Button, Group, Text } from '@mantine/core'
import { IconCursorText, IconFolderSymlink, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { fileDetails } from '~/api/files'
import { useRights } from '~/api/session'
import { Pane } from '~/ui/pane/Pane'
import { useText } from '~/ui/text/catalogue'
import type { Asked } from '../actions/FileDialogs'
import { text } from '../text'
import { Extents } from './Extents'
import { Facts } from './Facts'
import { PostedTable } from './PostedTable'
import { ProviderCheck } from './ProviderCheck'
import { Uses } from './Uses'
import { Ways } from './Ways'

type Props = { id: string; onAsk: (asked: Asked) => void; onClose: () => void }

/** All that is known of one file or folder, and what can be done with it. */
export function FilePane({ id, onAsk, onClose }: Props) {
  const t = useText(text)
  const may = useRights()
  const query = useQuery(fileDetails(id))
  const file = query.data
  return (
    <Pane title={file?.name ?? ''} query={query} onClose={onClose}>
      {file !== undefined && (
        <>
          <Ways file={file} />
          {file.kind === 'file' && file.size > 0 && <Extents file={file} />}
          <Facts file={file} />
          {file.kind === 'file' && <Uses links={file.links} />}
          {file.posted.length > 0 && <PostedTable posted={file.posted} total={file.postedTotal} />}
          {may('change') && file.origin === 'usenet' && file.articles > 0 && <ProviderCheck key={file.id} id={file.id} />}
          {may('change') && file.parentId !== null && (
            <Group gap="xs">
              <Button size="compact-md" variant="default" leftSection={<IconCursorText size={16} aria-hidden />} onClick={() => onAsk({ what: 'rename', items: [file] })}>{t.rename}</Button>
              <Button size="compact-md" variant="default" leftSection={<IconFolderSymlink size={16} aria-hidden />} onClick={() => onAsk({ what: 'move', items: [file] })}>{t.move}</Button>
              <Button size="compact-md" variant="default" c="var(--nz-failed)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onAsk({ what: 'delete', items: [file] })}>{t.delete}</Button>
            </Group>
          )}
          {file.subtitles.length > 0 && <Text size="sm" c="dimmed">{t.subtitles}: {file.subtitles.map(({ name, language }) => language ?? name).join(', ')}</Text>}
        </>
      )}
    </Pane>
  )
}
