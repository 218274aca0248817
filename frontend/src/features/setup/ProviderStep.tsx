import { Alert, Button, Group, NumberInput, PasswordInput, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, take } from '~/api/client'
import { keys } from '~/api/live'
import type { ProviderTest } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import { ProviderVerdictList } from './ProviderVerdictList'
import classes from './Setup.module.css'
import { text } from './text'
import { faultOf, otherFault, useSaveSettings } from './useSetup'

const Fields = ['Host', 'Port', 'Username', 'Password', 'MaxConnections']

/** One Usenet account, tested as it stands here before anything is saved. */
export function ProviderStep({ next }: { next: () => void }) {
  const t = useText(text).provider
  const all = useText(text)
  const known = useQuery({ queryKey: keys.providers, queryFn: () => take(api.GET('/api/v1/providers')) }).data?.providers ?? []
  const form = useForm({ initialValues: { host: '', port: 563, tls: true, username: '', password: '', connections: 20 } })
  const { host, port, tls, username, password, connections } = form.values
  const asked: ProviderTest = {
    number: null, host: host.trim(), port, useTls: tls, verifyCertificate: true, username: username === '' ? null : username, password: password === '' ? null : password, proxy: null, maxConnections: connections,
  }
  // What was tested, to know whether it is still what stands in the fields.
  const test = useMutation({ mutationFn: (body: ProviderTest) => take(api.POST('/api/v1/providers/test', { body })) })
  const isTested = test.data !== undefined && JSON.stringify(test.variables) === JSON.stringify(asked)
  const isGood = isTested && test.data.ok
  const save = useSaveSettings()
  const number = known.reduce((free, one) => Math.max(free, one.number + 1), 0)
  const take_ = () => save.mutate(
    {
      [`Usenet:Providers:${number}:Host`]: asked.host, [`Usenet:Providers:${number}:Port`]: port, [`Usenet:Providers:${number}:UseTls`]: tls,
      [`Usenet:Providers:${number}:Username`]: asked.username, [`Usenet:Providers:${number}:Password`]: asked.password, [`Usenet:Providers:${number}:MaxConnections`]: connections,
    },
    { onSuccess: next },
  )
  const error = otherFault(save.error ?? test.error, Fields)
  const fault = (name: string) => faultOf(save.error ?? test.error, name)
  return (
    <form onSubmit={form.onSubmit(() => (isGood ? take_() : test.mutate(asked)))}>
      <Stack gap="sm">
        <Text>{t.lead}</Text>
        {known.length > 0 && <Text c="dimmed">{t.there(known.map((one) => one.name).join(', '))}</Text>}
        <TextInput label={t.host} description={t.hostHint} placeholder="news.example.com" required withAsterisk={false} autoCapitalize="none" spellCheck={false} {...form.getInputProps('host')} error={fault('Host')} />
        <Group align="end" gap="md">
          <NumberInput label={t.port} min={1} max={65535} allowDecimal={false} w={120} required withAsterisk={false} {...form.getInputProps('port')} error={fault('Port')} />
          <Switch label={t.tls} checked={tls} mb={6} onChange={(event) => {
            const on = event.currentTarget.checked
            form.setValues({ tls: on, ...(port === (on ? 119 : 563) ? { port: on ? 563 : 119 } : {}) })
          }} />
        </Group>
        <TextInput label={t.username} autoComplete="off" autoCapitalize="none" spellCheck={false} {...form.getInputProps('username')} error={fault('Username')} />
        <PasswordInput label={t.password} autoComplete="off" {...form.getInputProps('password')} error={fault('Password')} />
        <NumberInput label={t.connections} description={t.connectionsHint} min={1} max={500} allowDecimal={false} w={160} {...form.getInputProps('connections')} error={fault('MaxConnections')} />
        <div role="status">
          {test.isPending && <Text c="dimmed">{t.testing}</Text>}
          {isTested && <ProviderVerdictList verdict={test.data} />}
        </div>
        <div role="alert">{error !== null && <Alert color="red" variant="light">{error}</Alert>}</div>
      </Stack>
      <div className={classes.buttons}>
        <Button variant="subtle" onClick={next}>{all.skip}</Button>
        {isTested && !isGood && <Button variant="default" onClick={take_} loading={save.isPending}>{t.saveAnyway}</Button>}
        {isGood ? <Button type="submit" loading={save.isPending}>{all.save}</Button> : <Button type="submit" loading={test.isPending} disabled={host === ''}>{t.test}</Button>}
      </div>
    </form>
  )
}
