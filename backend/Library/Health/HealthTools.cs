using NzbDav.Catalog.Health;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Health;

/// <summary>The dependencies of health checks and of the steps that follow them.</summary>
/// <param name="Store">The health of posts.</param>
/// <param name="Holds">The files that libraries have links to.</param>
/// <param name="Tree">The posts and their files.</param>
/// <param name="Maps">The files' extent maps, for their articles.</param>
/// <param name="Prober">Asks the accounts.</param>
/// <param name="Repairer">Repairs posts.</param>
/// <param name="Reader">Reads files.</param>
/// <param name="Replacements">The *arrs.</param>
/// <param name="Options">The quota, and what may be done.</param>
/// <param name="Time">Clock.</param>
public sealed record HealthTools(
    HealthStore Store,
    HoldStore Holds,
    TreeStore Tree,
    ExtentMapStore Maps,
    IArticleProber Prober,
    IPostRepairer Repairer,
    IHealthReader Reader,
    IReplacements Replacements,
    Live<HealthOptions> Options,
    TimeProvider Time);

/// <summary>Reads files as a player would. Thread-safe.</summary>
public interface IHealthReader
{
    /// <summary>True when head and tail of a file were read and verified.</summary>
    Task<bool> PlaysAsync(CatalogItem file, CancellationToken cancellationToken);

    /// <summary>
    /// Compares two files of the same length at the head, in the middle and at the tail, where both can be read. Null: at none of these
    /// places.
    /// </summary>
    Task<bool?> AreSameAsync(CatalogItem file, CatalogItem other, CancellationToken cancellationToken);
}

/// <summary>Asks *arrs to find replacements. Deletes nothing there. Thread-safe.</summary>
public interface IReplacements
{
    /// <summary>Asks the *arr that imported files of a post to search for other releases of them.</summary>
    /// <param name="post">The post.</param>
    /// <param name="files">Its files with missing articles.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    Task<ReplacementAnswer> SearchAsync(HealthPost post, IReadOnlyList<CatalogItem> files, CancellationToken cancellationToken);

    /// <summary>Checks the result of a search.</summary>
    /// <param name="post">The old post.</param>
    /// <param name="search">The <see cref="ReplacementAnswer.Search"/> that <see cref="SearchAsync"/> returned.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    Task<ReplacementAnswer> CheckAsync(HealthPost post, string search, CancellationToken cancellationToken);
}

/// <summary>The result of asking an *arr.</summary>
/// <param name="State">State of the search.</param>
/// <param name="Reason">The reason in words, as a sentence.</param>
public sealed record ReplacementAnswer(ReplacementState State, string Reason)
{
    /// <summary>Identifies the search in later calls; only with <see cref="ReplacementState.Searching"/>.</summary>
    public string? Search { get; init; }

    /// <summary>Ids of the new files; only with <see cref="ReplacementState.Imported"/>.</summary>
    public IReadOnlyList<long> ItemIds { get; init; } = [];
}

/// <summary>State of the search for a replacement.</summary>
public enum ReplacementState
{
    /// <summary>The *arr searches or downloads.</summary>
    Searching,

    /// <summary>Not possible now: another search began a moment ago, or the *arr does not answer.</summary>
    Later,

    /// <summary>The *arr has imported replacements for all of the files.</summary>
    Imported,

    /// <summary>No *arr has the file.</summary>
    None,
}
