using System.Net.Sockets;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Checks;

/// <summary>A logged-in connection of a check. Owned by whoever opened it; disposal says goodbye, so that the server does not count it any more.</summary>
internal sealed class CheckedConnection(Stream stream) : IAsyncDisposable
{
    /// <summary>A server that does not read is not waited for.</summary>
    private static readonly TimeSpan GoodbyePatience = TimeSpan.FromMilliseconds(500);

    private const int Receive = 64 << 10;

    /// <summary>Asks and reads.</summary>
    public NntpLineReader Lines { get; } = new(stream, Receive);

    /// <summary>Answers are on their way: no word can be said any more.</summary>
    public bool IsBusy { get; set; }

    public async ValueTask DisposeAsync()
    {
        try
        {
            if (!IsBusy)
            {
                using var patience = new CancellationTokenSource(GoodbyePatience);
                await Lines.AskAsync("QUIT\r\n", patience.Token);
            }
        }
        catch (Exception error) when (error is IOException or SocketException or OperationCanceledException or ObjectDisposedException)
        {
            // It is gone, one way or the other.
        }

        await stream.DisposeAsync();
    }
}
