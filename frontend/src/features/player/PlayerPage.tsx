/** To be built. */
export default function PlayerPage() {
  return null
}
