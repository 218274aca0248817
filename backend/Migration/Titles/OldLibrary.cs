using NzbDav.Catalog.Moving;

namespace NzbDav.Migration.Titles;

/// <summary>Another program's library, open for reading. Never changed. For one caller at a time.</summary>
public abstract class OldLibrary : IDisposable
{
    /// <summary>The program, as it calls itself.</summary>
    public abstract string Product { get; }

    /// <summary>The version of its data, for people.</summary>
    public abstract string Version { get; }

    /// <summary>Key under which its titles are remembered, so that another run recognises them.</summary>
    public abstract string Source { get; }

    /// <summary>Its settings.</summary>
    /// <exception cref="MigrationException">They cannot be read.</exception>
    public abstract OldSettings ReadSettings();

    /// <summary>Its titles, one after the other; a fault of a single title is reported in <see cref="OldTitle.Refusal"/>.</summary>
    /// <exception cref="MigrationException">The library is damaged, or was changed meanwhile.</exception>
    public abstract IEnumerable<OldTitle> ReadTitles(CancellationToken cancellationToken);

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Closes open files.</summary>
    protected virtual void Dispose(bool disposing)
    {
    }
}

/// <summary>A release in another program's library: migrated as one job, or the reason why it cannot be.</summary>
public sealed record OldTitle
{
    /// <summary>Its id there, the same in every run.</summary>
    public required string Key { get; init; }

    /// <summary>Name of its folder there.</summary>
    public required string Name { get; init; }

    /// <summary>Its category there; empty: none.</summary>
    public required string Category { get; init; }

    /// <summary>The file name of its .nzb there, which may hold a password; null: not known.</summary>
    public string? NzbName { get; init; }

    /// <summary>Password of its encrypted archives; null: none known.</summary>
    public string? Password { get; init; }

    /// <summary>Where the .nzb was fetched from; null: not known.</summary>
    public string? Url { get; init; }

    /// <summary>Its files there, with the paths that links may name.</summary>
    public IReadOnlyList<MovedFile> Files { get; init; } = [];

    /// <summary>
    /// The id under which *arrs know the download there (SABnzbd's <c>nzo_id</c>); null: it has none, or the id is not known.
    /// </summary>
    public string? DownloadId { get; init; }

    /// <summary>
    /// True when the program shows it to *arrs, in the queue or the history. False: they have finished with it, or never knew it.
    /// </summary>
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

/// <summary>Another program's data cannot be read as a whole. The message names the file and says what to do.</summary>
public sealed class MigrationException : Exception
{
    public MigrationException()
    {
    }

    public MigrationException(string message)
        : base(message)
    {
    }

    public MigrationException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
