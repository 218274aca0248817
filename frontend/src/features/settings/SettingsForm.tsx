import { Button } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { SettingsAnswer } from '~/api/types'
import { Faults } from '~/ui/setting/Faults'
import { strayFaults } from '~/ui/setting/draft'
import { useDraft } from '~/ui/setting/useDraft'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { GroupSection } from './GroupSection'
import { Basics, basicsOf, changesByGroup, groupsOf, isNumbered, searched } from './groups'
import { LeaveGuard } from './LeaveGuard'
import { Notes } from './Notes'
import { SaveBar } from './SaveBar'
import classes from './Settings.module.css'
import { text } from './text'
import { useSave } from './useSave'

/** All settings with one draft: search, groups, what is not saved yet. */
export function SettingsForm({ answer }: { answer: SettingsAnswer }) {
  const t = useText(text)
  const { group: wanted, q = '' }: Partial<Record<string, string>> = useSearch({ strict: false })
  const navigate = useNavigate({ from: '/settings' })
  const [typed, setTyped] = useState(q)
  const state = useDraft(answer.settings)
  const { save, busy, error } = useSave(state)
  const groups = useMemo(() => groupsOf(answer, t.other), [answer, t])
  const counts = changesByGroup(state.draft, groups)
  const search = useDebouncedCallback((query: string) => void navigate({ search: { q: query || undefined, group: query === '' ? wanted : undefined }, replace: true, resetScroll: false }), 150)
  const current = groups.find((group) => group.id === wanted)
  const isFirst = q === '' && current === undefined
  const shown = q !== '' ? searched(groups, q) : current === undefined ? basicsOf(groups) : [current]
  // Those of numbered things are told at the top as well: their form may be on another page.
  const stray = strayFaults(state.faults, shown.flatMap((group) => group.settings))
  return (
    <>
      <SaveBar query={typed} onQuery={(query) => { setTyped(query); search(query) }} state={state} busy={busy} onSave={() => void save()} />
      <Faults faults={stray} count={state.faults.length} />
      {error !== null && state.faults.length === 0 && <ErrorNote error={error} />}
      <Notes answer={answer} />
      <div className={classes.body} data-page={wanted !== undefined || q !== '' || undefined}>
        <nav className={classes.groups} aria-label={t.groups}>
          {[{ id: Basics, title: t.basics }, ...groups].map((group) => (
            <Link key={group.id} to="/settings" search={{ group: group.id }} resetScroll={false} className={classes.group} aria-current={q === '' && group.id === (current?.id ?? Basics) ? 'page' : undefined} onClick={() => setTyped('')}>
              {group.title}
              {(counts.get(group.id) ?? 0) > 0 && <span aria-label={t.unsaved(counts.get(group.id) ?? 0)}>{counts.get(group.id)}</span>}
            </Link>
          ))}
        </nav>
        <div className={classes.content}>
          <Button className={classes.back} variant="subtle" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={() => { setTyped(''); void navigate({ search: {} }) }}>{t.all}</Button>
          {q !== '' && <p role="status">{shown.length === 0 ? t.nothing(q) : t.found(shown.reduce((sum, group) => sum + group.settings.length, 0))}</p>}
          {shown.map((group) => <GroupSection key={group.id} group={group} answer={answer} numbered={answer.settings.filter((setting) => isNumbered(setting.path))} state={state} all={q !== ''} isExcerpt={isFirst} />)}
        </div>
      </div>
      <LeaveGuard changes={state.changes} save={save} discard={state.discard} />
    </>
  )
}
