using NzbDav.Catalog.Moving;

namespace NzbDav.Migration.Titles;

/// <summary>A release in another program's library: migrated as one job, or the reason why it cannot be.</summary>
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

    /// <summary>True when it is shown to *arrs there, in the queue or the history. False: they are done with it, or never knew it.</summary>
    public bool IsListed { get; init; }

    /// <summary>Opens the .nzb, plain XML; null with <see cref="Refusal"/>.</summary>
    public Func<Stream>? OpenNzb { get; init; }

    /// <summary>True when the .nzb was not kept and is rebuilt from the message-ids in the database.</summary>
    public bool IsRebuilt { get; init; }

    /// <summary>Why it cannot be migrated, as a sentence; null: it can.</summary>
    public string? Refusal { get; init; }

    /// <summary>Why it is not migrated although nothing is wrong, as a sentence: it had failed there. Null: it is migrated.</summary>
    public string? Skipped { get; init; }
}
