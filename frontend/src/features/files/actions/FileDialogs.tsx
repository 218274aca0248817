import { useQueryClient } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import { keys } from '~/api/live'
import type { FileItem } from '~/api/types'
import { DeleteDialog } from './DeleteDialog'
import { MoveDialog } from './MoveDialog'
import { RenameDialog } from './RenameDialog'

/** What is to be done, and with what; asked before it is done. */
export type Asked = { what: 'delete' | 'rename' | 'move'; items: FileItem[] }

type Props = { asked: Asked | null; onClose: () => void; onDone: (gone: string[]) => void }

/** The question that stands before a change. */
export function FileDialogs({ asked, onClose, onDone }: Props) {
  const client = useQueryClient()
  if (asked === null || asked.items.length === 0) return null
  const done = (message: string, gone: string[] = []) => {
    notifications.show({ message, autoClose: 4000 })
    // The live stream tells so, too; this does not wait for it.
    void client.invalidateQueries({ queryKey: keys.files })
    onDone(gone)
  }
  const first = asked.items[0]
  switch (asked.what) {
    case 'delete': return <DeleteDialog items={asked.items} onClose={onClose} onDone={done} />
    case 'move': return <MoveDialog items={asked.items} onClose={onClose} onDone={done} />
    case 'rename': return first === undefined ? null : <RenameDialog item={first} onClose={onClose} onDone={done} />
  }
}
