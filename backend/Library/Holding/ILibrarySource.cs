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
