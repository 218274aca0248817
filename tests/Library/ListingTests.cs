using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.WebDav;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Tests;

/// <summary>A job with 100,000 files.</summary>
[Collection(nameof(Alone))]
public class ListingTests
{
    private const int Count = 100_000;

    [Fact]
    public async Task DAV_12_the_catalog_is_read_page_by_page_as_the_client_reads()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync(
            "tv", "Pack", [.. Enumerable.Range(0, Count).Select(i => $"Some.Show.S01E{i:D6}.1080p.WEB.H264-GROUP.mkv")]);

        // Reads one page for the first child, and never a list of all children.
        var folder = (IStoreCollection)(await library.FindAsync("/content/tv/Pack"))!;
        var before = library.Database.Reads;
        var found = 0;
        long atFirst = 0;
        var memory = GC.GetTotalMemory(forceFullCollection: true);
        long grown = 0;
        await foreach (var child in folder.GetChildrenAsync(CancellationToken.None))
        {
            if (found++ == 0)
                atFirst = library.Database.Reads - before;
            if (found % 20_000 == 0)
                grown = Math.Max(grown, GC.GetTotalMemory(forceFullCollection: true) - memory);
        }

        Assert.Equal(Count, found);
        Assert.Equal(1, atFirst);
        Assert.True(grown < 4 << 20, $"{grown} bytes more in the middle of it");

        await OverTheWireAsync(library);
    }

    private static async Task OverTheWireAsync(LibraryFixture library)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(server => server.Listen(IPAddress.Loopback, 0));
        builder.Services.AddSingleton<IStore>(library.Store);
        builder.Services.AddLogging();
        builder.Services.AddWebDav(options => options.Anonymous = true);
        await using var app = builder.Build();
        app.MapWebDav("/dav");
        await app.StartAsync();
        for (var round = 0; round < 2; round++)
        {
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 64 << 10 };
            await socket.ConnectAsync(IPAddress.Loopback, new Uri(app.Urls.First()).Port);
            var before = library.Database.Reads;
            var clock = Stopwatch.StartNew();
            await socket.SendAsync(
                Encoding.ASCII.GetBytes("PROPFIND /dav/content/tv/Pack HTTP/1.1\r\nHost: x\r\nDepth: 1\r\nConnection: close\r\n\r\n"));
            var buffer = new byte[256 << 10];
            long bytes = await socket.ReceiveAsync(buffer.AsMemory(0, 1000));
            var first = clock.Elapsed;

            // A client that stops reading stops the server from reading more: what is in flight fits the buffers of two sockets.
            var pages = library.Database.Reads - before;
            Assert.True(pages < 100, $"{pages} pages of 196 were read before the first bytes were taken");
            while (await socket.ReceiveAsync(buffer) is var read and > 0)
                bytes += read;
            Console.WriteLine(
                $"{bytes} bytes: first after {first.TotalMilliseconds:F1} ms, {Count / clock.Elapsed.TotalSeconds:F0} entries/s");
            Assert.True(bytes > Count * 350L, $"{bytes} bytes");
        }
    }
}
