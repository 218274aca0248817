namespace NzbDav.Content;

/// <summary>A reader's state, for display.</summary>
/// <param name="Ahead">Contiguous bytes available from the reader's position on.</param>
/// <param name="Segment">The segment being waited for, by its index in the file's <see cref="ExtentMap"/>; −1: none, or the file has no segments.</param>
/// <param name="Piece">The torrent piece being waited for; −1: none.</param>
public readonly record struct ReaderState(long Ahead, int Segment, int Piece)
{
    /// <summary>Name of the source asked last for the awaited bytes; null: none yet, or not known.</summary>
    public string? Source { get; init; }

    /// <summary>Requests in flight for its bytes: articles, or for a torrent the blocks for all of its readers as of the last second; null: not known.</summary>
    public int? InFlight { get; init; }

    /// <summary>The reader's latest finished wait of <see cref="ReaderWait.Least"/> or more; null: none, or not known.</summary>
    public ReaderWait? LastWait { get; init; }

    /// <summary>Filler given in place of lost bytes; null: none.</summary>
    public ReaderFiller? Filler { get; init; }

    /// <summary>The state of a reader that reports nothing.</summary>
    public static ReaderState Unknown { get; } = new(0, -1, -1);
}
