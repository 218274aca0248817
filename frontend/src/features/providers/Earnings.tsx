import { Group, Table, Text, Title } from '@mantine/core'
import type { CSSProperties } from 'react'
import type { Provider } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { colourOf } from './colour'
import { byteShare, foundShare } from './figures'
import classes from './Providers.module.css'
import { text } from './text'
import { useShare } from './useShare'

const line = (number: number) => ({ '--line': colourOf(number) }) as CSSProperties

/** What each provider has delivered, beside the others. */
export function Earnings({ providers }: { providers: readonly Provider[] }) {
  const t = useText(text)
  const format = useFormat()
  const share = useShare()
  const any = providers.some((provider) => provider.bytes > 0)
  return (
    <section aria-labelledby="earns">
      <Title order={2} mt="lg" id="earns">{t.earns}</Title>
      <Text size="sm" c="dimmed" mb="xs">{t.earnsHint}</Text>
      {any
        ? <div className={classes.shares} aria-hidden>{providers.filter((provider) => provider.bytes > 0).map((provider) => <span key={provider.number} style={{ ...line(provider.number), flexGrow: provider.bytes }} />)}</div>
        : <Text size="sm">{t.nothingYet}</Text>}
      <Table.ScrollContainer minWidth={720} type="native" tabIndex={0} role="region" aria-labelledby="earns">
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.provider}</Table.Th>
              {[t.bytes, t.share, t.found, t.foundShare, t.missingCount, t.corrupt, t.timedOut, t.failed].map((title) => <Table.Th key={title} className={classes.number}>{title}</Table.Th>)}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {providers.map((provider) => (
              <Table.Tr key={provider.number}>
                <Table.Td><Group gap={8} wrap="nowrap"><span className={classes.dot} style={line(provider.number)} aria-hidden />{provider.name}</Group></Table.Td>
                <Table.Td className={classes.number}>{format.size(provider.bytes)}</Table.Td>
                <Table.Td className={classes.number}>{share(byteShare(provider, providers))}</Table.Td>
                <Table.Td className={classes.number}>{format.number(provider.found)}</Table.Td>
                <Table.Td className={classes.number}>{share(foundShare(provider))}</Table.Td>
                <Table.Td className={classes.number}>{format.number(provider.missing)}</Table.Td>
                <Table.Td className={classes.number}>{format.number(provider.corrupt)}</Table.Td>
                <Table.Td className={classes.number}>{format.number(provider.timedOut)}</Table.Td>
                <Table.Td className={classes.number}>{format.number(provider.failed - provider.timedOut)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}
