using System.Collections.Concurrent;
using System.Net;
using System.Text;
using System.Threading.Channels;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Api.Completion;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Settings;
using NzbDav.Fakes;
using NzbDav.Library;

namespace NzbDav.Api.Tests.Completion;

/// <summary>The mount is refreshed before the *arrs see a folder as complete.</summary>
public sealed class RcloneRefreshTests
{
    [Fact]
    public async Task SAB_08_a_job_is_visible_when_rclone_has_read_its_folder()
    {
        await using var sab = await SabFixture.OpenAsync();
        var before = await sab.CompleteAsync("before");
        sab.Time.Advance(TimeSpan.FromSeconds(1));
        await using var rclone = await RemoteControl.StartAsync();
        using var refresh = New(sab, rclone);
        await refresh.StartAsync(CancellationToken.None);
        Assert.True(refresh.IsVisible(before));
        var shown = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        refresh.Shown += () => shown.TrySetResult();

        var job = await sab.CompleteAsync("Film ü");
        Assert.Equal("/vfs/list {} Basic bWU6c2VjcmV0", await rclone.NextAsync());
        Assert.False(refresh.IsVisible(job));
        rclone.Answer.Writer.TryWrite((200, ""));
        var asked = await rclone.NextAsync();
        Assert.StartsWith("""/vfs/forget {"dir":"completed-symlinks/tv","dir2":"content/tv","file":".ids/""", asked, StringComparison.Ordinal);
        Assert.EndsWith(" Basic bWU6c2VjcmV0", asked, StringComparison.Ordinal);

        // The listings on the way to the new file's stable path, which a link leads to.
        var file = Assert.Single(await sab.Tree.ListAsync(job.ItemId!.Value, after: null, CancellationToken.None).ToListAsync());
        var names = LibraryStore.StablePath(file.Id).Trim('/').Split('/');
        Assert.Contains($"\"file6\":\"{string.Join('/', names)}\"", asked, StringComparison.Ordinal);
        Assert.Contains($"\"file\":\"{names[0]}/{names[1]}\"", asked, StringComparison.Ordinal);
        Assert.False(refresh.IsVisible(job));
        rclone.Answer.Writer.TryWrite((200, """{"forgotten":[]}"""));
        asked = await rclone.NextAsync();
        Assert.StartsWith("/vfs/refresh ", asked, StringComparison.Ordinal);
        Assert.Contains("completed-symlinks/tv/Film", asked, StringComparison.Ordinal);
        Assert.Contains("\"recursive\":\"true\"", asked, StringComparison.Ordinal);
        Assert.False(refresh.IsVisible(job));
        Assert.False(shown.Task.IsCompleted);
        rclone.Answer.Writer.TryWrite((200, ""));
        await shown.Task;
        Assert.True(refresh.IsVisible(job));
        await refresh.StopAsync(CancellationToken.None);
    }

    [Theory]
    [InlineData(500)]
    [InlineData(0)]
    public async Task A_mount_that_refuses_or_does_not_answer_delays_nothing_for_long(int status)
    {
        await using var sab = await SabFixture.OpenAsync();
        await using var rclone = await RemoteControl.StartAsync();
        using var refresh = New(sab, rclone);
        await refresh.StartAsync(CancellationToken.None);
        var job = await sab.CompleteAsync("Film");
        await rclone.NextAsync();
        Assert.False(refresh.IsVisible(job));
        if (status > 0)
            rclone.Answer.Writer.TryWrite((status, ""));
        if (status > 0)
            rclone.Answer.Writer.TryWrite((status, ""));
        else
            sab.Time.Advance(TimeSpan.FromSeconds(11));
        await Until.TrueAsync(() => refresh.IsVisible(job));
        await refresh.StopAsync(CancellationToken.None);
    }

