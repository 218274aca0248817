using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Holding;
using NzbDav.Library.Holding;

namespace NzbDav.EndToEnd.Tests.Serving;

public sealed class LibraryWatchTests
{
    [Fact]
    public async Task Other_folders_and_another_interval_take_effect_at_once()
    {
        using var former = new Folder();
        using var library = new Folder();
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        await gateway.ImportAsync("Film", news.Post("film.mkv", 10_000));
        var (_, target) = await gateway.Client.AskAsync("GET", "/dav/completed-symlinks/movies/Film/film.mkv.rclonelink");
        File.CreateSymbolicLink(Path.Combine(library.Path, "film.mkv"), target);

        var time = new ManualTimeProvider();
        var readings = 0;
        var options = new Live<KeepingOptions>(new KeepingOptions { Folders = [former.Path], ReadEvery = TimeSpan.FromDays(1) });
        var (catalog, holds) = (gateway.Services.GetRequiredService<CatalogDatabase>(), gateway.Services.GetRequiredService<HoldStore>());
        var unwanted = gateway.Services.GetRequiredService<UnwantedItems>();
        await Deadline.UntilAsync(() => catalog.IsLeading, "it is the one that reads libraries");
        using var keeper = new LibraryKeeper(
            holds,
            unwanted,
            gateway.Services.GetRequiredService<UnwantedDeleter>(),
            gateway.Services.GetRequiredService<TreeStore>(),
            gateway.Services.GetRequiredService<AliasStore>(),
            Sources,
            static _ => new(new HashSet<string>()),
            options,
            NullLogger<LibraryKeeper>.Instance);
        using var watch = new LibraryWatch(catalog, unwanted, keeper, options, time, NullLogger<LibraryWatch>.Instance);
        await watch.StartAsync(Deadline.Token);
        await time.WhenArmedAsync(1, Deadline.Token);
        time.Advance(TimeSpan.FromMinutes(1));
        await Deadline.UntilAsync(() => keeper.Last is { Held: 0 }, "the first reading");

        // Options that are read at each use need no reading.
        await AdvanceAsync(TimeSpan.FromHours(1));
        options.Value = options.Value with { MostShare = 0.5 };
        options.Value = options.Value with { Folders = [library.Path] };
        await Deadline.UntilAsync(() => keeper.Last is { Held: 1 } last && last.At == time.GetUtcNow(), "the other folder is read");

        await AdvanceAsync(TimeSpan.FromHours(1));
        options.Value = options.Value with { ReadEvery = TimeSpan.FromMinutes(5), Folders = [library.Path] };
        await Deadline.UntilAsync(() => keeper.Last!.At == time.GetUtcNow(), "the folder is read when the interval changes");
        await AdvanceAsync(TimeSpan.FromMinutes(5));
        await Deadline.UntilAsync(() => keeper.Last!.At == time.GetUtcNow(), "the folder is read after the interval");
        Assert.Equal(4, readings);
        await watch.StopAsync(Deadline.Token);

        IReadOnlyList<ILibrarySource> Sources()
        {
            Interlocked.Increment(ref readings);
            return [.. options.Value.Folders.Select(folder => new LibraryFolder(folder, holds))];
        }

        // Between two readings the end of the interval is all that it waits for.
        async Task AdvanceAsync(TimeSpan by)
        {
            await time.WhenArmedAsync(1, Deadline.Token);
            time.Advance(by);
        }
    }
}
