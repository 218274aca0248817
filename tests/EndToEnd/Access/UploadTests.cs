using System.Net;
using System.Net.Sockets;
using System.Text;
using NzbDav.EndToEnd.Tests.Running;

namespace NzbDav.EndToEnd.Tests.Access;

/// <summary>Limits on what strangers can make the server read.</summary>
public sealed class UploadTests
{
    private const long Sent = 1L << 30;

    /// <summary>
    /// Memory that the runtime itself may take meanwhile: 11 MiB were seen on a busy machine. A thirtieth of what is sent.
    /// </summary>
    private const long Noise = 32 << 20;

    private const string Announced = "NzbDav serves WebDAV at ";
    private const string Part = "--xx\r\nContent-Disposition: form-data; name=\"name\"";

    /// <summary>
    /// A gigabyte each in a value, in a file, and in a URL-encoded form. The server reads as much as it accepts, answers at once, and
    /// disconnects after five seconds (Kestrel's limit for the rest of a body).
    /// </summary>
    [Fact]
    public async Task A_gigabyte_without_a_key_costs_neither_memory_nor_disk()
    {
        if (!OperatingSystem.IsLinux())
            return;
        await using var news = new NewsServers();
        using var folder = new Folder();
        var environment = ServerProcess.Environment(news);
        environment["NzbDav__Log__Level"] = "debug";
        await using var server = ServerProcess.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        using var client = await server.ClientAsync();
        var root = new Uri((await server.LineAsync(Announced))[Announced.Length..]);

        // Its own first reads take memory, too.
        await server.LineAsync("Warmed up in");
        var cache = Path.Combine(folder.Path, "cache");
        (string Type, string Head)[] forms =
        [
            ("multipart/form-data; boundary=xx", $"{Part}\r\n\r\n"),
            ("multipart/form-data; boundary=xx", $"{Part}; filename=\"a.nzb\"\r\n\r\n"),
            ("application/x-www-form-urlencoded", "name="),
        ];
        foreach (var (type, head) in forms)
            await SendAsync(root, type, head, 1 << 20, cache);
        var before = server.PeakMemory;
        foreach (var (type, head) in forms)
            await SendAsync(root, type, head, Sent, cache);
        Assert.InRange(server.PeakMemory - before, 0, Noise);
        Assert.Equal(HttpStatusCode.OK, (await client.AskAsync("GET", "/health")).Status);
    }

    private static async Task SendAsync(Uri root, string type, string head, long length, string cache)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, root.Port);
        await socket.SendAsync(Encoding.ASCII.GetBytes(
            $"POST /api?mode=addfile HTTP/1.1\r\nHost: x\r\nContent-Type: {type}\r\nContent-Length: {length}\r\n\r\n{head}"));
        var answer = ReadAsync(socket);
        var piece = new byte[1 << 20];
        piece.AsSpan().Fill((byte)'a');
        try
        {
            for (var left = length - head.Length; left > 0;)
            {
                left -= await socket.SendAsync(piece.AsMemory(0, (int)Math.Min(left, piece.Length)), SocketFlags.None, Deadline.Token);
                Assert.False(
                    Directory.Exists(cache) && Directory.EnumerateFiles(cache).Any(IsOfAStranger), "a file of a stranger's is on the disk");
            }
        }
        catch (SocketException)
        {
            // The server has disconnected.
        }

        Assert.Contains("API Key Required", await answer, StringComparison.Ordinal);
    }

    /// <summary>True for all but the server's own reserve for a start on a full disk.</summary>
    private static bool IsOfAStranger(string path) => Path.GetFileName(path) != "reserve";

    private static async Task<string> ReadAsync(Socket socket)
    {
        var bytes = new byte[16 << 10];
        var count = await socket.ReceiveAsync(bytes, SocketFlags.None, Deadline.Token);
        return Encoding.UTF8.GetString(bytes, 0, count);
    }
}
