import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type KeyboardEvent } from 'react'
import { filePage } from '~/api/files'
import { jobsFound, providersQuery } from '~/api/queries'
import { useRights } from '~/api/session'
import { useSettings } from '~/api/settings'
import { torrentList } from '~/api/torrents'
import { Dialog } from '~/ui/Dialog'
import { useText } from '~/ui/text/catalogue'
import { pages } from '../nav'
import { text } from '../text'
import { found, type Found } from './found'
import classes from './palette.module.css'
import { useActions } from './useActions'

/** Goes anywhere by a few letters, and does what has no page: pages, actions, files, jobs, torrents, providers, settings. */
export default function Palette({ onClose, onKeys }: { onClose: () => void; onKeys: () => void }) {
  const t = useText(text)
  const may = useRights()
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const [asked] = useDebouncedValue(query.trim(), 150)
  const settings = useSettings(may('manage')).data
  const files = useQuery({ ...filePage({ path: '', query: asked, sort: 'name', descending: false }, 0, 6), enabled: asked.length > 1, placeholderData: keepPreviousData }).data
  const jobs = useQuery({ ...jobsFound(asked), enabled: asked.length > 1, placeholderData: keepPreviousData }).data
  const torrents = useQuery(torrentList).data
  const providers = useQuery(providersQuery).data
  const actions = useActions(onKeys)
  const results = found(query, {
    actions, jobs: query.trim().length > 1 ? jobs?.items ?? [] : [], torrents: torrents?.torrents ?? [], providers: providers?.providers ?? [],
    pages: pages.filter((page) => may(page.right)).map((page) => ({ to: page.to, label: t.pages[page.name] })),
    settings: settings?.settings ?? [],
    files: query.trim().length > 1 ? files?.items ?? [] : [],
  })
  const chosen = Math.min(at, results.length - 1)
  const go = (result: Found) => {
    onClose()
    if (result.run === undefined) void navigate({ to: result.to, search: result.search })
    else result.run()
  }
  const key = (event: KeyboardEvent) => {
    const result = results[chosen]
    if (event.key === 'ArrowDown') setAt(Math.min(results.length - 1, chosen + 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(0, chosen - 1))
    else if (event.key === 'Enter' && result !== undefined) go(result)
    else return
    event.preventDefault()
  }
  return (
    <Dialog opened onClose={onClose} withCloseButton={false} attributes={{ content: { 'aria-label': t.search } }} yOffset="12vh" padding={8}>
      <TextInput role="combobox" aria-expanded aria-controls="palette" aria-activedescendant={results.length > 0 ? `palette-${chosen}` : undefined} aria-label={t.search} placeholder={t.searchHint} data-autofocus
        value={query} leftSection={<IconSearch size={16} aria-hidden />} onChange={(event) => { setQuery(event.currentTarget.value); setAt(0) }} onKeyDown={key} />
      <div id="palette" role="listbox" aria-label={t.search} className={classes.list}>
        {results.map((result, index) => (
          <div key={`${result.group} ${result.id}`}>
            {results[index - 1]?.group !== result.group && <div className={classes.group} role="presentation">{t.groups[result.group]}</div>}
            {/* The field has the focus and its keys; the pointer is for the others. */}
            {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */}
            <div id={`palette-${index}`} role="option" aria-selected={index === chosen} className={classes.option} onClick={() => go(result)}>
              <span className={classes.label}>{result.label}</span>
              {result.hint !== null && <span className={classes.hint}>{result.hint}</span>}
            </div>
          </div>
        ))}
      </div>
      {results.length === 0 && <p className={classes.none} role="status">{t.noResults}</p>}
    </Dialog>
  )
}
