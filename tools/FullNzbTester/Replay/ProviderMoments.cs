using NzbDav.Content.Recording;

namespace NzbDav.FullNzbTester.Replay;

/// <summary>Derives when a recorded provider changed its connection limit, was away, or refused. Pure.</summary>
internal static class ProviderMoments
{
    /// <summary>Connections lost within this many milliseconds count as lost together.</summary>
    private const double Together = 1_000;

    /// <summary>Milliseconds before a first failure at which the provider may have been away already.</summary>
    private const double Before = 1_000;

    /// <summary>All events of a provider, by time.</summary>
    /// <param name="provider">The provider.</param>
    /// <param name="connections">Events of the connections of all providers, by time.</param>
    /// <param name="articles">Requests to all providers, by time.</param>
    public static IReadOnlyList<ProviderMoment> Of(
        RecordedProvider provider, IEnumerable<RecordedLine> connections, IEnumerable<RecordedLine> articles)
    {
        var moments = new List<ProviderMoment>();
        var mine = connections.Where(line => line.Provider == provider.Number).ToArray();
        double lastOpened = 0, lastLost = double.NegativeInfinity;
        var trouble = ProviderMomentKind.Up;
        var cap = provider.Connections;
        foreach (var line in mine)
        {
            var at = line.At!.Value;
            switch (line.Kind)
            {
                case LineKinds.Opened:
                    if (trouble != ProviderMomentKind.Up)
                        moments.Add(new ProviderMoment(Math.Max(0, at - (line.Ms ?? 0) - 50), trouble = ProviderMomentKind.Up));
                    lastOpened = at;
                    break;
                case LineKinds.Cap:
                    cap = line.Limit!.Value;
                    moments.Add(new ProviderMoment(lastOpened, ProviderMomentKind.Cap, cap));
                    break;
                case LineKinds.Closed when Is(line, ConnectionEnd.Lost):
                    // The last of several connections lost together: the provider closed them all.
                    if (line.Open == 0 && at - lastLost <= Together)
                        moments.Add(new ProviderMoment(at, ProviderMomentKind.Drop));
                    lastLost = at;
                    break;
                case LineKinds.Failed when !Is(line, ConnectFault.TooMany) && trouble == ProviderMomentKind.Up:
                    trouble = Is(line, ConnectFault.Login) ? ProviderMomentKind.NoLogin : ProviderMomentKind.Down;
                    moments.Add(new ProviderMoment(Math.Max(lastOpened, Math.Max(0, at - Before)), trouble));
                    break;
                default:
                    break;
            }
        }

        AddRefusals(moments, articles.Where(line => line.Provider == provider.Number && line.Kind == LineKinds.Article));
        moments.Sort(static (a, b) => a.At.CompareTo(b.At));
        return moments;
    }

    private static void AddRefusals(List<ProviderMoment> moments, IEnumerable<RecordedLine> articles)
    {
        var refuses = false;
        foreach (var line in articles)
        {
            if (Is(line, ArticleResult.Refused) == refuses || (refuses && !Is(line, ArticleResult.Found)))
                continue;
            refuses = !refuses;
            moments.Add(new ProviderMoment(line.Asked!.Value, refuses ? ProviderMomentKind.NoService : ProviderMomentKind.Up));
        }
    }

    private static bool Is<T>(RecordedLine line, T outcome)
        where T : struct, Enum => string.Equals(line.Outcome, Enum.GetName(outcome), StringComparison.OrdinalIgnoreCase);
}

/// <summary>An event of a provider in a recording.</summary>
/// <param name="At">Milliseconds since its beginning.</param>
/// <param name="Kind">Kind of the event.</param>
/// <param name="Value">The connection limit, for <see cref="ProviderMomentKind.Cap"/>.</param>
internal readonly record struct ProviderMoment(double At, ProviderMomentKind Kind, int Value = 0);

/// <summary>Kind of a provider's event.</summary>
internal enum ProviderMomentKind
{
    /// <summary>From now on it allows this many connections.</summary>
    Cap,

    /// <summary>From now on it accepts no connection.</summary>
    Down,

    /// <summary>From now on it refuses all logins.</summary>
    NoLogin,

    /// <summary>From now on it refuses to serve articles.</summary>
    NoService,

    /// <summary>From now on everything works.</summary>
    Up,

    /// <summary>It ends all connections.</summary>
    Drop,
}
