using NzbDav.Api.Native.Providers;
using NzbDav.Usenet;
using NzbDav.Usenet.Providers;

namespace NzbDav.Host.Status;

/// <summary>
/// What each provider brought. A line is an account's: it goes on when the account's number or limits change, and is forgotten with the account. Not thread-safe.
/// </summary>
internal sealed class ProviderLines(UsenetClient usenet, IProviderNumbers numbers)
{
    private readonly List<Line> _lines = [];
    private IReadOnlyList<Provider> _providers = [];

    /// <summary>Bytes a second from all of them, over the last second.</summary>
    public double Rate { get; private set; }

    /// <summary>In the order of the accounts.</summary>
    public IEnumerable<SeriesLine> List()
    {
        var known = numbers.Now;
        return _lines.Select((line, index) => new SeriesLine(
            FormattableString.Invariant($"provider.{(index < known.Count ? known[index] : index)}"), line.Provider.Options.DisplayName, SeriesUnit.BytesPerSecond, line.Ring));
    }

    /// <summary>Takes in what came. Allocates only where the accounts have changed.</summary>
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
            // The same connections, else the same account with other limits, whose counter begins anew.
            var line = before.Find(line => line.Provider == provider) ?? before.Find(line => IsSame(line.Provider.Options, provider.Options) && !providers.Contains(line.Provider));
            if (line is not null)
                before.Remove(line);

            // Whatever a new set of connections has brought came since the last look.
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
