using System.Collections.Concurrent;
using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace NzbDav.Api.Tests.Sab;

/// <summary>A server with one .nzb, delivered when the test says so.</summary>
internal sealed class Indexer(WebApplication app) : IAsyncDisposable
{
    public TaskCompletionSource Asked { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public TaskCompletionSource Go { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Bytes of the endless answer that the client has received.</summary>
    public long Written { get; private set; }

    /// <summary>Completes when the client has disconnected from the endless answer.</summary>
    public TaskCompletionSource Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>What its clients call themselves.</summary>
    public ConcurrentQueue<string> Agents { get; } = [];

    public IPEndPoint EndPoint => new(IPAddress.Loopback, new Uri(Url).Port);

    public bool IsMissing { get; set; } = true;

    public bool IsBusy { get; set; } = true;

    /// <summary>The Content-Disposition header of the answer.</summary>
    public string Disposition { get; set; } = "attachment; filename=\"Real Show.S01.nzb\"";

    public string Url => app.Urls.First() + "/";

    public static async Task<Indexer> StartAsync()
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(server =>
        {
            server.Listen(IPAddress.Loopback, 0);
        });
        builder.Services.AddRoutingCore().AddLogging();
        var app = builder.Build();
        var indexer = new Indexer(app);
        app.Run(indexer.AnswerAsync);
        await app.StartAsync();
        return indexer;
    }

    public ValueTask DisposeAsync() => app.DisposeAsync();

    private async Task AnswerAsync(HttpContext http)
    {
        if (http.Request.Path == "/magnet")
        {
            http.Response.Redirect("magnet:?xt=urn:btih:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa&dn=a b");
            return;
        }

        if (http.Request.Path == "/redirect")
        {
            http.Response.Redirect(Url + "get?id=1&key=secret");
            return;
        }

        Agents.Enqueue(http.Request.Headers.UserAgent.ToString());
        Asked.TrySetResult();
        await Go.Task.WaitAsync(http.RequestAborted);
        if (http.Request.Path == "/missing" && IsMissing)
        {
            http.Response.StatusCode = 404;
            return;
        }

        if (http.Request.Path == "/busy" && IsBusy)
        {
            http.Response.StatusCode = 503;
            return;
        }

        if (http.Request.Path == "/endless")
        {
            await WriteAsync(http);
            return;
        }

        http.Response.Headers.ContentDisposition = Disposition;
        await http.Response.Body.WriteAsync(SabFixture.Nzb("from the indexer"));
    }

    private async Task WriteAsync(HttpContext http)
    {
        try
        {
            for (; Written < 1L << 30; Written += 64 << 10)
                await http.Response.Body.WriteAsync(new byte[64 << 10], http.RequestAborted);
        }
        catch (Exception e) when (e is OperationCanceledException or IOException)
        {
            // The client has disconnected.
        }
        finally
        {
            Ended.TrySetResult();
        }
    }
}
