import { notifications } from '@mantine/notifications'
import { useCallback } from 'react'
import { ApiError } from '~/api/error'
import { settingsQuery, useSaveSettings } from '~/api/settings'
import { useQueryClient } from '@tanstack/react-query'
import type { DraftState } from '~/ui/setting/useDraft'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

/** Saves the draft; what is typed meanwhile stays in it. `save` gives true when all of it holds; else the faults stand in the draft, or `error` says why. */
export function useSave(state: DraftState) {
  const t = useText(text)
  const client = useQueryClient()
  const { mutateAsync, isPending, error } = useSaveSettings()
  const { draft, send, settle, setFaults } = state
  const save = useCallback(async () => {
    if (Object.keys(draft).length === 0) return true
    const restart = client.getQueryData(settingsQuery.queryKey)?.settings.some((setting) => setting.needsRestart && draft[setting.path] !== undefined) ?? false
    send()
    try {
      await mutateAsync(draft)
    } catch (reason) {
      settle(false)
      setFaults(reason instanceof ApiError ? reason.faults : [])
      return false
    }
    settle(true)
    notifications.show({ message: restart ? t.savedRestart : t.saved })
    return true
  }, [client, draft, send, settle, setFaults, mutateAsync, t])
  return { save, busy: isPending, error }
}
