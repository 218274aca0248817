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
