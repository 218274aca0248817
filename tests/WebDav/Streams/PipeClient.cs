using System.IO.Pipelines;
using System.Net;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace NzbDav.WebDav.Tests.Streams;

/// <summary>A client at the other end of a pipe, which reads only what the test takes.</summary>
internal sealed class PipeClient : PipeWriter, IHttpResponseBodyFeature, IHttpRequestLifetimeFeature
{
    private readonly Pipe _pipe = new(new PipeOptions(pauseWriterThreshold: 0));
    private readonly CancellationTokenSource _aborted = new();

    public PipeClient(string agent)
    {
        Http = new DefaultHttpContext();
        Http.Features.Set<IHttpResponseBodyFeature>(this);
        Http.Features.Set<IHttpRequestLifetimeFeature>(this);
        Http.Request.Method = HttpMethods.Get;
        Http.Request.Headers.UserAgent = agent;
        Http.Connection.RemoteIpAddress = IPAddress.Parse("::ffff:10.0.0.7");
    }

    public DefaultHttpContext Http { get; }

    /// <summary>The client does not read.</summary>
    public bool Pauses { get; init; }

    public int Flushes { get; private set; }

    public bool Aborted { get; private set; }

    public CancellationToken RequestAborted { get; set; }

    CancellationToken IHttpRequestLifetimeFeature.RequestAborted
    {
        get => _aborted.Token;
        set => throw new NotSupportedException();
    }

    public Stream Stream => throw new NotSupportedException();

    public PipeWriter Writer => this;

    public async Task TakeAsync(int count)
    {
        while (count > 0)
        {
            var read = await _pipe.Reader.ReadAsync();
            var taken = read.Buffer.Slice(0, Math.Min(count, read.Buffer.Length));
            count -= (int)taken.Length;
            _pipe.Reader.AdvanceTo(taken.End);
        }
    }

    public void HangUp() => _aborted.Cancel();

    public void Abort()
    {
        Aborted = true;
        _aborted.Cancel();
    }

    public override void Advance(int bytes) => _pipe.Writer.Advance(bytes);

    public override Memory<byte> GetMemory(int sizeHint = 0) => _pipe.Writer.GetMemory(sizeHint);

    public override Span<byte> GetSpan(int sizeHint = 0) => _pipe.Writer.GetSpan(sizeHint);

    public override void CancelPendingFlush() => _pipe.Writer.CancelPendingFlush();

    public override void Complete(Exception? exception = null) => _pipe.Writer.Complete(exception);

    public override async ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        Flushes++;
        if (Pauses)
            await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
        return await _pipe.Writer.FlushAsync(cancellationToken);
    }

    public void DisableBuffering()
    {
    }

    public Task StartAsync(CancellationToken cancellationToken = default) => Task.CompletedTask;

    public Task SendFileAsync(string path, long offset, long? count, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public Task CompleteAsync() => throw new NotSupportedException();
}
