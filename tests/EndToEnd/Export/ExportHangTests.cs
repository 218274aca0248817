using System.Collections;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
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
/// Export folders whose disk does not answer for long: nothing else waits for it, and the export continues soon after it answers.
/// </summary>
public sealed class ExportHangTests : IAsyncLifetime
{
    private readonly ManualTimeProvider _time = new();
    private readonly NewsServers _news = new();
    private readonly Folder _target = new();
    private readonly Folder _other = new();
    private Gateway _gateway = null!;

    public async ValueTask InitializeAsync()
    {
        _gateway = await Gateway.StartAsync(_news);
        await ImportAsync("One");
    }

    public async ValueTask DisposeAsync()
    {
        await _gateway.DisposeAsync();
        await _news.DisposeAsync();
        _target.Dispose();
        _other.Dispose();
    }

    [Fact]
    public async Task After_a_pass_of_eight_hours_changes_wait_for_a_minute_at_most()
    {
        var wanted = new SlowList(OptionsOf(_target), () => _time.Advance(TimeSpan.FromHours(8)));
        using var keeper = await StartAsync(new(wanted), NullLogger<TwinKeeper>.Instance);
        await Deadline.UntilAsync(() => keeper.Status is [{ Files: 1 }], "the first is written");
        await Deadline.UntilAsync(() => _time.NextDue is { } due && due != TwinKeeper.FolderTimeout, "it rests");
        var rest = _time.NextDue!.Value;
        Assert.InRange(rest, TwinKeeper.MaxPause, TwinKeeper.MaxPause + TimeSpan.FromSeconds(1));

        await ImportAsync("Two");
        _time.Advance(rest);
        await Deadline.UntilAsync(() => keeper.Status is [{ Files: 2 }], "the second is written");
        await keeper.StopAsync(Deadline.Token);
    }

    [Fact]
    public async Task A_folder_that_hangs_does_not_hold_up_the_others_and_catches_up_afterwards()
    {
        using var log = new HangingLogger(_target.Path);
        using var keeper = await StartAsync(new([OptionsOf(_target), OptionsOf(_other)]), log);
        await HangAsync(log);
        await Deadline.UntilAsync(() => keeper.Status is [_, { Files: 1 }], "the other folder is filled");

        await ImportAsync("Two");
        await Deadline.UntilAsync(() => Passed(() => keeper.Status is [_, { Files: 2 }]), "the other folder follows");
        Assert.Equal(TwinState.Waiting, keeper.Status[0].State);
        Assert.False(Directory.Exists(Path.Combine(_target.Path, "Two")));

        log.Answer();
        await Deadline.UntilAsync(() => Passed(() => keeper.Status is [{ Files: 2 }, _]), "the folder catches up");
        await keeper.StopAsync(Deadline.Token);
    }

    [Fact]
    public async Task Options_that_change_while_the_folder_hangs_take_effect_afterwards()
    {
        using var log = new HangingLogger(_target.Path);
        var wanted = new Live<IReadOnlyList<ExportOptions>>([OptionsOf(_target), OptionsOf(_other)]);
        using var keeper = await StartAsync(wanted, log);
        await HangAsync(log);
        await Deadline.UntilAsync(() => keeper.Status is [_, { Files: 1 }], "the other folder is filled");

        // The second is no longer wanted, so the hanging one is all there is.
        wanted.Value = [OptionsOf(_target) with { Details = true }];
        await Deadline.UntilAsync(() => Passed(() => keeper.Status.Count == 1), "the other folder is left alone");
        Assert.False(keeper.Status[0].Options.Details);

        log.Answer();
        await Deadline.UntilAsync(
            () => Passed(() => keeper.Status is [{ Options.Details: true, Files: 2 }]), "a film and its details are there");
        Assert.Equal(["one.nfo", "one.strm"],
            Directory.EnumerateFiles(Path.Combine(_target.Path, "One")).Select(Path.GetFileName).Order(StringComparer.Ordinal));
        Assert.Empty(log.Warnings);
        await keeper.StopAsync(Deadline.Token);
    }

    /// <summary>Returns when the pass over the folder hangs, and the keeper has lost its patience with it.</summary>
    private async Task HangAsync(HangingLogger log)
    {
        await log.Hangs.WaitAsync(Deadline.Token);
        await _time.WhenArmedAsync(1, Deadline.Token);
        _time.Advance(TwinKeeper.FolderTimeout);
    }

    private Task ImportAsync(string name) => _gateway.ImportAsync(name, _news.Post(name.ToLowerInvariant() + ".mkv", 10_000));

    private async Task<TwinKeeper> StartAsync(Live<IReadOnlyList<ExportOptions>> wanted, ILogger<TwinKeeper> log)
    {
        var services = _gateway.Services;
        var keeper = new TwinKeeper(
            services.GetRequiredService<CatalogDatabase>(), services.GetRequiredService<TreeStore>(),
            services.GetRequiredService<UnwantedItems>(), wanted, services.GetRequiredService<ViewLinks>(), _time, log);
        await keeper.StartAsync(Deadline.Token);
        return keeper;
    }

    /// <summary>Advances the clock by a minute if the condition does not hold yet.</summary>
    private bool Passed(Func<bool> isSo)
    {
        if (isSo())
            return true;
        _time.Advance(TimeSpan.FromMinutes(1));
        return false;
    }

    private static ExportOptions OptionsOf(Folder folder) =>
        new() { Folder = folder.Path, Category = "movies", Addresses = true, AddressRoot = "http://127.0.0.1:1", Follows = true };

    /// <summary>One folder; something happens while the list is read for the first time.</summary>
    private sealed class SlowList(ExportOptions options, Action first) : IReadOnlyList<ExportOptions>
    {
        private Action? _first = first;

        public int Count => 1;

        public ExportOptions this[int index] => options;

        public IEnumerator<ExportOptions> GetEnumerator()
        {
            Interlocked.Exchange(ref _first, null)?.Invoke();
            yield return options;
        }

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    /// <summary>Holds the first pass over a folder, where it says that it wrote something.</summary>
    private sealed class HangingLogger(string folder) : ILogger<TwinKeeper>, IDisposable
    {
        private readonly RecordingLogger<TwinKeeper> _entries = new();
        private readonly TaskCompletionSource _hangs = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly ManualResetEventSlim _answers = new();

        /// <summary>Completes when the pass hangs.</summary>
        public Task Hangs => _hangs.Task;

        public IEnumerable<string> Warnings =>
            _entries.Entries.Where(static entry => entry.Level >= LogLevel.Warning).Select(static entry => entry.Message);

        public void Answer() => _answers.Set();

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            _entries.Log(logLevel, eventId, state, exception, formatter);
            if (formatter(state, exception).StartsWith($"Updated {folder}:", StringComparison.Ordinal) && _hangs.TrySetResult())
                _answers.Wait(Deadline.Token);
        }

        public void Dispose() => _answers.Dispose();
    }
}
