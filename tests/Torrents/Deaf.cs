using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Tests;

/// <summary>Ignores all notifications about pieces.</summary>
internal sealed class Deaf : IPieceEvents
{
    public void PieceDropped(int piece, bool forRoom)
    {
    }

    public void PieceFound(int piece)
    {
    }

    public int Attempt => 0;

    public void WriteFailed(Exception error, int attempt)
    {
    }

    public void FilesMissing(string reason)
    {
    }
}
