using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>Results of the requests for articles to a provider, since it was set up.</summary>
/// <param name="Asked">Articles requested, whatever the result.</param>
/// <param name="Found">Intact and the expected part.</param>
/// <param name="Missing">The provider does not have them.</param>
/// <param name="Corrupt">Damaged, in an unsupported encoding, or another part than expected.</param>
/// <param name="Failed">Refused, or lost with their connection.</param>
public sealed record ProviderCounters(long Asked, long Found, long Missing, long Corrupt, long Failed)
{
    /// <summary>Of <see cref="Failed"/>, those on whose connection nothing came.</summary>
    public long TimedOut { get; init; }

    /// <summary>Counts while others count.</summary>
    internal sealed class Live
    {
        private readonly long[] _outcomes = new long[Enum.GetValues<AttemptOutcome>().Length];

        private long _timedOut;

        public void Add(AttemptOutcome outcome, bool timedOut)
        {
            Interlocked.Increment(ref _outcomes[(int)outcome]);
            if (timedOut && outcome == AttemptOutcome.Lost)
                Interlocked.Increment(ref _timedOut);
        }

        public ProviderCounters Read()
        {
            var found = this[AttemptOutcome.Found];
            var missing = this[AttemptOutcome.Missing];
            var corrupt = this[AttemptOutcome.Corrupt] + this[AttemptOutcome.Foreign] + this[AttemptOutcome.Mismatch];
            var failed = this[AttemptOutcome.Lost] + this[AttemptOutcome.Refused];
            return new ProviderCounters(found + missing + corrupt + failed + this[AttemptOutcome.Superseded], found, missing, corrupt, failed) { TimedOut = Interlocked.Read(ref _timedOut) };
        }

        private long this[AttemptOutcome outcome] => Interlocked.Read(ref _outcomes[(int)outcome]);
    }
}
