namespace NzbDav.WebDav.Streams;

/// <summary>Says how long films play, so that it can be told who reads faster than that.</summary>
public interface IFilmLengths
{
    /// <summary>The time in which a file is played; null: not known. Faults are logged and count as not known.</summary>
    /// <param name="file">Its id in the tree.</param>
    ValueTask<TimeSpan?> FindAsync(long file);
}
