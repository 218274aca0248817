import { Button, Group, NavLink, ScrollArea, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconFolder, IconFolderUp } from '@tabler/icons-react'
import { useState } from 'react'
import { filePage, moveFiles } from '~/api/files'
import type { FileItem } from '~/api/types'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import { Top } from '../useFilesState'

type Props = { items: FileItem[]; onClose: () => void; onDone: (message: string, path: string) => void }

/** Asks for the folder to move to, beginning where the files are. */
export function MoveDialog({ items, onClose, onDone }: Props) {
  const t = useText(text)
  const [path, setPath] = useState(() => items[0]?.path.replace(/\/[^/]*$/, '') ?? Top)
  // Collections come first: those of a page are all but for folders with more than 500 of them.
  const list = useQuery(filePage({ path, query: '', sort: 'name', descending: false }, 0, 500))
  const moving = new Set(items.map(({ id }) => id))
  const folders = list.data?.items.filter((item) => item.kind === 'collection' && !moving.has(item.id)) ?? []
  const parent = list.data?.parent
  const same = parent != null && items.every(({ parentId }) => parentId === parent.id)
  const call = useMutation({
    mutationFn: async (to: string) => moveFiles([...moving], to),
    onSuccess: ({ done, refused }) => {
      if (refused.length === 0) onDone(t.moved(done), `${path}/${items[0]?.name ?? ''}`)
    },
  })
  const refused = call.data?.refused ?? []
  return (
    <Dialog opened onClose={onClose} title={t.moveTitle(items.length, items[0]?.name ?? '')} closeButtonProps={{ 'aria-label': t.cancel }}>
      <Stack>
        <Text className="mono" style={{ overflowWrap: 'anywhere' }}>{path}</Text>
        <ScrollArea.Autosize mah={320} aria-label={t.folders}>
          {path !== Top && <NavLink component="button" label=".." leftSection={<IconFolderUp size={18} aria-hidden />} onClick={() => setPath(path.replace(/\/[^/]*$/, ''))} />}
          {list.isPending && <Loading rows={4} />}
          {folders.map((folder) => <NavLink key={folder.id} component="button" label={folder.name} leftSection={<IconFolder size={18} aria-hidden />} onClick={() => setPath(folder.path)} />)}
          {list.isSuccess && folders.length === 0 && <Text c="dimmed" p="xs">{t.noFolders}</Text>}
        </ScrollArea.Autosize>
        {list.error !== null && <ErrorNote error={list.error} />}
        {call.error !== null && <ErrorNote error={call.error} />}
        {refused.length > 0 && <ErrorNote error={new Error(t.notDone([...new Set(refused.map(({ reason }) => reason))].join(' ')))} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>{t.cancel}</Button>
          <Button disabled={parent == null || same} loading={call.isPending} onClick={() => parent != null && call.mutate(parent.id)}>{t.moveHere(parent?.name ?? '')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
