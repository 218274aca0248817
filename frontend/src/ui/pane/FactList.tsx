import type { ReactNode } from 'react'
import classes from './pane.module.css'

/** Names and what stands behind them. What is null or false is left out. */
export function FactList({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.filter(([, value]) => value !== null && value !== false).map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
    </dl>
  )
}
