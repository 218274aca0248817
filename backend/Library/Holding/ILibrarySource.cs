using NzbDav.Catalog.Links;

namespace NzbDav.Library.Holding;

/// <summary>A library that may have links to files here: a folder, or an *arr's list of files. Thread-safe.</summary>
public interface ILibrarySource
{
    /// <summary>Its name in messages.</summary>
    string Name { get; }

    /// <summary>
    /// Its path if it is a folder of this machine, which is cheap enough to read whenever something may have changed; otherwise null.
    /// </summary>
    string? Folder { get; }

    /// <summary>The beginning of the <see cref="FoundLink.Path"/> of each of its links.</summary>
    string Prefix { get; }

    /// <summary>The category whose downloads it imports; null: any.</summary>
    string? Category { get; }

    /// <summary>Reads all of its links. Failure is a value.</summary>
    Task<SourceReading> ReadAsync(CancellationToken cancellationToken);

    /// <summary>Asks whether it imported anything of a job. Failure is a value.</summary>
    Task<ImportAnswer> FindImportAsync(AbandonedJob job, CancellationToken cancellationToken);
}

/// <summary>The links found in a library.</summary>
/// <param name="Links">The links, including those found before a problem.</param>
/// <param name="Problem">Why it could not be read completely; null: it was.</param>
/// <param name="IsEmptied">The only problem is that the library is empty now: a person can confirm that this is right.</param>
public sealed record SourceReading(IReadOnlyList<FoundLink> Links, string? Problem = null, bool IsEmptied = false);

/// <summary>A symbolic link or .strm file of a library.</summary>
/// <param name="Path">Path of the link or file.</param>
/// <param name="Target">The path or address that it contains.</param>
public readonly record struct FoundLink(string Path, string Target);

/// <summary>A library's answer about a job that an *arr gave up.</summary>
public enum ImportAnswer
{
    /// <summary>It does not handle such jobs, or does not know this one.</summary>
    NotApplicable,

    /// <summary>It sent the job here and never imported anything of it.</summary>
    Never,

    /// <summary>It imported something of it, or may have.</summary>
    Imported,

    /// <summary>It could not be asked.</summary>
    Unknown,
}
