using NzbDav.Catalog.Links;

namespace NzbDav.Library.Holding;

/// <summary>A library that may have links to files here: a folder, or an *arr's list of files. Thread-safe.</summary>
public interface ILibrarySource
{
    /// <summary>What it is called in messages.</summary>
    string Name { get; }

    /// <summary>A folder of this machine: cheap enough to read whenever something may have changed. Null: it is none.</summary>
    string? Folder { get; }

    /// <summary>What the <see cref="FoundLink.Path"/> of each of its links begins with.</summary>
    string Prefix { get; }

    /// <summary>The category whose downloads it takes; null: any.</summary>
    string? Category { get; }

    /// <summary>Reads all of its links. Failure is a value.</summary>
    Task<SourceReading> ReadAsync(CancellationToken cancellationToken);

    /// <summary>Asks whether it took anything of a job. Failure is a value.</summary>
    Task<ImportAnswer> AskAsync(ReleasedJob job, CancellationToken cancellationToken);
}

/// <summary>What was found in a library.</summary>
/// <param name="Links">The links; also those that were found before a problem.</param>
/// <param name="Problem">Why it could not be read as a whole; null: it was.</param>
/// <param name="IsEmptied">The problem is only that nothing is left in it: a person can confirm that this is right.</param>
public sealed record SourceReading(IReadOnlyList<FoundLink> Links, string? Problem = null, bool IsEmptied = false);

/// <summary>A symbolic link or .strm file of a library.</summary>
/// <param name="Path">Where it is.</param>
/// <param name="Target">The path or address that it contains.</param>
public readonly record struct FoundLink(string Path, string Target);

/// <summary>What a library says of a job that was given up.</summary>
public enum ImportAnswer
{
    /// <summary>The job is not its business, or it does not know the job.</summary>
    NotAsked,

    /// <summary>It sent the job here and took nothing of it, ever.</summary>
    Never,

    /// <summary>It took something of it, or may have.</summary>
    Imported,

    /// <summary>It could not be asked.</summary>
    Unknown,
}
