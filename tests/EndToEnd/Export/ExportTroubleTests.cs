using System.Security.Cryptography;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Twins;
using NzbDav.Library.Export;
using NzbDav.WebDav.View;

namespace NzbDav.EndToEnd.Tests.Export;

/// <summary>
/// Export folders that become unwritable or vanish: the reason is reported, nothing is lost, and the export continues once they are back.
/// </summary>
public sealed class ExportTroubleTests : IAsyncLifetime
{
    private readonly ManualTimeProvider _time = new();
    private readonly RecordingLogger<TwinKeeper> _log = new();
    private readonly NewsServers _news = new();
    private readonly Folder _above = new();
    private Gateway _gateway = null!;
    private string? _where;

    private string Target => _where ?? Path.Combine(_above.Path, "movies");

    public async ValueTask InitializeAsync()
    {
        _gateway = await Gateway.StartAsync(_news);
        await ImportAsync("One");
    }

    public async ValueTask DisposeAsync()
    {
        await _gateway.DisposeAsync();
        await _news.DisposeAsync();
        _above.Dispose();
    }

    [Fact]
    public async Task Continues_when_a_folder_that_vanished_is_back()
    {
        Directory.CreateDirectory(Target);
        using var keeper = await StartAsync();
        await UntilAsync(keeper, TwinState.Current);
        await File.WriteAllTextAsync(Path.Combine(Target, "One/poster.jpg"), "somebody's");
        var before = Digests();

        Directory.Move(Target, Target + "-away");
        await ImportAsync("Two");
        var status = await UntilAsync(keeper, TwinState.Failed);
        Assert.Equal((1, $"{Target} does not exist. Is it mounted? It is filled as soon as it exists."), (status.Files, status.Problem));
        Assert.Equal([(LogLevel.Warning, status.Problem!)], Said());
        Assert.False(Directory.Exists(Target));

        // Nothing notifies the export: its next attempt finds the folder.
        Directory.Move(Target + "-away", Target);
        Assert.Equal(before, Digests());
        Assert.Equal(2, (await UntilAsync(keeper, TwinState.Current)).Files);
        Assert.Equal(["One/one.strm", "One/poster.jpg", "Two/two.strm"], Digests().Keys);
        Assert.Equal(before, Digests().Where(static pair => pair.Key.StartsWith("One/", StringComparison.Ordinal)));
        Assert.Contains((LogLevel.Information, $"{Target} can be written again and is kept in step with its category."), _log.Entries);
        await keeper.StopAsync(Deadline.Token);
    }

    [Fact]
    public async Task Writes_to_the_folder_at_the_path_after_the_open_one_was_moved_away()
    {
        Directory.CreateDirectory(Target);
        using var keeper = await StartAsync();
        await UntilAsync(keeper, TwinState.Current);
        var away = Target + "-away";
        Directory.Move(Target, away);
        Copy(away, Target);
        await ImportAsync("Two");
        await Deadline.UntilAsync(() => Passed(() => keeper.Status is [{ Files: 2 }]), "the second is written");
        Assert.Equal(["One/one.strm", "Two/two.strm"], Digests().Keys);
        Assert.False(Directory.Exists(Path.Combine(away, "Two")));
        await keeper.StopAsync(Deadline.Token);
    }

    [Fact]
    public async Task A_file_in_place_of_the_folder_is_kept_and_reported()
    {
        await File.WriteAllTextAsync(Target, "somebody's");
        using var keeper = await StartAsync();
        Assert.Contains("does not exist", (await UntilAsync(keeper, TwinState.Failed)).Problem, StringComparison.Ordinal);
        Assert.Equal("somebody's", await File.ReadAllTextAsync(Target));
        File.Delete(Target);
        Directory.CreateDirectory(Target);
        await UntilAsync(keeper, TwinState.Current);
        Assert.Equal(["One/one.strm"], Digests().Keys);
        await keeper.StopAsync(Deadline.Token);
    }

    [Fact]
    public async Task A_file_in_the_way_of_the_next_write_fails_the_folder_until_it_is_removed()
    {
        Directory.CreateDirectory(Target);
        using var keeper = await StartAsync();
        await UntilAsync(keeper, TwinState.Current);
        var before = Digests();
        var stage = Path.Combine(Target, ".nzbdav-export/new");
        await File.WriteAllTextAsync(stage, "");
        await ImportAsync("Two");
        var status = await UntilAsync(keeper, TwinState.Failed);
        Assert.StartsWith($"{Target} could not be updated: ", status.Problem, StringComparison.Ordinal);
        Assert.Contains(stage, status.Problem, StringComparison.Ordinal);
        Assert.Equal(before, Digests());
        File.Delete(stage);
        await UntilAsync(keeper, TwinState.Current);
        Assert.Equal(["One/one.strm", "Two/two.strm"], Digests().Keys);
        await keeper.StopAsync(Deadline.Token);
    }

