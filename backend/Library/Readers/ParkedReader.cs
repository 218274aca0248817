using NzbDav.Content;

namespace NzbDav.Library.Readers;

/// <summary>A reader that nobody uses now.</summary>
/// <param name="Content">What it reads.</param>
/// <param name="Position">The next byte that it has to give.</param>
/// <param name="Limit">Where it ends, behind <paramref name="Position"/>.</param>
/// <param name="Reader">The reader; owned.</param>
/// <param name="Pending">Bytes from <paramref name="Position"/> on that the reader has lent already; owned.</param>
/// <param name="Since">When it was put here.</param>
internal sealed record ParkedReader(IContent Content, long Position, long Limit, ContentReader Reader, ContentLease? Pending, long Since = 0)
{
    /// <summary>Lets it go, with all that it has ahead.</summary>
    public void GiveUp()
    {
        Pending?.Dispose();
        var closing = Reader.DisposeAsync();
        if (!closing.IsCompletedSuccessfully)
            _ = closing.AsTask();
    }
}
