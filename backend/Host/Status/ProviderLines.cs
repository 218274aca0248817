using NzbDav.Api.Native.Providers;
using NzbDav.Usenet;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Providers;

namespace NzbDav.Host.Status;

/// <summary>
/// The rate of each provider over time. A line belongs to an account: it continues when the account's number or limits change, and is
/// dropped with the account. Not thread-safe.
/// </summary>
internal sealed class ProviderLines(UsenetClient usenet, IProviderNumbers numbers)
{
    private readonly List<Line> _lines = [];
    private IReadOnlyList<Provider> _providers = [];

    /// <summary>Bytes per second from all providers, over the last second.</summary>
    public double Rate { get; private set; }

    /// <summary>In the order of the accounts.</summary>
    public IEnumerable<SeriesLine> List()
    {
        var known = numbers.Now;
        return _lines.Select((line, index) => new SeriesLine(
            FormattableString.Invariant($"provider.{(index < known.Count ? known[index] : index)}"), line.Provider.Options.DisplayName,
            SeriesUnit.BytesPerSecond, line.Ring));
    }

    /// <summary>Adds the bytes of the last second. Allocates only when the accounts have changed.</summary>
    public void Add(long second, double passed)
    {
        var providers = usenet.Providers;
        if (!ReferenceEquals(providers, _providers))
            Follow(providers, second);
        Rate = 0;
        foreach (var line in _lines)
        {
            var bytes = line.Provider.Bytes;
            var rate = (bytes - line.Bytes) / passed;
            line.Bytes = bytes;
            line.Ring.Add(second, rate);
            Rate += rate;
        }
    }

    private void Follow(IReadOnlyList<Provider> providers, long second)
    {
        var before = _lines.ToList();
        _lines.Clear();
        foreach (var provider in providers)
        {
            // Prefer the same set of connections, then the same account with other limits, whose counter starts at 0.
            var line = before.Find(line => line.Provider == provider)
                ?? before.Find(line => IsSame(line.Provider.Options, provider.Options) && !providers.Contains(line.Provider));
            if (line is not null)
                before.Remove(line);

            // All bytes of a new set of connections arrived since the last sample.
            line ??= new Line(provider, new SeriesRing(second));
            if (line.Provider != provider)
                (line.Provider, line.Bytes) = (provider, 0);
            _lines.Add(line);
        }

        _providers = providers;
    }

    private static bool IsSame(ProviderOptions one, ProviderOptions other) =>
        string.Equals(one.Host, other.Host, StringComparison.OrdinalIgnoreCase) && one.Port == other.Port && one.Username == other.Username;

    private sealed class Line(Provider provider, SeriesRing ring)
    {
        public Provider Provider { get; set; } = provider;

        public SeriesRing Ring { get; } = ring;

        public long Bytes { get; set; }
    }
}
