using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;

namespace NzbDav.EndToEnd.Tests.Settings;

/// <summary>Two processes with the same stored settings: each adopts what the other changes.</summary>
public sealed class SettingsBookTests : IAsyncLifetime
{
    private readonly Folder _folder = new();
    private CatalogSet _catalog = null!;
    private SettingsBook _here = null!;
    private SettingsBook _there = null!;

    public async ValueTask InitializeAsync()
    {
        _catalog = await CatalogSet.OpenAsync(TestEngine.Options(_folder.Path), TimeProvider.System, Deadline.Token);
        (_here, _there) = (await OpenAsync(), await OpenAsync());
    }

    public async ValueTask DisposeAsync()
    {
        _here.Dispose();
        _there.Dispose();
        await _catalog.DisposeAsync();
        _folder.Dispose();
    }

    [Fact]
    public async Task A_change_that_is_stored_while_another_is_being_applied_is_adopted_after_it()
    {
        var (own, adopted) = (new ConcurrentQueue<int>(), new ConcurrentQueue<int>());
        var applying = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var applied = new ManualResetEventSlim();
        _here.Changed += settings => own.Enqueue(settings.Import.Workers);
        _there.Changed += settings =>
        {
            adopted.Enqueue(settings.Import.Workers);
            if (applying.TrySetResult())
                applied.Wait(Deadline.Token);
        };

        await ChangeAsync(5);
        await applying.Task.WaitAsync(Deadline.Token);
        await ChangeAsync(7);
        applied.Set();

        await Deadline.UntilAsync(() => adopted.Count == 2, "the second is adopted");
        Assert.Equal(7, _there.Current.Import.Workers);
        Assert.Equal([5, 7], adopted);
        Assert.Equal([5, 7], own);
    }

    /// <summary>WebDAV is as open as the page.</summary>
    [Fact]
    public async Task A_new_password_for_players_has_ten_characters()
    {
        Assert.Equal("WebDav:Password", Assert.Single(await SetAsync("too short")).Path);
        Assert.Empty(await SetAsync("long enough"));

        async Task<IReadOnlyList<SettingFault>> SetAsync(string password) => await _here.ChangeAsync(
            new Dictionary<string, string?> { ["WebDav:Username"] = "anna", ["WebDav:Password"] = password }, movesSecrets: false,
            Deadline.Token);
    }

    [Fact]
    public async Task A_change_that_cannot_be_applied_is_logged_and_the_next_one_is_adopted()
    {
        var log = new RecordingLogger<SettingsBook>();
        _there.Logger = log;
        var failed = false;
        _there.Changed += _ =>
        {
            if (!failed)
            {
                failed = true;
                throw new InvalidOperationException("A bug.");
            }
        };

        await ChangeAsync(5);
        await Deadline.UntilAsync(() => log.Entries.Count == 1, "it is logged");
        Assert.Equal((LogLevel.Error, "Settings changed by another process could not be applied completely."), Assert.Single(log.Entries));

        await ChangeAsync(7);
        await Deadline.UntilAsync(() => _there.Current.Import.Workers == 7, "the next one is adopted");
    }

    private async Task ChangeAsync(int workers) =>
        Assert.Empty(await _here.ChangeAsync(
            new Dictionary<string, string?> { ["Import:Workers"] = $"{workers}" }, movesSecrets: false, Deadline.Token));

    private async Task<SettingsBook> OpenAsync()
    {
        var (book, faults) = await SettingsBook.OpenAsync(
            Gateway.Sources(new Dictionary<string, string?>()), _catalog.Settings, _folder.Path, overlay: null, Deadline.Token);
        Assert.Empty(faults);
        return book!;
    }
}
