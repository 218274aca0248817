using NzbDav.Content;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Nzb;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>The fault and reason reported for an article that cannot be fetched.</summary>
internal static class Verdicts
{
    /// <summary>For an article that had not arrived when the server was stopped.</summary>
    public static readonly (ContentFault?, string) ShuttingDown = (ContentFault.Unavailable, "The server is being shut down.");

    /// <summary>
    /// The fault when no provider is left to ask; null: the reader gets <see cref="ArticleFetch.Mismatched"/>. Call under the dispatcher's
    /// lock.
    /// </summary>
    /// <param name="fetch">The fetch.</param>
    /// <param name="tiers">All tiers.</param>
    /// <param name="refusedPatience">See <see cref="UsenetClient.RefusedLoginTimeout"/>.</param>
    public static (ContentFault? Fault, string Reason) Of(ArticleFetch fetch, IEnumerable<Tier> tiers, TimeSpan refusedPatience)
    {
        var id = fetch.Id;
        var providers = tiers.SelectMany(tier => tier.Providers).Where(provider => (fetch.Disallowed & provider.Bit) == 0).ToArray();
        if (providers.Length == 0)
            return (ContentFault.Unavailable,
                fetch.Disallowed == 0 ? "No Usenet provider is configured." : "The provider is not used any more.");

        // A used-up block account will never answer: the others decide, if there are any.
        if (providers.Where(static provider => !(provider.IsUsedUp && provider.Options.IsBlock)).ToArray() is { Length: > 0 } left)
            providers = left;
        var silent = providers.Where(provider => (fetch.Tried & provider.Bit) == 0).ToArray();
        if (fetch.Priority == FetchPriority.Import && silent.Length < providers.Length)
            silent = [.. silent.Where(provider => !(provider.RefusedFor >= refusedPatience))];
        if (silent.Length > 0)
        {
            var why = string.Join("; ", silent.Select(
                provider => $"{provider.Options.DisplayName}: {provider.Status.Reason ?? "the connection was lost again and again"}"));
            return (ContentFault.Unavailable, $"The article <{id}> cannot be had now: {why}");
        }

        if (fetch.Mismatched is not null)
            return (null, $"The article <{id}> is another part than expected on every provider.");
        return fetch.Unusable is { Outcome: AttemptOutcome.Foreign, Reason: var encoding }
            ? (ContentFault.Corrupt, $"The article <{id}> was posted as {encoding}, which is not supported: only yEnc is.")
            : fetch.Unusable is { Reason: var damage }
            ? (ContentFault.Corrupt, $"The article <{id}> is damaged on every provider that has it: {damage}.")
            : (ContentFault.Missing,
                $"The article <{id}> is missing on every provider " +
                $"({string.Join(", ", providers.Select(provider => NameOf(provider, fetch)))}).");
    }

    /// <summary>Why no server can be asked for an article; null if one can.</summary>
    /// <param name="fetch">The fetch; moves on to a copy that can be requested.</param>
    /// <param name="ids">The ids of all copies, as listed in the .nzb.</param>
    public static string? Unsendable(ArticleFetch fetch, string ids) =>
        NntpCommandWriter.IsSendable(fetch.Id) || fetch.TryNextCopy() ? null
        : ArticleIds.IsUnlisted(ids) ? $"The .nzb does not list article {ArticleIds.NumberOf(ids)} of the file."
        : $"<{ids}> is no message-id that a server could have.";

    /// <summary>
    /// Name of a provider, with the reason if it was not asked: another on its backbone lacks the article, or it refuses the login.
    /// </summary>
    private static string NameOf(Provider provider, ArticleFetch fetch)
    {
        var name = provider.Options.DisplayName;
        return (fetch.Requested & provider.Bit) != 0 ? name
            : (fetch.Tried & provider.Bit) != 0 ? $"{name} by its backbone"
            : $"{name} refuses the login";
    }
}
