using NzbDav.Catalog;

namespace NzbDav.Migration.Titles;

/// <summary>A release in another program's library: what comes over as one job, or the reason why it cannot.</summary>
public sealed record OldTitle
{
    /// <summary>Its id there, the same in every run.</summary>
    public required string Key { get; init; }

    /// <summary>The folder that it has there.</summary>
    public required string Name { get; init; }

    /// <summary>Its category there; empty: none.</summary>
    public required string Category { get; init; }

    /// <summary>The file name of its .nzb there, which may hold a password; null: not known.</summary>
    public string? NzbName { get; init; }

    /// <summary>For encrypted archives; null: none known.</summary>
    public string? Password { get; init; }

    /// <summary>Where the .nzb was fetched from; null: not known.</summary>
    public string? Url { get; init; }

    /// <summary>Its files there, with the paths that links may name.</summary>
    public IReadOnlyList<MovedFile> Files { get; init; } = [];

    /// <summary>The id by which *arrs know the download there (SABnzbd's <c>nzo_id</c>); null: it has none, or it is not known.</summary>
    public string? DownloadId { get; init; }

    /// <summary>It is shown to *arrs there, in the queue or the history. False: they have done with it, or never knew it.</summary>
    public bool IsListed { get; init; }

    /// <summary>Opens the .nzb, plain XML; null with <see cref="Refusal"/>.</summary>
    public Func<Stream>? OpenNzb { get; init; }

    /// <summary>The .nzb was not kept: it is made again of the message-ids in the database.</summary>
    public bool IsRebuilt { get; init; }

    /// <summary>Why it cannot come, as a sentence; null: it can.</summary>
    public string? Refusal { get; init; }

    /// <summary>Not brought for a reason that is no fault, as a sentence: it had failed there. Null: to be brought.</summary>
    public string? Skipped { get; init; }
}
