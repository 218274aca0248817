import { Alert, Button, Group, Loader, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, take } from '~/api/client'
import { useText } from '~/ui/text/catalogue'
import classes from './Setup.module.css'
import { text } from './text'

type Arr = { number: number; name: string; url: string; category: string }

/** One *arr: tested when it is shown, and registered with on demand. */
export function ArrCard({ arr }: { arr: Arr }) {
  const t = useText(text).arrs
  const path = { params: { path: { number: arr.number } } }
  const test = useQuery({ queryKey: ['arrs', 'test', arr.number, arr.url], queryFn: () => take(api.POST('/api/v1/arrs/{number}/test', path)), retry: false })
  const [host, setHost] = useState(location.hostname)
  const [port, setPort] = useState<string | number>(location.port === '' ? (location.protocol === 'https:' ? 443 : 80) : Number(location.port))
  const register = useMutation({
    mutationFn: () => take(api.POST('/api/v1/arrs/{number}/register', { ...path, body: { host, port: Number(port), useSsl: location.protocol === 'https:', localPath: null, torrents: false } })),
  })
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
            <Button loading={register.isPending} onClick={() => register.mutate()}>{t.register}</Button>
          </Group>
          <div role="status">
            {register.data !== undefined && <Text className={classes.good}>{register.data.created ? t.registered : t.updated}</Text>}
            {register.data?.warnings.map((warning) => <Text key={warning} size="sm">{warning}</Text>)}
          </div>
          <div role="alert">{register.error !== null && <Alert color="red" variant="light">{register.error.message}</Alert>}</div>
        </>
      ) : !test.isPending && <Button variant="default" size="compact-sm" onClick={() => void test.refetch()}>{t.test}</Button>}
    </Stack>
  )
}
