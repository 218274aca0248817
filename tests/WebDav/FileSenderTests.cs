using System.IO.Pipelines;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using NzbDav.Fakes;
using NzbDav.WebDav.Files;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Tests;

/// <summary>How a response ends whose client has disconnected.</summary>
public sealed class FileSenderTests
{
    [Fact]
    public async Task A_response_is_aborted_when_a_flush_reports_that_the_client_has_left()
    {
        var http = new DefaultHttpContext();
        var body = new HangUpBody();
        var lifetime = new Lifetime();
        http.Features.Set<IHttpResponseBodyFeature>(body);
        http.Features.Set<IHttpRequestLifetimeFeature>(lifetime);
        http.Request.Method = HttpMethods.Get;
        var content = new MemoryContent(SeededBytes.Make(1, 5_000_000));
        var sender = new FileSender(TimeProvider.System, Options.Create(new WebDavOptions()), NullLogger<FileSender>.Instance);
        await sender.SendAsync(http, new FilmFile(content), StorePath.Root.Child("film.mkv"));
        Assert.Equal((1, false), (lifetime.Aborts, lifetime.RequestAborted.IsCancellationRequested));
        Assert.InRange(body.Written, 1, content.Length - 1);
        Assert.Equal(content.ReadersOpened, content.ReadersDisposed);
    }

    /// <summary>A connection whose sending side has ended: its flushes report it, and nothing else has happened yet.</summary>
    private sealed class HangUpBody : PipeWriter, IHttpResponseBodyFeature
    {
        public long Written { get; private set; }

        public Stream Stream => throw new NotSupportedException();

        public PipeWriter Writer => this;

        public override ValueTask<FlushResult> WriteAsync(ReadOnlyMemory<byte> source, CancellationToken cancellationToken = default)
        {
            Written += source.Length;
            return new(new FlushResult(isCanceled: false, isCompleted: true));
        }

        public override void Advance(int bytes) => throw new NotSupportedException();

        public override Memory<byte> GetMemory(int sizeHint = 0) => throw new NotSupportedException();

        public override Span<byte> GetSpan(int sizeHint = 0) => throw new NotSupportedException();

        public override void CancelPendingFlush() => throw new NotSupportedException();

        public override void Complete(Exception? exception = null) => throw new NotSupportedException();

        public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default) =>
            throw new NotSupportedException();

        public void DisableBuffering()
        {
        }

        public Task StartAsync(CancellationToken cancellationToken = default) => Task.CompletedTask;

        public Task SendFileAsync(string path, long offset, long? count, CancellationToken cancellationToken = default) =>
            throw new NotSupportedException();

        public Task CompleteAsync() => throw new NotSupportedException();
    }

    private sealed class Lifetime : IHttpRequestLifetimeFeature
    {
        public int Aborts { get; private set; }

        public CancellationToken RequestAborted { get; set; }

        public void Abort() => Aborts++;
    }
}
