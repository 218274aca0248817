namespace NzbDav.Content;

/// <summary>What a reader is at, for people who look on.</summary>
/// <param name="Ahead">Bytes that are here and follow each other from the reader's position on.</param>
/// <param name="Segment">The segment that is waited for, by its index in the file's <see cref="ExtentMap"/>; −1: nothing is waited for, or the file has no segments.</param>
/// <param name="Piece">The piece of the torrent that is waited for; −1: none.</param>
public readonly record struct ReaderState(long Ahead, int Segment, int Piece)
{
    /// <summary>Who was asked last for what is waited for; null: nobody yet, or not known.</summary>
    public string? Source { get; init; }

    /// <summary>Requests for its bytes that are on their way: articles, or of a torrent the blocks for all of its readers as of the last second; null: not known.</summary>
    public int? InFlight { get; init; }

    /// <summary>The reader's latest wait of <see cref="ReaderWait.Least"/> or more that is over; null: there was none, or it is not known.</summary>
    public ReaderWait? LastWait { get; init; }

    /// <summary>What the reader gave in place of bytes that are gone; null: nothing.</summary>
    public ReaderFiller? Filler { get; init; }

    /// <summary>Of a reader that tells nothing.</summary>
    public static ReaderState Unknown { get; } = new(0, -1, -1);
}
