using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// A provider that is slow beside others of its priority: what a reader needs soon is left to the others, though their connections are full; it gets of what stands behind that as much as
/// it brings before the others would.
/// </summary>
internal sealed partial class Dispatcher
{
    /// <summary>Gives all connections that have room what they may carry.</summary>
    private void FillAllLocked(Tier tier, ref Work work)
    {
        var refused = 0UL;
        foreach (var connection in tier.Connections)
        {
            if ((refused & connection.Provider.Bit) != 0)
                continue;
            var carried = connection.InFlight;
            FillLocked(tier, connection, ref work);

            // What an idle connection of a slow provider is not given, its others are not given either.
            if (connection.Provider.Pace.IsSlow && carried == 0 && connection.InFlight == 0)
                refused |= connection.Provider.Bit;
        }
    }

    private ArticleRequest? TakeForSlowLocked(Tier tier, NntpConnection connection)
    {
        var faster = tier.Faster();
        if (faster == 0)
            return tier.Queue.TakeFor(connection);
        var pace = connection.Provider.Pace;
        if (pace.WantsTrial && tier.IsIdle(connection.Provider) && tier.Queue.TakeFor(connection, FetchPriority.ReadAhead) is { } trial)
        {
            pace.Try();
            return trial;
        }

        return tier.Queue.TakeBehind(connection, tier.AheadOf(connection, _line.ArticleBytes), faster);
    }
}
