using System.Net.Sockets;
using System.Text;

namespace NzbDav.Usenet.Tests.Nntp;

/// <summary>The server's end of one connection.</summary>
internal sealed class ScriptedPeer(Socket socket, Stream stream, CancellationToken stop)
{
    /// <summary>Sends lines, or anything else, as UTF-8.</summary>
    public Task SayAsync(string text) => SendAsync(Encoding.UTF8.GetBytes(text));

    /// <summary>Sends bytes.</summary>
    public async Task SendAsync(ReadOnlyMemory<byte> bytes)
    {
        await stream.WriteAsync(bytes, stop);
        await stream.FlushAsync(stop);
    }

    /// <summary>The next line the client sends, without its end; null when it left.</summary>
    public async Task<string?> HearAsync()
    {
        var line = new List<byte>();
        var one = new byte[1];
        while (await stream.ReadAsync(one, stop) == 1)
        {
            if (one[0] == '\n')
                return Encoding.UTF8.GetString([.. line]).TrimEnd('\r');
            line.Add(one[0]);
        }

        return null;
    }

    /// <summary>Hears a line and answers.</summary>
    public async Task<string?> AnswerAsync(string answer)
    {
        var line = await HearAsync();
        await SayAsync(answer);
        return line;
    }

    /// <summary>Ends the connection by FIN, or by RST.</summary>
    public void Close(bool reset = false)
    {
        if (reset)
            socket.LingerState = new LingerOption(true, 0);
        socket.Close();
    }
}
