using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Host.Upkeep;
using NzbDav.Usenet.Articles;

namespace NzbDav.Host.Serving;

/// <summary>Removes reconstructed articles that no file needs any more.</summary>
internal sealed partial class PatchKeeper(PatchFolder patches, TreeStore tree, JobStore jobs, CatalogMark mark, ILogger<PatchKeeper> logger)
    : RemovalFollower(tree, jobs, mark, logger)
{
    private readonly TreeStore _tree = tree;
    private readonly ILogger _logger = logger;

    /// <inheritdoc/>
    protected override async Task SweepAsync(CancellationToken cancellationToken)
    {
        var there = patches.ListPosts();
        if (there.Count == 0)
            return;
        var needed = (await _tree.ListPatchedPostsAsync(cancellationToken)).ToHashSet(StringComparer.Ordinal);
        foreach (var post in there.Where(post => !needed.Contains(post)))
        {
            try
            {
                patches.Remove(post);
                LogRemoved(_logger, post);
            }
            catch (Exception error) when (FileFaults.IsFault(error))
            {
                LogTrouble(_logger, post, error.Message);
            }
        }
    }

    [LoggerMessage(253, LogLevel.Information, "Removed the repaired articles of job {Post}: nothing needs them any more.")]
    private static partial void LogRemoved(ILogger logger, string post);

    [LoggerMessage(254, LogLevel.Warning, "The repaired articles of job {Post} cannot be removed: {Reason}")]
    private static partial void LogTrouble(ILogger logger, string post, string reason);
}
