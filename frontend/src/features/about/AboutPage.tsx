/** To be built. */
export default function AboutPage() {
  return null
}