    [Fact]
    public async Task An_internal_error_ends_no_notifications()
    {
        await using var sab = await SabFixture.OpenAsync();
        await using var rclone = await RemoteControl.StartAsync();

        // No settings give such an address: a call with it throws what nobody expects.
        var options = new Live<RcloneOptions?>(new RcloneOptions(new Uri("rclone", UriKind.Relative), "me", "secret"));
        using var refresh = new RcloneRefresh(options, sab.Jobs, sab.Tree, sab.Time, NullLogger<RcloneRefresh>.Instance);
        await refresh.StartAsync(CancellationToken.None);
        var first = await sab.CompleteAsync("First");
        await Until.TrueAsync(() => refresh.IsVisible(first));
        options.Value = new RcloneOptions(rclone.Url, "me", "secret");
        await sab.CompleteAsync("Second");
        Assert.StartsWith("/vfs/list ", await rclone.NextAsync(), StringComparison.Ordinal);
        await refresh.StopAsync(CancellationToken.None);
    }

    [Fact]
    public async Task Each_of_several_mounts_is_told_and_one_that_knows_the_folder_is_enough()
    {
        await using var sab = await SabFixture.OpenAsync();
        await using var rclone = await RemoteControl.StartAsync();
        using var logs = new StubLog();
        using var refresh = New(sab, rclone, logs);
        await refresh.StartAsync(CancellationToken.None);
        rclone.Rule = (path, body) => path switch
        {
            "/vfs/list" => (200, """{"vfses":["nzbdav:","other:"]}"""),
            _ when !body.Contains("\"fs\":", StringComparison.Ordinal) => (500, """{"error":"more than one VFS active - need \"fs\" parameter"}"""),
            "/vfs/refresh" => (200, body.Contains("other:", StringComparison.Ordinal) ? """{"result":{"completed-symlinks/tv/Film":"file does not exist"}}""" : """{"result":{"completed-symlinks/tv/Film":"OK"}}"""),
            _ => (200, """{"forgotten":[]}"""),
        };
        var job = await sab.CompleteAsync("Film");
        await Until.TrueAsync(() => refresh.IsVisible(job));
        var calls = rclone.Calls();
        Assert.Equal(2, calls.Count(call => call.StartsWith("/vfs/refresh ", StringComparison.Ordinal)));
        Assert.Contains(calls, call => call.StartsWith("/vfs/forget ", StringComparison.Ordinal)
            && call.Contains("\"fs\":\"other:\"", StringComparison.Ordinal));
        Assert.Empty(logs.Entries);
        await refresh.StopAsync(CancellationToken.None);
    }

    [Fact]
    public async Task A_fault_inside_a_200_is_reported()
    {
        await using var sab = await SabFixture.OpenAsync();
        await using var rclone = await RemoteControl.StartAsync();
        using var logs = new StubLog();
        using var refresh = New(sab, rclone, logs);
        await refresh.StartAsync(CancellationToken.None);
        rclone.Rule = (path, _) => (200, path == "/vfs/refresh" ? """{"result":{"completed-symlinks/tv/Film":"file does not exist"}}""" : "{}");
        var job = await sab.CompleteAsync("Film");
        await Until.TrueAsync(() => refresh.IsVisible(job));
        Assert.Contains("file does not exist", Assert.Single(logs.Entries).Text, StringComparison.Ordinal);
        await refresh.StopAsync(CancellationToken.None);
    }

    [Fact]
    public async Task What_was_renamed_or_deleted_is_forgotten()
    {
        await using var sab = await SabFixture.OpenAsync();
        var job = await sab.CompleteAsync("Film");
        await using var rclone = await RemoteControl.StartAsync();
        rclone.Rule = (_, _) => (200, "{}");
        using var refresh = New(sab, rclone);
        await refresh.StartAsync(CancellationToken.None);
        var category = (await sab.Tree.ResolveAsync(["content", "tv"], CancellationToken.None))!;
        await sab.Tree.MoveAsync(job.ItemId!.Value, category.Id, "Renamed", CancellationToken.None);
        sab.Time.Advance(TimeSpan.FromSeconds(2));
        await Until.TrueAsync(() => rclone.Calls().Any(call =>
            call.StartsWith("/vfs/forget ", StringComparison.Ordinal) && call.Contains("content/tv/x", StringComparison.Ordinal)
                && call.Contains("completed-symlinks/tv/x", StringComparison.Ordinal)));
        Assert.DoesNotContain(rclone.Calls(),
            call => call.Contains(".ids", StringComparison.Ordinal) || call.StartsWith("/vfs/refresh", StringComparison.Ordinal));

        await sab.Tree.DeleteAsync(job.ItemId!.Value, CancellationToken.None);
        sab.Time.Advance(TimeSpan.FromSeconds(2));
        await Until.TrueAsync(() => rclone.Calls().Any(call => call.Contains("\"dir\":\".ids\"", StringComparison.Ordinal)));
        await refresh.StopAsync(CancellationToken.None);
    }

