namespace NzbDav.Catalog.Moving;

/// <summary>Where a job comes from that is brought over from another program, and the paths under which its files are to be found as before.</summary>
/// <param name="Source">The program and its library: <c>nzbdav</c>.</param>
/// <param name="Title">Its id there, the same in every run.</param>
/// <param name="Files">Its files there.</param>
public sealed record MovedTitle(string Source, string Title, IReadOnlyList<MovedFile> Files)
{
    /// <summary>The id by which *arrs know the download (SABnzbd's <c>nzo_id</c>); null: it has none, or it is not known.</summary>
    public string? DownloadId { get; init; }

    /// <summary>The other program still shows the download to *arrs, in its queue or history. False: they have done with it, so it is put away.</summary>
    public bool IsListed { get; init; }
}

/// <summary>A file as the program had it from which its title comes, with the paths that links to it may name.</summary>
/// <param name="Paths">From the root, without a '/' before them: see <see cref="AliasStore"/>.</param>
/// <param name="Name">What the file was called there.</param>
/// <param name="Size">Bytes; negative: not known.</param>
/// <param name="Article">The message-id of the article that holds its first byte, without angle brackets; null: not known.</param>
public sealed record MovedFile(IReadOnlyList<string> Paths, string Name, long Size, string? Article)
{
    /// <summary>The keys that addresses of the file in .strm files carry, as <see cref="AddressKey.Of"/> keeps them.</summary>
    public IReadOnlyList<string> Keys { get; init; } = [];
}
