import { notifications } from '@mantine/notifications'
import { useCallback } from 'react'
import { flushSync } from 'react-dom'
import { root } from '~/api/address'
import { ApiError } from '~/api/error'
import { settingsQuery, useSaveSettings } from '~/api/settings'
import type { SettingsAnswer } from '~/api/types'
import { useQueryClient } from '@tanstack/react-query'
import type { DraftState } from '~/ui/setting/useDraft'
import { useText } from '~/ui/text/catalogue'
import { moved } from './moved'
import { text } from './text'

const UrlBase = 'UrlBase'

const valueIn = (answer: SettingsAnswer | undefined, path: string) => answer?.settings.find((setting) => setting.path === path)?.value

/** Saves the draft; what is typed meanwhile stays in it. `save` gives true when all of it holds; else the faults stand in the draft, or `error` says why. */
export function useSave(state: DraftState) {
  const t = useText(text)
  const client = useQueryClient()
  const { mutateAsync, isPending, error } = useSaveSettings()
  const { draft, send, settle, setFaults } = state
  const save = useCallback(async () => {
    if (Object.keys(draft).length === 0) return true
    const restart = client.getQueryData(settingsQuery.queryKey)?.settings.some((setting) => setting.needsRestart && draft[setting.path] !== undefined) ?? false
    const before = client.getQueryData(settingsQuery.queryKey)
    send()
    let answer
    try {
      answer = await mutateAsync(draft)
    } catch (reason) {
      settle(false)
      setFaults(reason instanceof ApiError ? reason.faults : [])
      return false
    }
    // Drawn at once: with changes that are still shown as unsaved, the browser would ask whether to leave.
    flushSync(() => settle(true))
    if (draft[UrlBase] !== undefined) {
      // After whoever saved in order to go elsewhere has gone there.
      setTimeout(() => {
        const place = moved(new URL(location.href), root, valueIn(before, UrlBase), valueIn(answer, UrlBase))
        if (place !== null) location.replace(place)
      })
    }
    notifications.show({ message: restart ? t.savedRestart : t.saved })
    return true
  }, [client, draft, send, settle, setFaults, mutateAsync, t])
  return { save, busy: isPending, error }
}
