using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Tests;

/// <summary>Ignores all notifications about pieces.</summary>
internal sealed class Deaf : IStorageNews
{
    public void Dropped(int piece, bool forRoom)
    {
    }

    public void Found(int piece)
    {
    }

    public int Attempt => 0;

    public void WriteFailed(Exception error, int attempt)
    {
    }

    public void Missing(string reason)
    {
    }
}