    [Fact]
    public async Task Files_that_a_client_deletes_with_their_job_are_forgotten_under_their_stable_paths()
    {
        await using var sab = await SabFixture.OpenAsync();
        var job = await sab.CompleteAsync("Film");
        await using var rclone = await RemoteControl.StartAsync();
        rclone.Rule = (_, _) => (200, "{}");
        using var refresh = New(sab, rclone);
        await refresh.StartAsync(CancellationToken.None);
        await sab.AskAsync($"mode=history&name=delete&del_files=1&value={NzoId.Of(job)}");
        sab.Time.Advance(TimeSpan.FromSeconds(2));
        await Until.TrueAsync(() => rclone.Calls().Any(call => call.Contains("content/tv/x", StringComparison.Ordinal)));
        await Until.TrueAsync(() => rclone.Calls().Any(call => call.Contains("\"dir\":\".ids\"", StringComparison.Ordinal)));
        await refresh.StopAsync(CancellationToken.None);
    }

    private static RcloneRefresh New(SabFixture sab, RemoteControl rclone, StubLog? logs = null) => new(
        new RcloneOptions(rclone.Url, "me", "secret"), sab.Jobs, sab.Tree, sab.Time,
        logs is null ? NullLogger<RcloneRefresh>.Instance : new Logger<RcloneRefresh>(new LoggerFactory([logs])));

    /// <summary>rclone's remote control: records its calls and answers when the test says so.</summary>
    private sealed class RemoteControl(WebApplication app) : IAsyncDisposable
    {
        private readonly Channel<string> _asked = Channel.CreateUnbounded<string>();
        private readonly ConcurrentQueue<string> _calls = new();

        public Channel<(int Status, string Body)> Answer { get; } = Channel.CreateUnbounded<(int, string)>();

        /// <summary>Answers at once, instead of <see cref="Answer"/>.</summary>
        public Func<string, string, (int Status, string Body)>? Rule { get; set; }

        public IReadOnlyList<string> Calls() => [.. _calls];

        public Uri Url => new(app.Urls.First());

        public static async Task<RemoteControl> StartAsync()
        {
            var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
            builder.WebHost.UseKestrelCore().ConfigureKestrel(server => server.Listen(IPAddress.Loopback, 0));
            builder.Services.AddRoutingCore().AddLogging();
            var app = builder.Build();
            var control = new RemoteControl(app);
            app.Run(control.AnswerAsync);
            await app.StartAsync();
            return control;
        }

        public async Task<string> NextAsync() => await _asked.Reader.ReadAsync();

        public async ValueTask DisposeAsync()
        {
            Answer.Writer.TryComplete();
            await app.DisposeAsync();
        }

        private async Task AnswerAsync(HttpContext http)
        {
            using var reader = new StreamReader(http.Request.Body, Encoding.UTF8);
            var asked = await reader.ReadToEndAsync();
            _calls.Enqueue($"{http.Request.Path} {asked}");
            _asked.Writer.TryWrite($"{http.Request.Path} {asked} {http.Request.Headers.Authorization}");
            try
            {
                (http.Response.StatusCode, var body) = Rule?.Invoke(http.Request.Path.Value!, asked)
                    ?? await Answer.Reader.ReadAsync(http.RequestAborted);
                await http.Response.WriteAsync(body);
            }
            catch (Exception e) when (e is OperationCanceledException or ChannelClosedException)
            {
                http.Abort();
            }
        }
    }
}
