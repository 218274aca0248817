using System.Globalization;
using System.Text.Json.Nodes;
using NzbDav.Arr.Client;
using NzbDav.Arr.Library;
using NzbDav.Arr.Repair;
using NzbDav.Fakes;

namespace NzbDav.Arr.Tests;

/// <summary>Targets of an application's files, and whether a download was imported. Uncertainty is an error.</summary>
public sealed class LibraryTests : IDisposable
{
    private static readonly DateTimeOffset Published = new(2030, 1, 2, 0, 0, 0, TimeSpan.Zero);

    private readonly string _folder = Directory.CreateTempSubdirectory("nzbdav-arr-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Links_and_strm_files_in_the_list_are_read_and_other_files_are_not_links()
    {
        await using var sonarr = await SonarrAsync("a.mkv", "b.strm", "c.mkv", "gone.mkv");
        File.CreateSymbolicLink(Path.Combine(_folder, "Show", "a.mkv"), "/mnt/nzbdav/.ids/1/2/3/4/5/0000000000012345");
        File.WriteAllText(Path.Combine(_folder, "Show", "b.strm"), "http://nas/view/token/b.mkv\n");
        File.WriteAllText(Path.Combine(_folder, "Show", "c.mkv"), "a film");
        var read = (await ReadAsync(sonarr)).Value!;
        Assert.Null(read.Unseen);
        Assert.Equal([("/tv/Show/a.mkv", "/mnt/nzbdav/.ids/1/2/3/4/5/0000000000012345"),
            ("/tv/Show/b.strm", "http://nas/view/token/b.mkv")], read.Links.Select(link => (link.Path, link.Target)));
    }

    [Fact]
    public async Task Radarr_returns_its_files_with_the_films()
    {
        await using var radarr = await FakeArr.StartAsync(ArrApplication.Radarr);
        Directory.CreateDirectory(Path.Combine(_folder, "Show"));
        File.CreateSymbolicLink(Path.Combine(_folder, "Show", "a.mkv"), "target");
        radarr.Owners.Add(FakeArr.Parse("""{"id":1,"title":"A","movieFile":{"id":2,"movieId":1,"path":"/tv/Show/a.mkv"}}"""));
        radarr.Owners.Add(FakeArr.Parse("""{"id":2,"title":"B"}"""));
        Assert.Equal("target", Assert.Single((await ReadAsync(radarr)).Value!.Links).Target);
    }

    [Theory]
    [InlineData("rootfolder")]
    [InlineData("series")]
    [InlineData("episodefile")]
    public async Task An_incomplete_answer_is_an_error(string resource)
    {
        await using var sonarr = await SonarrAsync("a.mkv");
        File.CreateSymbolicLink(Path.Combine(_folder, "Show", "a.mkv"), "target");
        sonarr.Before = http =>
        {
            if (!http.Request.Path.Value!.EndsWith("/" + resource, StringComparison.Ordinal))
                return Task.FromResult(false);
            http.Response.StatusCode = 500;
            return Task.FromResult(true);
        };
        Assert.NotNull((await ReadAsync(sonarr)).Error);
    }

    [Fact]
    public async Task A_list_without_any_visible_file_is_reported_as_not_visible()
    {
        await using var sonarr = await SonarrAsync("a.mkv");
        var unseen = (await ReadAsync(sonarr)).Value!.Unseen;
        Assert.Contains(
            "none of its 1 files in /tv can be seen from here: set LibraryPath and LibraryPathHere", unseen, StringComparison.Ordinal);

        // Each root folder is judged by itself: another one may be visible.
        sonarr.Roots.Add("/other");
        sonarr.Files.Add(FakeArr.Parse("""{"id":99,"seriesId":5,"path":"/other/x.mkv"}"""));
        File.CreateSymbolicLink(Path.Combine(_folder, "Show", "a.mkv"), "target");
        var read = (await ReadAsync(sonarr)).Value!;
        Assert.Contains("in /other can be seen", read.Unseen, StringComparison.Ordinal);
        Assert.Single(read.Links);
    }

    [Fact]
    public async Task A_file_in_an_unreadable_folder_does_not_count_as_missing()
    {
        await using var sonarr = await SonarrAsync("a.mkv", "closed/b.mkv", "c.strm");
        Unprivileged.SetMode(_folder, (UnixFileMode)0b111_101_101);
        File.CreateSymbolicLink(Path.Combine(_folder, "Show", "a.mkv"), "target");
        var closed = Directory.CreateDirectory(Path.Combine(_folder, "Show", "closed")).FullName;
        File.WriteAllText(Path.Combine(_folder, "Show", "c.strm"), "address");
        var links = new LibraryLinks([new("/tv", _folder)]);
        Assert.True(Unprivileged.Run(() => links.IsGone("/tv/Show/closed/b.mkv")));
        Unprivileged.SetMode(closed, UnixFileMode.None);
        Assert.False(Unprivileged.Run(() => links.IsGone("/tv/Show/closed/b.mkv")));
        Assert.False(Unprivileged.Run(() => links.IsGone("/tv/Show/closed/deeper/b.mkv")));
        Assert.True(Unprivileged.Run(() => links.IsGone("/tv/Show/other/deeper/b.mkv")));
        Unprivileged.SetMode(closed, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);

        // An empty .strm file may be one that is just being written.
        File.WriteAllText(Path.Combine(_folder, "Show", "c.strm"), "");
        Assert.Contains("/tv/Show/c.strm cannot be read", (await ReadAsync(sonarr)).Value!.Unseen, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("grabbed", null, ArrDownload.Grabbed)]
    [InlineData("grabbed,downloadFailed", null, ArrDownload.Grabbed)]
    [InlineData("grabbed,downloadFolderImported", null, ArrDownload.Imported)]
    [InlineData("grabbed,trackFileImported", null, ArrDownload.Imported)]
    [InlineData("", null, ArrDownload.Unknown)]
    [InlineData("grabbed", "/mnt/nzbdav/completed-symlinks/tv/Show/a.mkv", ArrDownload.Imported)]
    [InlineData("grabbed", @"Z:\completed-symlinks\tv\show\a.mkv", ArrDownload.Imported)]
    [InlineData("grabbed", "/mnt/nzbdav/completed-symlinks/tv/Show 2/a.mkv", ArrDownload.Grabbed)]
    public async Task A_download_counts_as_imported_if_any_event_says_so(string events, string? droppedByHand, ArrDownload expected)
    {
        await using var sonarr = await FakeArr.StartAsync();
        foreach (var name in events.Split(',', StringSplitOptions.RemoveEmptyEntries))
            sonarr.History.Add(Event(sonarr, name, "id-1", null));
        sonarr.History.Add(Event(sonarr, "downloadFolderImported", "id-2", "/elsewhere/tv/Other/a.mkv"));
        if (droppedByHand is not null)
            sonarr.History.Add(Event(sonarr, "downloadFolderImported", null, droppedByHand));
        using var client = sonarr.Client();
        Assert.Equal((expected, null), await new ArrLibrary(client, new LibraryLinks([])).FindAsync("id-1", "tv/Show", Published));
    }

    [Theory]
    [InlineData("/history")]
    [InlineData("/history/since")]
    public async Task A_history_that_cannot_be_read_is_an_error(string path)
    {
        await using var sonarr = await FakeArr.StartAsync();
        sonarr.History.Add(Event(sonarr, "grabbed", "id-1", null));
        sonarr.Before = http =>
        {
            if (!http.Request.Path.Value!.EndsWith(path, StringComparison.Ordinal))
                return Task.FromResult(false);
            http.Response.StatusCode = 500;
            return Task.FromResult(true);
        };
        using var client = sonarr.Client();
        Assert.NotNull((await new ArrLibrary(client, new LibraryLinks([])).FindAsync("id-1", "tv/Show", Published)).Error);
    }

    private static JsonObject Event(FakeArr arr, string type, string? downloadId, string? dropped)
    {
        var row = new JsonObject
        {
            ["id"] = arr.History.Count + 1,
            ["seriesId"] = 5,
            ["eventType"] = type,
            ["date"] = Published.AddMinutes(arr.History.Count).ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture)
        };
        if (downloadId is not null)
            row["downloadId"] = downloadId;
        if (dropped is not null)
            row["data"] = new JsonObject { ["droppedPath"] = dropped, ["importedPath"] = "/tv/Show/x.mkv", ["fileId"] = "31" };
        return row;
    }

    private async Task<FakeArr> SonarrAsync(params string[] files)
    {
        Directory.CreateDirectory(Path.Combine(_folder, "Show"));
        var sonarr = await FakeArr.StartAsync();
        sonarr.Owners.Add(FakeArr.Parse("""{"id":5,"title":"Show","path":"/tv/Show"}"""));
        foreach (var file in files)
            sonarr.Files.Add(new JsonObject { ["id"] = 30 + sonarr.Files.Count, ["seriesId"] = 5, ["path"] = "/tv/Show/" + file });
        return sonarr;
    }

    private async Task<ArrResult<ArrLinks>> ReadAsync(FakeArr arr)
    {
        using var client = arr.Client();
        return await new ArrLibrary(client, new LibraryLinks([new("/tv", _folder)])).ReadAsync();
    }
}
