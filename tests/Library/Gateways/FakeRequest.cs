using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace NzbDav.Library.Tests.Gateways;

/// <summary>A request that a <see cref="FakeGateway"/> has received.</summary>
/// <param name="Target">Path as it was sent.</param>
/// <param name="Start">First byte asked for.</param>
/// <param name="End">One past the last.</param>
/// <param name="Socket">The connection.</param>
internal sealed record FakeRequest(string Target, long Start, long End, Socket Socket)
{
    /// <summary>Sends the range as a gateway does.</summary>
    public async Task AnswerAsync(byte[] file)
    {
        await SendHeadAsync(file.Length);
        await SendAsync(file.AsMemory((int)Start, (int)(End - Start)));
    }

    /// <summary>Sends the headers of the range.</summary>
    /// <param name="length">Size of the file.</param>
    public Task SendHeadAsync(long length) =>
        SendHeadAsync("206 Partial Content", string.Create(CultureInfo.InvariantCulture, $"bytes {Start}-{End - 1}/{length}"), End - Start);

    public Task SendHeadAsync(string status, string? range, long length) => SendAsync(Encoding.ASCII.GetBytes(
        $"HTTP/1.1 {status}\r\nContent-Length: {length}\r\n"
            + (range is null ? "Content-Type: text/plain; charset=utf-8\r\n\r\n" : $"Content-Range: {range}\r\n\r\n")));

    public async Task SendAsync(ReadOnlyMemory<byte> bytes)
    {
        while (bytes.Length > 0)
            bytes = bytes[await Socket.SendAsync(bytes)..];
    }

    /// <summary>Closes the connection in the middle of whatever is being sent.</summary>
    /// <param name="reset">True: with RST.</param>
    public void Break(bool reset)
    {
        if (reset)
            Socket.LingerState = new LingerOption(enable: true, seconds: 0);
        Socket.Close();
    }
}
