import classes from './MiddleName.module.css'

/** Characters at the end that stay: the group and what kind of file it is. */
const Kept = 12

/** A long name on one line, cut in the middle where it has no room; whole in its tooltip. */
export function MiddleName({ name }: { name: string }) {
  return (
    <span className={classes.name} title={name}>
      <span className={classes.head}>{name.slice(0, -Kept)}</span>
      <span>{name.slice(-Kept)}</span>
    </span>
  )
}
