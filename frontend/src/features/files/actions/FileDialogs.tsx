import { useQueryClient } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import { keys } from '~/api/live'
import type { FileItem } from '~/api/types'
import { DeleteDialog } from './DeleteDialog'
import { MoveDialog } from './MoveDialog'
import { RenameDialog } from './RenameDialog'

/** What is to be done, and with what; asked before it is done. */
export type Asked = { what: 'delete' | 'rename' | 'move'; items: FileItem[] }

/** What has been done: which items are no more, and where the first of the others is now. */
export type Done = { items: FileItem[]; gone: string[]; path: string | null }

type Props = { asked: Asked | null; onClose: () => void; onDone: (done: Done) => void; onGone: (gone: string[]) => void }

/** The question that stands before a change. */
export function FileDialogs({ asked, onClose, onDone, onGone }: Props) {
  const client = useQueryClient()
  if (asked === null || asked.items.length === 0) return null
  const done = (message: string, gone: string[], path: string | null) => {
    notifications.show({ message, autoClose: 4000 })
    onDone({ items: asked.items, gone, path })
    // The live stream tells so, too; this does not wait for it.
    void client.invalidateQueries({ queryKey: keys.files })
  }
  const there = (message: string, path: string) => done(message, [], path)
  const first = asked.items[0]
  switch (asked.what) {
    case 'delete': return <DeleteDialog items={asked.items} onClose={onClose} onDone={(message, gone) => done(message, gone, null)} onGone={onGone} />
    case 'move': return <MoveDialog items={asked.items} onClose={onClose} onDone={there} />
    case 'rename': return first === undefined ? null : <RenameDialog item={first} onClose={onClose} onDone={there} />
  }
}
