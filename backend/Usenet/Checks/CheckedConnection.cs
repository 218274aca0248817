using System.Net.Sockets;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Checks;

/// <summary>A logged-in connection of a check. Owned by whoever opened it. Disposal sends QUIT, so that the server stops counting it.</summary>
internal sealed class CheckedConnection(Stream stream) : IAsyncDisposable
{
    /// <summary>Longest wait for a server that does not read.</summary>
    private static readonly TimeSpan GoodbyePatience = TimeSpan.FromMilliseconds(500);

    private const int Receive = 64 << 10;

    /// <summary>Asks and reads.</summary>
    public NntpLineReader Lines { get; } = new(stream, Receive);

    /// <summary>True while answers are on their way: no command can be sent any more.</summary>
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
            // The connection is gone either way.
        }

        await stream.DisposeAsync();
    }
}
