using System.Net;
using System.Text;
using System.Threading.Channels;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Api.Completion;
using NzbDav.Catalog.Settings;
using NzbDav.Fakes;

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
        Assert.Equal("""/vfs/forget {"dir":"completed-symlinks/tv","dir2":"content/tv"} Basic bWU6c2VjcmV0""", await rclone.NextAsync());
        Assert.False(refresh.IsVisible(job));
        rclone.Answer.Writer.TryWrite(200);
        var asked = await rclone.NextAsync();
        Assert.StartsWith("/vfs/refresh ", asked, StringComparison.Ordinal);
        Assert.Contains("completed-symlinks/tv/Film", asked, StringComparison.Ordinal);
        Assert.Contains("\"recursive\":\"true\"", asked, StringComparison.Ordinal);
        Assert.False(refresh.IsVisible(job));
        Assert.False(shown.Task.IsCompleted);
        rclone.Answer.Writer.TryWrite(200);
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
            rclone.Answer.Writer.TryWrite(status);
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
        Assert.StartsWith("/vfs/forget ", await rclone.NextAsync(), StringComparison.Ordinal);
        await refresh.StopAsync(CancellationToken.None);
    }

    private static RcloneRefresh New(SabFixture sab, RemoteControl rclone) =>
        new(new RcloneOptions(rclone.Url, "me", "secret"), sab.Jobs, sab.Tree, sab.Time, NullLogger<RcloneRefresh>.Instance);

    /// <summary>rclone's remote control: records its calls and answers when the test says so.</summary>
    private sealed class RemoteControl(WebApplication app) : IAsyncDisposable
    {
        private readonly Channel<string> _asked = Channel.CreateUnbounded<string>();

        public Channel<int> Answer { get; } = Channel.CreateUnbounded<int>();

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
            _asked.Writer.TryWrite($"{http.Request.Path} {await reader.ReadToEndAsync()} {http.Request.Headers.Authorization}");
            try
            {
                http.Response.StatusCode = await Answer.Reader.ReadAsync(http.RequestAborted);
            }
            catch (Exception e) when (e is OperationCanceledException or ChannelClosedException)
            {
                http.Abort();
            }
        }
    }
}
