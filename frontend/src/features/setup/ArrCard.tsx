import { Alert, Button, Checkbox, Group, Loader, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, take } from '~/api/client'
import { useText } from '~/ui/text/catalogue'
import classes from './Setup.module.css'
import { text } from './text'
import { progressQuery } from './useSetup'

const Kinds = ['posts', 'torrents'] as const
type Kind = (typeof Kinds)[number]

/** How the registration for one kind ended. */
type Ending = { kind: Kind; created?: boolean; warnings?: readonly string[]; error?: string }

type Arr = { number: number; name: string; url: string; category: string }

/** One *arr: tested when it is shown, and registered with on demand. `torrents`: this server takes them. */
export function ArrCard({ arr, torrents }: { arr: Arr; torrents: boolean }) {
  const t = useText(text).arrs
  const path = { params: { path: { number: arr.number } } }
  const test = useQuery({ queryKey: ['arrs', 'test', arr.number, arr.url], queryFn: () => take(api.POST('/api/v1/arrs/{number}/test', path)), retry: false })
  const [host, setHost] = useState(location.hostname)
  const [port, setPort] = useState<string | number>(location.port === '' ? (location.protocol === 'https:' ? 443 : 80) : Number(location.port))
  const [chosen, setChosen] = useState<Partial<Record<Kind, boolean>>>({})
  const kinds = { posts: true, torrents, ...chosen }
  const client = useQueryClient()
  // Whether the step is done depends on how the test went.
  useEffect(() => { void client.invalidateQueries({ queryKey: progressQuery.queryKey }) }, [client, test.data, test.error])
  const register = useMutation({
    mutationFn: async () => {
      const ends: Ending[] = []
      for (const kind of Kinds) {
        if (!kinds[kind]) continue
        const body = { host, port: Number(port), useSsl: location.protocol === 'https:', localPath: null, torrents: kind === 'torrents' }
        // One that is refused says so; the other is registered all the same.
        ends.push(await take(api.POST('/api/v1/arrs/{number}/register', { ...path, body })).then((done) => ({ kind, ...done }), (error: unknown) => ({ kind, error: (error as Error).message })))
      }
      return ends
    },
  })
  const ends = register.data ?? []
  const warnings = [...new Set(ends.flatMap((one) => one.warnings ?? []))]
  return (
    <Stack gap="xs" p="sm" className="surface">
      <Group justify="space-between">
        <Text fw={600}>{arr.name}</Text>
        <Text size="sm" c="dimmed" className="mono">{arr.url}</Text>
      </Group>
      <div role="status">
        {test.isPending && <Loader size="sm" />}
        {test.data?.ok === true && <Text className={classes.good}>{t.works(test.data.version ?? '?')}</Text>}
        {test.data?.ok === false && <Text className={classes.bad}>{test.data.error}</Text>}
        {test.error !== null && <Text className={classes.bad}>{test.error.message}</Text>}
      </div>
      {test.data?.ok === true ? (
        <>
          <Text size="sm">{t.from}</Text>
          <Group align="end" gap="xs">
            <TextInput label={t.host} value={host} onChange={(event) => setHost(event.currentTarget.value)} flex={1} />
            <NumberInput label={t.port} value={port} onChange={setPort} min={1} max={65535} w={100} />
          </Group>
          <Group justify="space-between">
            <Group gap="md">
              <Checkbox label={t.posts} checked={kinds.posts} onChange={(event) => setChosen({ ...chosen, posts: event.currentTarget.checked })} />
              <Checkbox label={t.torrents} checked={kinds.torrents} disabled={!torrents} onChange={(event) => setChosen({ ...chosen, torrents: event.currentTarget.checked })} />
            </Group>
            <Button loading={register.isPending} disabled={!kinds.posts && !kinds.torrents} onClick={() => register.mutate()}>{t.register}</Button>
          </Group>
          <div role="status">
            {ends.map(({ kind, created, error }) => error === undefined && <Text key={kind} className={classes.good}>{t[kind]}: {created === true ? t.registered : t.updated}</Text>)}
            {warnings.map((warning) => <Text key={warning} size="sm" lang="en">{warning}</Text>)}
          </div>
          <div role="alert">{ends.map(({ kind, error }) => error !== undefined && <Alert key={kind} color="red" variant="light">{t[kind]}: {error}</Alert>)}</div>
        </>
      ) : !test.isPending && <Button variant="default" size="compact-sm" onClick={() => void test.refetch()}>{t.test}</Button>}
    </Stack>
  )
}
