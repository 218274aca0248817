using NzbDav.Content;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>Where a request goes next: the first tier that can serve it, the same provider again when its copy was damaged, the next copy that the .nzb lists, or to its end when nobody is left.</summary>
internal sealed partial class Dispatcher
{
    /// <summary>Lost connections over one article before its provider is passed over.</summary>
    private const int MaxLosses = 4;

    private static readonly TimeSpan LossBurst = TimeSpan.FromMilliseconds(500);

    /// <summary>A provider that drops all connections within a moment is one loss, however many of them the article met.</summary>
    private int CountLoss(ArticleFetch fetch)
    {
        if (fetch.LastLossAt == 0 || _time.GetElapsedTime(fetch.LastLossAt) >= LossBurst)
        {
            fetch.Losses++;
            fetch.LastLossAt = Math.Max(1, _time.GetTimestamp());
        }

        return fetch.Losses;
    }

    private void RerouteLocked(ArticleFetch fetch, ArticleRequest queued, ref Work work)
    {
        queued.Tier!.Queue.Remove(queued);
        fetch.Queued = null;
        if (fetch.Active == 0)
            RouteLocked(fetch, avoid: null, ref work);
    }

    /// <summary>Queues the next attempt of a fetch, or ends it when no provider is left that could help.</summary>
    private void RouteLocked(ArticleFetch fetch, NntpConnection? avoid, ref Work work, bool assign = true)
    {
        if (_disposed)
        {
            EndLocked(fetch);
            work.Fail(fetch, ShuttingDown);
            return;
        }

        if (fetch.Surveyed)
            fetch.Noted |= _missing.Of(fetch.Id) & ~fetch.Tried;
        var tier = TierFor(fetch);
        if (tier is null && fetch.Refused != 0)
        {
            // Nobody else has it. Another connection of a provider that refused may serve it; a provider that refuses on all of them is down in a moment.
            fetch.Refused = 0;
            tier = TierFor(fetch);
        }

        if (tier is null && fetch is { Damaged: not 0, DamagedAskedAgain: false })
        {
            // Damage on the way or on one of a provider's many servers: the same provider often has a good copy the second time.
            fetch.DamagedAskedAgain = true;
            fetch.Tried &= ~fetch.Damaged;
            tier = TierFor(fetch);
            fetch.Tried |= tier is null ? fetch.Damaged : 0;
        }

        if (tier is null && fetch.Active > 0)
            return;
        tier ??= TierAmongNoted(fetch);
        while (tier is null && fetch.TryNextCopy())
        {
            fetch.Noted = DoubtsLocked(fetch);
            tier = TierFor(fetch) ?? TierAmongNoted(fetch);
        }

        if (tier is null && TryAgain(fetch))
            tier = TierFor(fetch);
        if (tier is null)
        {
            var verdict = Verdict(fetch);
            EndLocked(fetch, keepOdd: verdict.Outcome == SegmentOutcome.Mismatch);
            work.Fail(fetch, verdict);
            return;
        }

        EnqueueLocked(new ArticleRequest(fetch.Command, fetch) { Priority = fetch.Priority, Avoid = avoid, Tier = tier, QueuedAt = _time.GetTimestamp() });
        if (assign)
            AssignLocked(tier, ref work);
    }

    /// <summary>The first tier that can serve a fetch now; failing that one whose connections may speak again, or whose provider may come back. Null: nobody is left.</summary>
    private Tier? TierFor(ArticleFetch fetch, ulong except = 0)
    {
        Tier? lost = null;
        foreach (var tier in _tiers)
        {
            switch (tier.StandingFor(fetch, except))
            {
                case ProviderStanding.Working:
                    return tier;
                case ProviderStanding.Lost:
                    lost ??= tier;
                    break;
                default:
                    break;
            }
        }

        return lost;
    }

    /// <summary>
    /// Bits of the providers that are asked last: they did not have the article lately, or it is older than what they are said to keep. Both may be wrong, so nobody is left out.
    /// </summary>
    private ulong DoubtsLocked(ArticleFetch fetch)
    {
        var bits = _missing.Of(fetch.Id);
        if (!_keepsAges || fetch.PostedDay == 0)
            return bits;
        var age = (_time.GetUtcNow() - DateTimeOffset.UnixEpoch).Days - fetch.PostedDay;
        foreach (var tier in _tiers)
        {
            foreach (var provider in tier.Providers)
                bits |= provider.Options.RetentionDays is > 0 and var kept && age > kept ? provider.Bit : 0;
        }

        return bits;
    }

    /// <summary>Nobody else has it: those that did not have it lately, and those that keep no article for so long, are asked too.</summary>
    private Tier? TierAmongNoted(ArticleFetch fetch)
    {
        if (fetch.Noted == 0)
            return null;
        fetch.Noted = 0;
        return TierFor(fetch);
    }

    /// <summary>A reader needs it and nobody else has it: providers that are in a break are tried at once. False when there are none, or they were tried a moment ago.</summary>
    private bool TryAgain(ArticleFetch fetch)
    {
        if (fetch is not { Command: NntpCommand.Body, Priority: <= FetchPriority.ReadAhead })
            return false;
        var tries = false;
        foreach (var provider in _tiers.SelectMany(static tier => tier.Providers))
            tries |= (fetch.Excluded & provider.Bit) == 0 && provider.TryNow();
        return tries;
    }

    /// <summary>A provider does not have an article: nor do the others of its backbone.</summary>
    private void NoteMissingLocked(ArticleFetch fetch, Provider provider)
    {
        var bits = provider.Bit;
        foreach (var tier in _tiers)
        {
            foreach (var other in tier.Providers)
                bits |= other.Options.IsKinOf(provider.Options) ? other.Bit : 0;
        }

        fetch.Tried |= bits;
        _missing.Add(fetch.Id, bits);
    }

    /// <summary>
    /// A reader waits for an article that one provider does not have: while the next is asked for it, those after that are asked side by side whether they have it. Each that says no is a note,
    /// so that the way goes past it. One is asked for each backbone; with fewer than two to ask nothing is gained.
    /// </summary>
    private void SurveyLocked(ArticleFetch fetch, ref Work work)
    {
        if (fetch is { Ended: true } or { Surveyed: true } or not { Command: NntpCommand.Body, Priority: FetchPriority.Waiting or FetchPriority.Next })
            return;
        var asked = new List<Provider>();
        var next = fetch.OnWire?.Connection?.Provider;
        foreach (var provider in _tiers.SelectMany(static tier => tier.Providers))
        {
            if ((fetch.Excluded & provider.Bit) == 0 && provider.Standing == ProviderStanding.Working && provider != next && next?.Options.IsKinOf(provider.Options) != true
                && !asked.Exists(other => other.Options.IsKinOf(provider.Options)))
                asked.Add(provider);
        }

        // One of those that the next attempt waits for a place at is the next.
        if (asked.Count < (next is null ? 3 : 2))
            return;
        fetch.Surveyed = true;
        foreach (var provider in asked)
            RouteLocked(new ArticleFetch(new ArticleStat(fetch.Id, fetch.Priority, provider)), avoid: null, ref work);
    }

    private static void EnqueueLocked(ArticleRequest request)
    {
        request.Fetch!.Queued = request;
        request.Tier!.Queue.Enqueue(request);
    }
}
