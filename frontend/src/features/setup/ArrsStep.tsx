import { Alert, Button, NativeSelect, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '~/api/client'
import { useSettings } from '~/api/settings'
import { useText } from '~/ui/text/catalogue'
import { ArrCard } from './ArrCard'
import classes from './Setup.module.css'
import { text } from './text'
import { faultOf, otherFault, useSaveSettings } from './useSetup'

const Ports: Record<string, number> = { Sonarr: 8989, Radarr: 7878, Lidarr: 8686 }

/** An address without what makes no difference. */
const bare = (url: string) => url.trim().replace(/\/+$/, '').toLowerCase()

/** The programs that search: told of, tested and registered with by a click each. */
export function ArrsStep({ next }: { next: () => void }) {
  const t = useText(text).arrs
  const all = useText(text)
  const known = useQuery({ queryKey: ['arrs'], queryFn: () => take(api.GET('/api/v1/arrs')) }).data?.arrs ?? []
  const settings = useSettings().data?.settings
  const enabled = settings?.find((setting) => setting.path === 'Torrents:Enabled')
  const torrents = enabled !== undefined && (enabled.value ?? enabled.default)?.toLowerCase() !== 'false'
  const save = useSaveSettings()
  const form = useForm({ initialValues: { application: 'Sonarr', url: '', key: '' } })
  const free = known.reduce((least, one) => Math.max(least, one.number + 1), 0)
  // The same address again corrects what stands there, such as a wrong key.
  const place = (url: string) => known.find((one) => bare(one.url) === bare(url))?.number ?? free
  const error = otherFault(save.error, ['Url', 'ApiKey'])
  const add = form.onSubmit(({ application, url, key }) => {
    const path = `Arrs:${place(url)}`
    save.mutate({ [`${path}:Application`]: application, [`${path}:Url`]: url.trim(), [`${path}:ApiKey`]: key.trim() }, { onSuccess: () => form.reset() })
  })
  return (
    <Stack gap="md">
      <Text>{t.lead}</Text>
      {known.map((arr) => <ArrCard key={`${arr.number} ${arr.url}`} arr={arr} torrents={torrents} />)}
      <form onSubmit={add}>
        <Stack gap="sm">
          <NativeSelect label={t.application} data={Object.keys(Ports)} {...form.getInputProps('application')} />
          <TextInput label={t.url} description={t.urlHint} placeholder={`http://${form.values.application.toLowerCase()}:${Ports[form.values.application] ?? 80}`} required withAsterisk={false} autoCapitalize="none" spellCheck={false} {...form.getInputProps('url')} error={faultOf(save.error, 'Url')} />
          <PasswordInput label={t.key} description={t.keyHint} autoComplete="off" required withAsterisk={false} {...form.getInputProps('key')} error={faultOf(save.error, 'ApiKey')} />
          <div role="alert">{error !== null && <Alert color="red" variant="light">{error}</Alert>}</div>
          <Button type="submit" variant="default" loading={save.isPending}>{t.add}</Button>
        </Stack>
      </form>
      <div className={classes.buttons}><Button onClick={next}>{known.length === 0 ? all.skip : all.next}</Button></div>
    </Stack>
  )
}
