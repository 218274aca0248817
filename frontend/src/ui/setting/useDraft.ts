import { useCallback, useMemo, useRef, useState } from 'react'
import { changed, changesOf, forgotten, pruned, recalled, settled, stated, type Change, type Draft } from './draft'
import type { SettingFault, SettingInfo } from './setting'

export type DraftState = {
  draft: Draft
  changes: Change[]
  faults: readonly SettingFault[]
  set: (setting: SettingInfo, value: string | null) => void
  forget: (path: string) => void
  replace: (change: (draft: Draft) => Draft) => void
  discard: () => void
  /** The draft as it was drawn is on its way to the server: what is set until `settle` stays in the draft, even if nothing else is stored yet. */
  send: () => void
  /** The answer came: gives up what was sent, if it was saved. */
  settle: (saved: boolean) => void
  setFaults: (faults: readonly SettingFault[]) => void
}

const None: readonly SettingFault[] = []

/** Changes of settings that are not saved yet. A change of a setting takes its fault away; what others save meanwhile leaves the draft. */
export function useDraft(settings: readonly SettingInfo[], initial: Draft = {}): DraftState {
  const [raw, setDraft] = useState<Draft>(initial)
  const [faults, setFaults] = useState<readonly SettingFault[]>(None)
  // Saves that are on their way.
  const sending = useRef(0)
  const draft = useMemo(() => pruned(raw, settings), [raw, settings])
  const changes = useMemo(() => changesOf(draft, settings), [draft, settings])
  // A fault may be of several settings together: that of `WebDav` goes with a change of `WebDav:Password`.
  const mend = useCallback((path: string) => setFaults((all) => all.filter((fault) => !`${path}:`.toLowerCase().startsWith(`${fault.path}:`.toLowerCase()))), [])
  return {
    draft, changes, faults, setFaults,
    set: useCallback((setting, value) => {
      const take = sending.current > 0 ? stated : changed
      setDraft((now) => take(now, setting, value))
      mend(setting.path)
    }, [mend]),
    forget: useCallback((path) => {
      const isSent = sending.current > 0
      setDraft((now) => isSent ? recalled(now, path, settings) : forgotten(now, path))
      mend(path)
    }, [mend, settings]),
    replace: useCallback((change) => setDraft(change), []),
    discard: useCallback(() => {
      setDraft({})
      setFaults(None)
    }, []),
    send: useCallback(() => { sending.current += 1 }, []),
    settle: useCallback((saved) => {
      sending.current -= 1
      const isLast = sending.current === 0
      setDraft((now) => saved ? settled(now, raw, settings) : isLast ? pruned(now, settings) : now)
      if (saved) setFaults(None)
    }, [raw, settings]),
  }
}
