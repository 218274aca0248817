namespace NzbDav.WebDav.Streams;

/// <summary>Provides the playing time of films, to detect faster readers.</summary>
public interface IFilmLengths
{
    /// <summary>The time in which a file is played; null: not known. Faults are logged and count as not known.</summary>
    /// <param name="file">Its id in the tree.</param>
    ValueTask<TimeSpan?> FindAsync(long file);
}
