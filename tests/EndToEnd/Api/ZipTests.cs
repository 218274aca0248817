using System.Diagnostics;
using System.IO.Compression;
using System.Net;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.EndToEnd.Tests.Api;

/// <summary>A folder downloaded as one .zip.</summary>
public sealed class ZipTests
{
    [Fact]
    public async Task A_folder_downloads_as_a_zip_whole_or_in_ranges_and_breaks_at_a_missing_article()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var files = new[] { news.Post("film.mkv", 3_000_000), news.Post("extra.mkv", 1_000_000) };
        await gateway.ImportAsync("Film", files);
        using var api = OperatorClient.Of(gateway);
        var address = $"/api/v1/files/{await api.IdAsync("/content/movies", "Film")}/zip";
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        http.DefaultRequestHeaders.Add("X-Api-Key", File.ReadAllText(Path.Combine(gateway.ConfigFolder, "keys", "api")));

        using var head = await http.SendAsync(new HttpRequestMessage(HttpMethod.Head, address));
        var (length, tag) = (head.Content.Headers.ContentLength!.Value, head.Headers.ETag!);
        Assert.Equal(("application/zip", "bytes"), (head.Content.Headers.ContentType!.MediaType, head.Headers.AcceptRanges.Single()));

        // Reads the end first, when nothing is known of the files yet.
        var assembled = new byte[length];
        long[] cuts = [length, length - 100, 2_500_000, 2_000_000, 1, 0];
        foreach (var (end, start) in cuts.Zip(cuts.Skip(1)))
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, address);
            request.Headers.Range = new RangeHeaderValue(start, end - 1);
            request.Headers.IfRange = new RangeConditionHeaderValue(tag);
            using var response = await http.SendAsync(request);
            Assert.Equal(HttpStatusCode.PartialContent, response.StatusCode);
            (await response.Content.ReadAsByteArrayAsync()).CopyTo(assembled, start);
        }

        var whole = await http.GetByteArrayAsync(address);
        Assert.Equal(whole, assembled);
        using var archive = new ZipArchive(new MemoryStream(whole));
        foreach (var file in files)
        {
            await using var stream = await archive.GetEntry("Film/" + file.Name)!.OpenAsync();
            Assert.Equal(DavClient.Digest(file, 0, file.Length), Convert.ToHexString(await SHA256.HashDataAsync(stream)), ignoreCase: true);
        }

        await UnzipAsync(whole);
        news.Fault(Fault.Missing, FaultTarget.Indexes(files[0], 2));
        gateway.ForgetArticles();
        await Assert.ThrowsAnyAsync<HttpRequestException>(() => http.GetByteArrayAsync(address));
    }

    [Fact]
    public async Task A_refused_zip_is_an_API_error()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var film = news.Post("film.mkv", 1_000_000);
        await gateway.ImportAsync("Film", film);
        using var api = OperatorClient.Of(gateway);
        var address = $"/api/v1/files/{await api.IdAsync("/content/movies", "Film")}/zip";
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        http.DefaultRequestHeaders.Add("X-Api-Key", File.ReadAllText(Path.Combine(gateway.ConfigFolder, "keys", "api")));
        Assert.Contains("not in the state", await RefusedAsync(HttpStatusCode.PreconditionFailed,
            request => request.Headers.TryAddWithoutValidation("If-Match", "\"another\"")), StringComparison.Ordinal);
        await RefusedAsync(
            HttpStatusCode.RequestedRangeNotSatisfiable, request => request.Headers.Range = new RangeHeaderValue(99_000_000, null));
        news.Fault(Fault.Missing, FaultTarget.Indexes(film, 0));
        gateway.ForgetArticles();
        Assert.Contains("is missing on every provider", await RefusedAsync(
            HttpStatusCode.NotFound, request => request.Headers.Range = new RangeHeaderValue(1_000, 2_000)), StringComparison.Ordinal);

        async Task<string> RefusedAsync(HttpStatusCode status, Action<HttpRequestMessage> configure)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, address);
            configure(request);
            using var response = await http.SendAsync(request);
            Assert.Equal((status, "application/json"), (response.StatusCode, response.Content.Headers.ContentType?.MediaType));
            return JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement.GetProperty("error").GetString()!;
        }
    }

    private static async Task UnzipAsync(byte[] zip)
    {
        const string Program = "/usr/bin/unzip";
        if (!File.Exists(Program))
            return;
        using var folder = new Folder();
        var path = Path.Combine(folder.Path, "film.zip");
        await File.WriteAllBytesAsync(path, zip);
        using var process = Process.Start(
            new ProcessStartInfo(Program, $"-tqq {path}") { UseShellExecute = false, RedirectStandardOutput = true })!;
        var output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, output);
    }
}
