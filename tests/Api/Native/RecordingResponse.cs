using System.Text;
using Microsoft.AspNetCore.Http;

namespace NzbDav.Api.Tests.Native;

/// <summary>A response that records what is written to it.</summary>
internal sealed class RecordingResponse
{
    private readonly Recorder _body = new();

    public RecordingResponse()
    {
        var http = new DefaultHttpContext();
        http.Response.Body = _body;
        Response = http.Response;
    }

    public HttpResponse Response { get; }

    public string Text => _body.Text;

    public int Count(string line) => Text.Split('\n').Count(one => one == line);

    private sealed class Recorder : MemoryStream
    {
        private readonly Lock _gate = new();

        public string Text
        {
            get
            {
                lock (_gate)
                    return Encoding.UTF8.GetString(ToArray());
            }
        }

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            lock (_gate)
                base.Write(buffer);
        }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Write(buffer.Span);
            return default;
        }
    }
}
