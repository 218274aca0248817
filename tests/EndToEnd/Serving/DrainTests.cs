using System.Security.Cryptography;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Serving;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>What happens to requests while the server stops, on a clock that only the test moves.</summary>
public sealed class DrainTests : IAsyncLifetime
{
    private readonly ManualTimeProvider _time = new();
    private readonly byte[] _content = RandomNumberGenerator.GetBytes(1_000_000);
    private readonly TaskCompletionSource _asked = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _arrives = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private WebApplication _app;
    private readonly HttpClient _http = new();

    public DrainTests() => _app = Build(hasOthers: false);

    [Fact]
    public async Task OPS_07_Running_responses_complete_and_new_ones_are_refused()
    {
        using var open = new RawRequest(Port);
        await open.ConnectAsync();
        using var response = await BeginAsync();
        var stop = StopAsync();
        await _time.WhenArmedAsync(1);

        // An open connection, and a new one, since the server still listens.
        using var late = new RawRequest(Port);
        Assert.True(await late.ConnectAsync());
        foreach (var other in new[] { open, late })
        {
            var refused = await other.AskAsync("GET /film HTTP/1.1\r\nHost: x\r\n\r\n");
            Assert.StartsWith("HTTP/1.1 503", refused, StringComparison.Ordinal);
            Assert.Contains("Connection: close", refused, StringComparison.Ordinal);
            Assert.Contains("Retry-After:", refused, StringComparison.Ordinal);
        }

        Assert.False(stop.IsCompleted);
        _arrives.SetResult();
        Assert.Equal(SHA256.HashData(_content), SHA256.HashData(await response.Content.ReadAsByteArrayAsync(Deadline.Token)));
        await stop;
    }

    /// <summary>Proxies ask another gateway when a connection ends without an answer.</summary>
    [Fact]
    public async Task OPS_07_One_of_several_gateways_ends_the_connections_of_new_requests()
    {
        await _app.DisposeAsync();
        _app = Build(hasOthers: true);
        await _app.StartAsync();
        using var open = new RawRequest(Port);
        await open.ConnectAsync();
        using var response = await BeginAsync();
        var stop = StopAsync();
        await _time.WhenArmedAsync(1);
        using var late = new RawRequest(Port);
        using var probe = new RawRequest(Port);
        Assert.True(await late.ConnectAsync() && await probe.ConnectAsync());
        foreach (var other in new[] { open, late })
            Assert.Equal("", await other.AskAsync("GET /film HTTP/1.1\r\nHost: x\r\n\r\n"));
        Assert.StartsWith("HTTP/1.1 503", await probe.AskAsync("GET /health HTTP/1.1\r\nHost: x\r\n\r\n"), StringComparison.Ordinal);
        _arrives.SetResult();
        Assert.Equal(SHA256.HashData(_content), SHA256.HashData(await response.Content.ReadAsByteArrayAsync(Deadline.Token)));
        await stop;
    }

    /// <summary>A proxy asks another gateway for what only reads, and may not repeat the rest.</summary>
    [Theory]
    [InlineData("POST")]
    [InlineData("PUT")]
    [InlineData("DELETE")]
    [InlineData("LOCK")]
    public async Task OPS_07_A_request_that_changes_something_is_served_while_the_server_stops(string method)
    {
        using var response = await BeginAsync();
        var stop = StopAsync();
        await _time.WhenArmedAsync(1);
        using var late = new RawRequest(Port);
        Assert.True(await late.ConnectAsync());
        var answer = await late.AskAsync($"{method} /change HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
        Assert.StartsWith("HTTP/1.1 204", answer, StringComparison.Ordinal);
        Assert.Contains("Connection: close", answer, StringComparison.Ordinal);
        _arrives.SetResult();
        await stop;
    }

    [Fact]
    public async Task OPS_07_Health_says_that_the_server_is_draining()
    {
        using var response = await BeginAsync();
        var stop = StopAsync();
        await _time.WhenArmedAsync(1);
        using var probe = new RawRequest(Port);
        Assert.True(await probe.ConnectAsync());
        var answer = await probe.AskAsync("GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n");
        Assert.StartsWith("HTTP/1.1 503", answer, StringComparison.Ordinal);
        Assert.Contains("\"status\":\"draining\"", answer, StringComparison.Ordinal);
        _arrives.SetResult();
        await stop;
    }

    [Fact]
    public async Task OPS_07_A_response_that_does_not_end_is_aborted_after_the_drain_limit()
    {
        using var response = await BeginAsync();
        var stop = StopAsync();
        await _time.WhenArmedAsync(1);
        _time.Advance(Drain.Limit - TimeSpan.FromTicks(1));
        Assert.False(stop.IsCompleted);
        _time.Advance(TimeSpan.FromTicks(1));
        await Assert.ThrowsAnyAsync<Exception>(() => response.Content.ReadAsByteArrayAsync(Deadline.Token));
        await stop;
    }

    [Fact]
    public async Task OPS_07_An_idle_server_stops_without_waiting()
    {
        await StopAsync();
        Assert.Equal(0, _time.ArmedTimers);
    }

    public async ValueTask InitializeAsync() => await _app.StartAsync();

    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        await _app.DisposeAsync();
    }

    private int Port => new Uri(_app.Urls.Single()).Port;

    /// <summary>Sends half of the content at once, and the other half when it has arrived.</summary>
    private async Task ServeAsync(HttpContext http)
    {
        if (http.Request.Path == "/change")
        {
            http.Response.StatusCode = StatusCodes.Status204NoContent;
            return;
        }

        http.Response.ContentLength = _content.Length;
        await http.Response.Body.WriteAsync(_content.AsMemory(0, _content.Length / 2));
        await http.Response.Body.FlushAsync();
        _asked.TrySetResult();
        await _arrives.Task.WaitAsync(http.RequestAborted);
        await http.Response.Body.WriteAsync(_content.AsMemory(_content.Length / 2));
    }

    private async Task<HttpResponseMessage> BeginAsync()
    {
        var response = await _http.GetAsync($"{_app.Urls.Single()}/film", HttpCompletionOption.ResponseHeadersRead, Deadline.Token);
        await _asked.Task.WaitAsync(Deadline.Token);
        return response;
    }

    private WebApplication Build(bool hasOthers)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddSingleton<TimeProvider>(_time);
        builder.Services.AddDrain(hasOthers);
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = Deadline.Long);
        var app = builder.Build();
        app.UseDrain();
        app.Run(ServeAsync);
        return app;
    }

    private Task StopAsync() => Task.Run(() => _app.StopAsync(Deadline.Token));
}
