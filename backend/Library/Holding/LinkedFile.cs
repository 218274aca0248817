using NzbDav.Catalog.Links;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Holding;

/// <summary>Finds the file that a library's link leads to.</summary>
public static class LinkedFile
{
    /// <summary>The id of the file; null: the link leads elsewhere, or to several.</summary>
    /// <param name="tree">The files.</param>
    /// <param name="aliases">Paths of other programs.</param>
    /// <param name="target">The link's target, or the address in a .strm file.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async Task<long?> FindAsync(TreeStore tree, AliasStore aliases, string target, CancellationToken cancellationToken)
    {
        var (held, _) = await new LibraryReader(tree, aliases).ReadAsync([new OneLink(target)], accept: false, cancellationToken);
        return held.Count == 1 ? held.Keys.Single() : null;
    }

    private sealed class OneLink(string target) : ILibrarySource
    {
        public string Name => "";

        public string? Folder => null;

        public string Prefix => "";

        public string? Category => null;

        public Task<SourceReading> ReadAsync(CancellationToken cancellationToken) => Task.FromResult(new SourceReading([new FoundLink("", target)], null));

        public Task<ImportAnswer> AskAsync(ReleasedJob job, CancellationToken cancellationToken) => Task.FromResult(ImportAnswer.NotAsked);
    }
}
