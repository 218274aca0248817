using NzbDav.Catalog.Health;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Health;

/// <summary>The dependencies of health checks and of the steps that follow them.</summary>
/// <param name="Store">What is known of posts.</param>
/// <param name="Holds">What libraries have links to.</param>
/// <param name="Tree">The posts and their files.</param>
/// <param name="Maps">Their articles.</param>
/// <param name="Asker">The accounts.</param>
/// <param name="Mender">Repairs.</param>
/// <param name="Reader">Reads files.</param>
/// <param name="Replacements">The *arrs.</param>
/// <param name="Options">What may be done.</param>
/// <param name="Time">Clock.</param>
public sealed record HealthTools(
    HealthStore Store,
    HoldStore Holds,
    TreeStore Tree,
    ExtentMapStore Maps,
    IArticleAsker Asker,
    IPostMender Mender,
    IHealthReader Reader,
    IReplacements Replacements,
    Live<HealthOptions> Options,
    TimeProvider Time);

/// <summary>Reads files as a player would. Thread-safe.</summary>
public interface IHealthReader
{
    /// <summary>True when head and tail of a file were read and verified.</summary>
    Task<bool> PlaysAsync(CatalogItem file, CancellationToken cancellationToken);

    /// <summary>Whether two files of the same length hold the same bytes where both can be read, at the head, in the middle and at the
    /// tail. Null: nothing of both could be read.</summary>
    Task<bool?> AreSameAsync(CatalogItem file, CatalogItem other, CancellationToken cancellationToken);
}

/// <summary>Asks *arrs to find replacements. Deletes nothing in them. Thread-safe.</summary>
public interface IReplacements
{
    /// <summary>Asks the *arr that imported files of a post to search for other releases of the same.</summary>
    /// <param name="post">The post.</param>
    /// <param name="files">Its files that are missing articles.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    Task<ReplacementAnswer> SearchAsync(HealthPost post, IReadOnlyList<CatalogItem> files, CancellationToken cancellationToken);

    /// <summary>Checks the result of a search.</summary>
    /// <param name="post">The old post.</param>
    /// <param name="search">What <see cref="SearchAsync"/> gave.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    Task<ReplacementAnswer> LookAsync(HealthPost post, string search, CancellationToken cancellationToken);
}

/// <summary>The result of asking an *arr.</summary>
/// <param name="State">How it stands.</param>
/// <param name="Reason">In words, as a sentence.</param>
public sealed record ReplacementAnswer(ReplacementState State, string Reason)
{
    /// <summary>What to look for the replacement with; of <see cref="ReplacementState.Searching"/>.</summary>
    public string? Search { get; init; }

    /// <summary>The new files; of <see cref="ReplacementState.Imported"/>.</summary>
    public IReadOnlyList<long> ItemIds { get; init; } = [];
}

/// <summary>How the search for a replacement stands.</summary>
public enum ReplacementState
{
    /// <summary>The *arr searches or downloads.</summary>
    Searching,

    /// <summary>Not now: another search began a moment ago, or the *arr does not answer.</summary>
    Later,

    /// <summary>The *arr has imported others for all of the files.</summary>
    Imported,

    /// <summary>No *arr has the file.</summary>
    None,
}