    [Fact]
    public async Task A_folder_mounted_read_only_is_left_alone_until_it_is_writable()
    {
        using var disk = SmallDisk.TryMount(4 << 20);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        _where = disk.Path;
        await File.WriteAllTextAsync(Path.Combine(Target, "poster.jpg"), "somebody's");
        using (var keeper = await StartAsync())
        {
            await UntilAsync(keeper, TwinState.Current);
            await keeper.StopAsync(Deadline.Token);
        }

        disk.SetReadOnly(true);
        var before = Digests();
        await ImportAsync("Two");
        using (var keeper = await StartAsync())
        {
            var status = await UntilAsync(keeper, TwinState.Failed);
            Assert.StartsWith($"{Target} cannot be written: it is mounted read-only (", status.Problem, StringComparison.Ordinal);
            Assert.Equal([(LogLevel.Warning, status.Problem!)], Said());
            Assert.Equal(before, Digests());
            disk.SetReadOnly(false);
            await UntilAsync(keeper, TwinState.Current);
            Assert.Equal(["One/one.strm", "Two/two.strm", "poster.jpg"], Digests().Keys);
            await keeper.StopAsync(Deadline.Token);
        }
    }

    [Fact]
    public async Task A_full_disk_fails_the_folder_until_there_is_room()
    {
        using var disk = SmallDisk.TryMount(256 << 10);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        _where = disk.Path;
        using var keeper = await StartAsync();
        await UntilAsync(keeper, TwinState.Current);
        var before = Digests();
        var filler = disk.Fill();
        await ImportAsync("Two");
        Assert.StartsWith($"{Target} cannot be written: there is no room left (", (await UntilAsync(keeper, TwinState.Failed)).Problem,
            StringComparison.Ordinal);
        File.Delete(filler);
        await UntilAsync(keeper, TwinState.Current);
        Assert.Equal(["One/one.strm", "Two/two.strm"], Digests().Keys);
        Assert.Equal(before, Digests().Where(static pair => pair.Key.StartsWith("One/", StringComparison.Ordinal)));
        await keeper.StopAsync(Deadline.Token);
    }

    private Task ImportAsync(string name) => _gateway.ImportAsync(name, _news.Post(name.ToLowerInvariant() + ".mkv", 10_000));

    private async Task<TwinKeeper> StartAsync()
    {
        var services = _gateway.Services;
        var options = new ExportOptions
        { Folder = Target, Category = "movies", Addresses = true, AddressRoot = "http://127.0.0.1:1", Follows = true };
        var keeper = new TwinKeeper(
            services.GetRequiredService<CatalogDatabase>(), services.GetRequiredService<TreeStore>(),
            services.GetRequiredService<UnwantedItems>(), new Live<IReadOnlyList<ExportOptions>>([options]),
            services.GetRequiredService<ViewLinks>(), _time, _log);
        await keeper.StartAsync(Deadline.Token);
        return keeper;
    }

    private async Task<TwinStatus> UntilAsync(TwinKeeper keeper, TwinState state)
    {
        await Deadline.UntilAsync(() => Passed(() => keeper.Status is [var status] && status.State == state), state.ToString());
        return keeper.Status[0];
    }

    /// <summary>Advances the clock by a minute if the condition does not hold yet.</summary>
    private bool Passed(Func<bool> isSo)
    {
        if (isSo())
            return true;
        _time.Advance(TimeSpan.FromMinutes(1));
        return false;
    }

    private IEnumerable<(LogLevel Level, string Message)> Said() => _log.Entries.Where(static entry => entry.Level >= LogLevel.Warning);

    /// <summary>The files of the folder with their contents.</summary>
    private SortedDictionary<string, string> Digests() => new(
        Directory.EnumerateFiles(Target, "*", SearchOption.AllDirectories).Where(static path =>
            !path.Contains("/.nzbdav-export/", StringComparison.Ordinal) && !path.EndsWith("/filler", StringComparison.Ordinal))
            .ToDictionary(
                path => Path.GetRelativePath(Target, path), static path => Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(path)))),
        StringComparer.Ordinal);

    private static void Copy(string from, string to)
    {
        foreach (var folder in Directory.EnumerateDirectories(from, "*", SearchOption.AllDirectories).Prepend(from))
            Directory.CreateDirectory(Path.Join(to, folder[from.Length..]));
        foreach (var file in Directory.EnumerateFiles(from, "*", SearchOption.AllDirectories)
            .Where(static file => Path.GetFileName(file) != "lock"))
            File.Copy(file, Path.Join(to, file[from.Length..]));
    }
}
