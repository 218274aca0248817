import { useCallback, useMemo, useState } from 'react'
import { changed, changesOf, forgotten, pruned, settled, type Change, type Draft } from './draft'
import type { SettingFault, SettingInfo } from './setting'

export type DraftState = {
  draft: Draft
  changes: Change[]
  faults: readonly SettingFault[]
  set: (setting: SettingInfo, value: string | null) => void
  forget: (path: string) => void
  replace: (change: (draft: Draft) => Draft) => void
  discard: () => void
  /** Gives up what stood in this draft when it was drawn, because it is saved. */
  settle: () => void
  setFaults: (faults: readonly SettingFault[]) => void
}

const None: readonly SettingFault[] = []

/** Changes of settings that are not saved yet. A change of a setting takes its fault away; what others save meanwhile leaves the draft. */
export function useDraft(settings: readonly SettingInfo[], initial: Draft = {}): DraftState {
  const [raw, setDraft] = useState<Draft>(initial)
  const [faults, setFaults] = useState<readonly SettingFault[]>(None)
  const draft = useMemo(() => pruned(raw, settings), [raw, settings])
  const changes = useMemo(() => changesOf(draft, settings), [draft, settings])
  const mend = useCallback((path: string) => setFaults((all) => all.filter((fault) => fault.path.toLowerCase() !== path.toLowerCase())), [])
  return {
    draft, changes, faults, setFaults,
    set: useCallback((setting, value) => {
      setDraft((now) => changed(now, setting, value))
      mend(setting.path)
    }, [mend]),
    forget: useCallback((path) => {
      setDraft((now) => forgotten(now, path))
      mend(path)
    }, [mend]),
    replace: useCallback((change) => setDraft(change), []),
    discard: useCallback(() => {
      setDraft({})
      setFaults(None)
    }, []),
    settle: useCallback(() => {
      setDraft((now) => settled(now, raw))
      setFaults(None)
    }, [raw]),
  }
}
