using System.Diagnostics;
using System.Net.Http.Headers;
using System.Text.Json.Nodes;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;

namespace NzbDav.TorrentTester.Stages;

/// <summary>
/// From a .torrent that the server has not seen to an address that plays, and to its first MiB, by <c>POST /api/v1/play</c>: eight seeders
/// of 10 MB/s, which the tracker tells. The server has played another torrent before.
/// </summary>
internal static class PlayStage
{
    private const int FirstBytes = 1 << 20;

    public static async Task RunAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        if (DotnetHost.Server is not { } assembly)
        {
            Console.WriteLine("play: left out, the server is not beside this program. Run: nzbdav --test-torrent");
            return;
        }

        foreach (var trip in options.RoundTrips)
        {
            var (addresses, firsts) = (new List<double>(), new List<double>());
            await using var server = await ServerProcess.StartAsync(assembly, cancellationToken);
            for (var round = 0; round <= Math.Max(3, options.Rounds); round++)
            {
                // The sizes make torrents of their own.
                var size = StreamStages.Huge - (round * StreamStages.PieceLength);
                await using var swarm = await SwarmProcess.StartAsync(
                    8, trip, 10_000_000, size, StreamStages.PieceLength, cancellationToken);
                var watch = Stopwatch.StartNew();
                var address = await PlayAsync(server, swarm, cancellationToken);
                var took = watch.Elapsed.TotalMilliseconds;
                await using (var reader = await DavReader.OpenAsync(
                    server.Http, address, 0, FirstBytes, StreamStages.NewCheck(), cancellationToken))
                    await reader.DrainAsync(cancellationToken);
                if (round == 0)
                    continue;
                addresses.Add(took);
                firsts.Add(watch.Elapsed.TotalMilliseconds);
            }

            addresses.Sort();
            firsts.Sort();
            add(new Figure(StreamStages.Name("play", trip), "address after, median", addresses[addresses.Count / 2], "ms"));
            add(new Figure(StreamStages.Name("play", trip), "first MiB after, median", firsts[firsts.Count / 2], "ms"));
            add(new Figure(StreamStages.Name("play", trip), "first MiB after, longest", firsts[^1], "ms"));
        }
    }

    private static async Task<string> PlayAsync(ServerProcess server, SwarmProcess swarm, CancellationToken cancellationToken)
    {
        // Its one file has no name of a video.
        var name = Uri.EscapeDataString(swarm.Metainfo.Info.Files[0].Path);
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(server.Http.BaseAddress!, $"/api/v1/play?name={name}"))
        { Content = new ByteArrayContent(swarm.TorrentFile) };
        request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/x-bittorrent");
        request.Headers.Add("X-Api-Key", server.Key);
        using var response = await server.Http.SendAsync(request, cancellationToken);
        var text = await response.Content.ReadAsStringAsync(cancellationToken);
        return response.IsSuccessStatusCode ? JsonNode.Parse(text)!["path"]!.GetValue<string>()
            : throw new InvalidDataException($"POST /api/v1/play: {response.StatusCode} {text}");
    }
}
