using System.Diagnostics;
using System.Globalization;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Library.Filling;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.EndToEnd.Tests.Reading;

/// <summary>Players keep playing behind missing articles: real demuxers with real films.</summary>
public sealed class FillingTests : IDisposable
{
    private const int Article = 20_000;
    private const int Frames = 500;
    private const int Lost = 4;

    private readonly string _folder = Directory.CreateTempSubdirectory("nzbdav-filling-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("film.mkv", "-c:v mpeg4 -c:a aac")]
    [InlineData("film.mp4", "-c:v mpeg4 -c:a aac")]
    [InlineData("film.avi", "-c:v mpeg4 -c:a mp3")]
    [InlineData("film.ts", "-c:v mpeg2video -c:a mp2")]
    [InlineData("film.m2ts", "-c:v mpeg2video -c:a mp2 -mpegts_m2ts_mode 1")]
    public async Task Ffmpeg_and_mpv_keep_playing_after_the_holes(string name, string codecs)
    {
        if (await RunAsync("ffmpeg", "-version") is null)
            Needs.Skip("ffmpeg is not installed.");
        var local = Path.Combine(_folder, name);
        Assert.NotNull(await RunAsync(
            "ffmpeg", $"-v error -y -f lavfi -i testsrc=size=640x360:rate=25 -f lavfi -i sine -t 20 -b:v 3M -g 50 -ac 2 {codecs} {local}"));
        await using var news = new NewsServers();
        var posted = news.Store.AddFile(
            name, new MemorySource(await File.ReadAllBytesAsync(local)), new PostOptions { ArticleSize = Article });

        // The film is so short that its start on the disk would hold the first hole.
        await using var gateway = await Gateway.StartAsync(
            news, change: static settings => settings with { Holes = HolePolicy.Zeros, StartsMiB = 0 });
        var path = await gateway.ImportAsync("film", posted) + "/" + name;
        var (first, second) = (posted.Segments.Count * 2 / 5, posted.Segments.Count * 7 / 10);
        news.Fault(Fault.Missing, FaultTarget.Indexes(posted, [.. Enumerable.Range(first, Lost), .. Enumerable.Range(second, Lost)]));
        gateway.ForgetArticles();

        var address = $"{new Uri(gateway.Root).GetLeftPart(UriPartial.Scheme)}{Gateway.User}:{Uri.EscapeDataString(Gateway.Password)}@{new Uri(gateway.Root).Authority}{path}";
        var stamps = (await RunAsync("ffprobe", $"-v quiet -select_streams v -show_entries packet=pts_time -of csv=p=0 {address}"))!
            .Split('\n').Select(static line => double.TryParse(
                line.TrimEnd(',', '\r'), NumberStyles.Float, CultureInfo.InvariantCulture, out var time) ? time : 0).ToArray();
        Assert.True(stamps.Length > Frames * 6 / 10, $"{stamps.Length} of {Frames} frames are left");

        // An AVI numbers its frames without their times.
        Assert.True(stamps.Max() > (name.EndsWith(".avi", StringComparison.Ordinal) ? 12 : 19), $"the last frame is of {stamps.Max()} s");
        using (var api = OperatorClient.Of(gateway))
        {
            var stream = Assert.Single(
                (await api.AskAsync("GET", "/api/v1/streams")).Body.GetProperty("streams").EnumerateArray().ToArray());
            var filler = stream.GetProperty("filler");
            Assert.True(filler.GetProperty("bytes").GetInt64() >= 2 * Lost * Article, "it is told how much was filled");
            Assert.InRange(filler.GetProperty("article").GetInt32(), first + 1, second + Lost);
            Assert.EndsWith("Its post has no recovery data.", filler.GetProperty("reason").GetString(), StringComparison.Ordinal);
        }

        if (await RunAsync("mpv", "--version") is not null)
            Assert.Contains("(End of file)", await RunAsync("mpv", $"--no-config --vo=null --ao=null --untimed --no-audio {address}"),
                StringComparison.Ordinal);
        await gateway.AssertNothingLeaksAsync();
    }

    /// <summary>The output of a program; null where it is not installed.</summary>
    private static async Task<string?> RunAsync(string program, string arguments)
    {
        if (!Array.Exists(["/usr/bin", "/usr/local/bin"], folder => File.Exists(Path.Combine(folder, program))))
            return null;
        using var process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true
        })!;
        process.StandardInput.Close();
        using var deadline = new CancellationTokenSource(Deadline.Long);
        var errors = process.StandardError.ReadToEndAsync(deadline.Token);
        var said = await process.StandardOutput.ReadToEndAsync(deadline.Token);
        await process.WaitForExitAsync(deadline.Token);
        Assert.True(process.ExitCode == 0, $"{program} {arguments}: {await errors}");
        return said;
    }
}
