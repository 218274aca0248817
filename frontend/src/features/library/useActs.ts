import { notifications } from '@mantine/notifications'
import { useCallback } from 'react'
import { useText } from '~/ui/text/catalogue'
import { useLibrary } from './calls'
import { nameOf } from './rows'
import { text } from './text'
import { useUndo } from './useUndo'

/** What one may do with a file that no library has any more. A deletion can be taken back for eight seconds. */
export function useActs() {
  const t = useText(text)
  const library = useLibrary()
  const { undo, waiting } = useUndo()
  const keepNow = library.keep.mutate
  const removeNow = library.remove.mutate
  const failed = useCallback((error: Error) => notifications.show({ color: 'red', message: error.message, autoClose: false }), [])
  const keep = useCallback((path: string) => keepNow(path, { onSuccess: () => notifications.show({ message: t.kept(nameOf(path)) }), onError: failed }), [keepNow, failed, t])
  const remove = useCallback((path: string) => undo.later(path, () => removeNow(path, { onSuccess: () => notifications.show({ message: t.removed(nameOf(path)) }), onError: failed })), [undo, removeNow, failed, t])
  const back = useCallback((path: string) => undo.back(path), [undo])
  return { waiting, keep, remove, undo: back }
}
