using NzbDav.Catalog.Database;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Usenet;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nzb;
using NzbDav.Usenet.Providers;

namespace NzbDav.Library.Posts;

/// <summary>
/// Asks every provider for a sample of a file's articles by STAT; none is fetched. If one is missing everywhere, the repair of its post
/// begins. Thread-safe.
/// </summary>
/// <param name="maps">The files' maps.</param>
/// <param name="usenet">The providers.</param>
/// <param name="time">Clock.</param>
/// <param name="repairer">Repairs posts; null: nothing is repaired.</param>
public sealed class FileChecks(ExtentMapStore maps, UsenetClient usenet, TimeProvider time, IPostRepairer? repairer = null)
{
    /// <summary>Most articles that are asked for: as many as an import samples.</summary>
    internal const int Sample = 48;

    /// <summary>Longest wait for a provider.</summary>
    internal static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    /// <summary>Where a file's articles are now; null for a collection or a torrent's file.</summary>
    /// <exception cref="CatalogException">Its map cannot be read.</exception>
    public async Task<FileAvailability?> CheckAsync(CatalogItem item, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(item);
        if (item.ExtentMap is not { } hash || item.Torrent is not null)
            return null;
        var segments = (await maps.ReadAsync(hash, cancellationToken)).Map.Segments;
        string[] listed = [.. Enumerable.Range(0, segments.Count).Select(segments.Id).Where(id => !ArticleIds.IsUnlisted(id))];
        var asked = Spread(listed);
        using var limit = new CancellationTokenSource(Limit, time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        var answers = await Task.WhenAll(usenet.Providers.Select(
            async provider => (provider, probes: await Task.WhenAll(asked.Select(id => StatAsync(id, provider, both.Token))))));
        cancellationToken.ThrowIfCancellationRequested();
        string[] gone = answers.Length == 0 ? [] : [.. asked.Where(
            (id, i) => Array.TrueForAll(answers, answer => answer.probes[i].Fault == ContentFault.Missing) && !usenet.HasPatch(id))];
        if (gone.Length > 0)
            repairer?.Begin(item, gone[0]);
        return new FileAvailability(listed.Length, asked.Length, gone.Length,
            [.. answers.Select(answer => Sum(answer.provider, answer.probes))], gone.Length > 0 ? repairer?.DescribeState(item) : null);
    }

    private async Task<ArticleProbe> StatAsync(string id, Provider provider, CancellationToken cancellationToken)
    {
        try
        {
            return await usenet.StatAsync(id, provider, FetchPriority.Health, cancellationToken);
        }
        catch (OperationCanceledException)
        {
            return new ArticleProbe(ContentFault.Unavailable, Header: null,
                FormattableString.Invariant($"{provider.Options.DisplayName} did not answer within {Limit.TotalSeconds} s."));
        }
    }

    private static ProviderAnswers Sum(Provider provider, ArticleProbe[] probes)
    {
        var found = probes.Count(probe => probe.Fault is null);
        var missing = probes.Count(probe => probe.Fault == ContentFault.Missing);
        var silent = Array.Find(probes, probe => probe.Fault is not (null or ContentFault.Missing));
        return new ProviderAnswers(provider.Options.DisplayName, found, missing, probes.Length - found - missing,
            silent is null ? null : provider.Status.Reason ?? silent.Reason);
    }

    /// <summary>A sample: the first, the last, and others at equal distances between them.</summary>
    private static string[] Spread(string[] ids) =>
        ids.Length <= Sample ? ids : [.. Enumerable.Range(0, Sample).Select(i => ids[(int)((long)i * (ids.Length - 1) / (Sample - 1))])];
}

/// <summary>Where a file's articles are.</summary>
/// <param name="Articles">Articles that hold its bytes and that the .nzb lists.</param>
/// <param name="Checked">How many of them were asked for, spread over the file.</param>
/// <param name="Gone">How many of these every provider denies, and no repair reconstructed.</param>
/// <param name="Providers">The answers of each, in the order of the settings.</param>
/// <param name="Repair">State of the repair of missing articles, as a sentence; null: none are missing, or nothing is repaired.</param>
public sealed record FileAvailability(int Articles, int Checked, int Gone, IReadOnlyList<ProviderAnswers> Providers, string? Repair);

/// <summary>One provider's answers about articles.</summary>
/// <param name="Name">Name of the provider.</param>
/// <param name="Found">Number of articles that it has.</param>
/// <param name="Missing">Number of articles that it does not have.</param>
/// <param name="Unanswered">Number of articles without an answer.</param>
/// <param name="Reason">Why there was no answer; null if all were answered.</param>
public sealed record ProviderAnswers(string Name, int Found, int Missing, int Unanswered, string? Reason);
