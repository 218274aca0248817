import { Button, CloseButton, Group, Stack, Text, Title } from '@mantine/core'
import { IconCursorText, IconFolderSymlink, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { fileDetails } from '~/api/files'
import { useRights } from '~/api/session'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
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
  const { data: file, error, refetch } = useQuery(fileDetails(id))
  const opener = useRef(document.activeElement)
  useEffect(() => {
    const back = opener.current
    return () => {
      // Not when another row was chosen meanwhile: the focus is there.
      if (document.activeElement === document.body && back instanceof HTMLElement && back.isConnected) back.focus()
    }
  }, [])
  return (
    <Stack gap="md" onKeyDown={(event) => { if (event.key === 'Escape') onClose() }}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} style={{ overflowWrap: 'anywhere' }}>{file?.name ?? ''}</Title>
        <CloseButton aria-label={t.close} onClick={onClose} />
      </Group>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {file === undefined && error === null && <Loading rows={6} />}
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
    </Stack>
  )
}
