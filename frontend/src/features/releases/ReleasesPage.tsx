import { Button, SegmentedControl, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '~/api/error'
import { useRights } from '~/api/session'
import { LinkButton } from '~/ui/LinkButton'
import { PageTitle } from '~/ui/PageTitle'
import { Empty } from '~/ui/state/Empty'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { useNow } from '~/ui/useNow'
import { releasesQuery, type Kind } from './calls'
import { ReleaseItem } from './ReleaseItem'
import classes from './Releases.module.css'
import { text } from './text'

const kinds: readonly Kind[] = ['any', 'movie', 'series']

/** What is there to watch, and does it play? */
export default function ReleasesPage() {
  const t = useText(text)
  const manage = useRights()('manage')
  const now = useNow(60_000)
  const { q = '', kind: wanted }: Partial<Record<string, string>> = useSearch({ strict: false })
  const kind = kinds.find((each) => each === wanted) ?? 'any'
  const navigate = useNavigate({ from: '/releases' })
  const [typed, setTyped] = useState(q)
  const [of, setOf] = useState(q)
  // The address has other words now, as after going back.
  if (of !== q) {
    setOf(q)
    setTyped(q)
  }
  const { data, error, isFetching, refetch } = useQuery(releasesQuery(q, kind))
  const go = (words: string, next: Kind) => {
    if (words.trim() === q && next === kind) void refetch()
    else void navigate({ search: { q: words.trim() || undefined, kind: next === 'any' ? undefined : next }, resetScroll: false })
  }
  // Nothing is configured yet, which no repetition mends.
  const refused = error instanceof ApiError && error.status === 422
  return (
    <>
      <PageTitle title={t.title} />
      <Text c="dimmed" size="sm">{t.intro}</Text>
      <form className={classes.form} role="search" onSubmit={(event) => { event.preventDefault(); go(typed, kind) }}>
        <TextInput flex="1 1 260px" maw={560} type="search" maxLength={200} aria-label={t.words} placeholder={t.words} leftSection={<IconSearch size={16} aria-hidden />} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
        <SegmentedControl aria-label={t.kind} data={kinds.map((value) => ({ value, label: t.kinds[value] }))} value={kind} onChange={(value) => go(q, value)} />
        <Button type="submit" loading={isFetching} disabled={typed.trim() === ''}>{t.search}</Button>
      </form>
      {error !== null && (refused
        ? <Empty title={error.message}>{manage && <LinkButton to="/settings" search={{ group: 'arrs' }} variant="default">{t.settings}</LinkButton>}</Empty>
        : <ErrorNote error={error} retry={() => void refetch()} />)}
      {q !== '' && data === undefined && error === null && <Loading rows={5} height={56} />}
      {data !== undefined && (
        <section aria-label={t.list}>
          {data.faults.map((fault) => <Text key={fault.indexer} size="sm" c="var(--nz-failed)" lang="en" mb={4} style={{ overflowWrap: 'anywhere' }}>{fault.error}</Text>)}
          {data.releases.length === 0
            ? <Empty title={t.nothing}><Text c="dimmed">{t.nothingHint}</Text></Empty>
            : (
              <>
                <Text size="sm" c="dimmed" mb={6} role="status">{t.found(data.releases.length, data.indexers)}</Text>
                <ul className={classes.list}>{data.releases.map((release) => <ReleaseItem key={release.id} release={release} now={now} />)}</ul>
              </>
            )}
        </section>
      )}
    </>
  )
}
