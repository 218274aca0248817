namespace NzbDav.Migration.Titles;

/// <summary>Another program's library, open for reading. Nothing in it is changed. One caller at a time.</summary>
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

    /// <summary>Closes what is open.</summary>
    protected virtual void Dispose(bool disposing)
    {
    }
}
